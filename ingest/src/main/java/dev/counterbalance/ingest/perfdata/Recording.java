package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.ingest.tracefs.EventFormat;
import dev.counterbalance.ingest.tracefs.PrevStateParser;
import dev.counterbalance.ingest.tracefs.TracingData;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.kernel.PrevState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a perf.data tells about itself, from its sections or, in a pipe, from its records: events
 * and their ids, formats, machine, recorded CPUs. {@link #resolve} ties them together; it may be
 * called again when more has become known.
 */
final class Recording {
  /** CPUs at or above it are taken for damage. */
  static final int MAX_CPUS = 65536;

  final TraceInput in;
  final ImportOptions options;
  final ProblemLog problems;
  final TraceInfo info = new TraceInfo();
  final TracingData formats = new TracingData();
  final List<Attr> attrs = new ArrayList<>();
  final IdMap attrOfId = new IdMap();
  final IdMap cpuOfId = new IdMap();

  /** CPUs that the recorder opened, as ID_INDEX or CPU_MAP tell. */
  final BitSet openedCpus = new BitSet();

  /** True if ids are bound to tasks, not to CPUs. */
  boolean perTask;

  /** Wall clock and trace clock of one instant in ns, if CLOCK_DATA tells. */
  long clockWallNs = -1;

  long clockTraceNs = -1;

  /** Names that EVENT_DESC or EVENT_UPDATE give, by event id. */
  private final Map<Long, String> nameOfId = new HashMap<>();

  private final Map<Integer, EventLayout> layouts = new HashMap<>();
  private Attr[] attrByRawType;
  private boolean stale = true;

  Recording(TraceInput in, ImportOptions options) {
    this.in = in;
    this.options = options;
    this.problems = new ProblemLog(in.name(), options.strict());
  }

  void addAttr(Attr attr) {
    for (long id : attr.ids) {
      attrOfId.put(id, attrs.size());
    }
    attrs.add(attr);
    stale = true;
  }

  void nameId(long id, String name) {
    nameOfId.put(id, name);
    stale = true;
  }

  void formatsChanged() {
    layouts.clear();
    stale = true;
  }

  boolean isStale() {
    return stale;
  }

  /** Gives each attr its name and its compiled format. */
  void resolve() {
    stale = false;
    boolean idsTell = attrs.size() == 1 || attrs.isEmpty() || attrs.get(0).idAt >= 0;
    attrByRawType = idsTell ? null : new Attr[65536];
    for (Attr attr : attrs) {
      EventFormat format = null;
      if (attr.isTracepoint() && attr.config >= 0 && attr.config <= 0xffff) {
        format = formats.byId().get((int) attr.config);
        if (attrByRawType != null) {
          attrByRawType[(int) attr.config] = attr;
        }
      }
      if (format != null) {
        attr.name = format.fullName();
        attr.event = layouts.computeIfAbsent(format.id(), id -> layout(formats.byId().get(id)));
      } else if (attr.name == null) {
        attr.name = attr.ids.length > 0 ? nameOfId.get(attr.ids[0]) : null;
      }
      info.events.remove(null);
      if (attr.isTracepoint() && attr.name != null) {
        info.events.add(attr.name);
      }
    }
    info.tickDriven = info.events.contains("sched:sched_stat_runtime");
  }

  /** The attr that a raw {@code common_type} names, for recordings whose samples carry no id. */
  Attr attrOfRawType(int commonType) {
    return attrByRawType[commonType];
  }

  /** True if samples tell their event only by their raw data. */
  boolean isByRawType() {
    return attrByRawType != null;
  }

  /** Sets how prev_state reads; the default stays if the format is not understood. */
  void readPrevState() {
    EventFormat format = formats.find("sched", "sched_switch");
    if (format == null) {
      return;
    }
    try {
      PrevState parsed = PrevStateParser.parse(format.printFormat());
      if (parsed != null) {
        info.prevState = parsed;
      }
    } catch (IllegalArgumentException e) {
      problems.add(
          Severity.INFO,
          "bad_print_format",
          1,
          -1,
          -1,
          "the print format of sched_switch is not understood (" + e.getMessage() + ")",
          "States are shown as Linux 4.14 and later print them; the numbers are right.");
    }
  }

  private EventLayout layout(EventFormat format) {
    EventLayout layout = new EventLayout(format, options.allEvents());
    if (layout.missingField != null) {
      problems.add(
          Severity.ERROR,
          "event_field_missing",
          1,
          -1,
          -1,
          format.fullName() + " has no field " + layout.missingField,
          "Its events are kept as other events only.");
    }
    return layout;
  }
}

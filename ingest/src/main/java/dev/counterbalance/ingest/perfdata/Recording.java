package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.ingest.tracefs.EventFormat;
import dev.counterbalance.ingest.tracefs.EventKind;
import dev.counterbalance.ingest.tracefs.EventLayouts;
import dev.counterbalance.ingest.tracefs.TracingData;
import dev.counterbalance.trace.event.TraceInfo;
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
  static final int MAX_CPUS = CpuStats.MAX_CPUS;

  final TraceInput in;

  /** Where the records are; the input itself unless it had to be rewritten. */
  TraceInput records;

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

  /** Samples at other times are damaged, in ns. */
  long earliestNs = 1;

  long latestNs = Long.MAX_VALUE;

  /** Parts of {@link #records}, each start and end, whose file was cut before its end. */
  final List<long[]> cutParts = new ArrayList<>();

  /** Wall clock and trace clock of one instant in ns, if CLOCK_DATA tells. */
  long clockWallNs = -1;

  long clockTraceNs = -1;

  /** Names that EVENT_DESC or EVENT_UPDATE give, by event id. */
  private final Map<Long, String> nameOfId = new HashMap<>();

  private final EventLayouts layouts;
  private Attr[] attrByRawType;
  private boolean stale = true;
  private boolean bySwitchRecords;

  Recording(TraceInput in, ImportOptions options) throws TraceFormatException {
    this.in = in;
    this.records = in;
    this.options = options;
    this.problems = new ProblemLog(in, options.strict());
    this.layouts = new EventLayouts(problems, options.allEvents());
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

  /** Something else has become known that readers may depend on. */
  void changed() {
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
        format = formats.format((int) attr.config);
        attr.rawType = rawType((int) attr.config);
        if (attrByRawType != null) {
          attrByRawType[attr.rawType] = attr;
        }
      }
      if (format != null) {
        attr.name = format.fullName();
        attr.event = layouts.of(format);
        info.fields.put(attr.name, format.ownFields());
      } else if (attr.name == null) {
        attr.name = attr.ids.length > 0 ? nameOfId.get(attr.ids[0]) : null;
      }
      info.events.remove(null);
      if (attr.isTracepoint() && attr.name != null) {
        info.events.add(attr.name);
      }
    }
    bySwitchRecords =
        attrs.stream().anyMatch(Attr::tellsSwitches)
            && attrs.stream()
                .noneMatch(attr -> attr.event != null && attr.event.kind == EventKind.SWITCH);
    info.tickDriven = info.events.contains("sched:sched_stat_runtime");
  }

  /** What {@code common_type} reads like if it is taken for little-endian. */
  private int rawType(int config) {
    return formats.isBigEndian() ? Short.reverseBytes((short) config) & 0xffff : config;
  }

  /** The attr that a raw {@code common_type} names, for recordings whose samples carry no id. */
  Attr attrOfRawType(int commonType) {
    return attrByRawType[commonType];
  }

  /** True if SWITCH records stand in for the tracepoint sched_switch. */
  boolean isBySwitchRecords() {
    return bySwitchRecords;
  }

  /** True if samples tell their event only by their raw data. */
  boolean isByRawType() {
    return attrByRawType != null;
  }
}

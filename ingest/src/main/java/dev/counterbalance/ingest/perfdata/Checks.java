package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.tracefs.SchedulerEvents;
import dev.counterbalance.trace.event.Severity;
import java.util.LinkedHashSet;
import java.util.Set;

/** Says in a sentence why a perf.data is of no use here, or of limited use. */
final class Checks {
  private static final String RECORD = "Record with: perf sched record.";

  /** What to do if a recording lacks its event formats. */
  static final String GIVE_FORMATS =
      "Give a copy of the recorded kernel's /sys/kernel/tracing/events with --formats DIR, or record"
          + " again.";

  private static final String[] HARDWARE = {
    "cycles",
    "instructions",
    "cache-references",
    "cache-misses",
    "branches",
    "branch-misses",
    "bus-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "ref-cycles"
  };
  private static final String[] SOFTWARE = {
    "cpu-clock",
    "task-clock",
    "page-faults",
    "context-switches",
    "cpu-migrations",
    "minor-faults",
    "major-faults",
    "alignment-faults",
    "emulation-faults",
    "dummy",
    "bpf-output"
  };

  private Checks() {}

  /** What a recording must have before its data is looked at, or after for a pipe. */
  static void mustBeUsable(Recording recording) throws TraceFormatException {
    String file = recording.in.name();
    if (recording.attrs.isEmpty()) {
      throw refuse(file, "describes no recorded events", "Record again. " + RECORD);
    }
    boolean tracepoints = recording.attrs.stream().anyMatch(Attr::isTracepoint);
    if (tracepoints && recording.formats.isEmpty()) {
      TraceFormatException cut = recording.formats.cut();
      throw new TraceFormatException(
          file,
          cut == null ? -1 : cut.offset(),
          "holds no event formats, without which its events cannot be read",
          "the section TRACING_DATA",
          "The file is probably truncated, or was recorded without -R. " + GIVE_FORMATS);
    }
    Set<String> names = new LinkedHashSet<>();
    boolean sched = recording.isBySwitchRecords();
    for (Attr attr : recording.attrs) {
      names.add(nameOf(attr));
      if (attr.event != null && attr.event.format.system().equals("sched")) {
        sched = true;
        mustHaveFields(file, attr);
      }
    }
    if (!sched && recording.attrs.stream().anyMatch(Attr::hasSwitches)) {
      throw refuse(
          file, "holds no scheduler events but switches that do not tell time and CPU", RECORD);
    }
    if (!sched) {
      throw SchedulerEvents.missing(file, names, RECORD);
    }
  }

  /** What to say if there is nothing to import. */
  static TraceFormatException noEvents(Recording recording) {
    String file = recording.in.name();
    boolean damaged =
        recording.problems.has("malformed_sample")
            || recording.problems.has("unknown_event_id")
            || recording.problems.has("bad_compressed_record");
    return damaged
        ? refuse(file, "holds no event that makes sense", "It is damaged; record again.")
        : refuse(
            file,
            "holds no events at all",
            "Was there any load while it was recorded? Record again with: perf sched record.");
  }

  /** Limits that do not keep the recording from being imported. */
  static void warn(Recording recording) {
    if (recording.isBySwitchRecords()) {
      recording.problems.add(
          Severity.INFO,
          "switch_records",
          1,
          -1,
          -1,
          "the recording has no sched:sched_switch; its switches are those of --switch-events",
          "They tell no priorities and not why a task slept, shown as state ?. For all: perf sched"
              + " record.");
    } else {
      SchedulerEvents.warnWithoutSwitch(recording.info, recording.problems, RECORD);
    }
    if (recording.perTask) {
      recording.problems.add(
          Severity.ERROR,
          "per_task_recording",
          1,
          -1,
          -1,
          "the recording follows tasks, not CPUs: what other tasks did is not in it",
          "Figures about CPUs are partial. Record the whole machine: perf sched record, or -a.");
    }
    if (recording.formats.isFromDirectory()) {
      recording.problems.add(
          Severity.INFO,
          "formats_given",
          1,
          -1,
          -1,
          "the recording lacks its event formats; those of "
              + recording.options.formats()
              + " were used",
          "They must be of the recorded kernel: others make nonsense of the events.");
    }
    SchedulerEvents.warnOfBadFormats(recording.formats, recording.problems);
  }

  /** True if the recorder followed tasks: by its ids, its attrs or its command line. */
  static boolean isPerTask(Recording recording) {
    if (recording.perTask) {
      return true;
    }
    for (Attr attr : recording.attrs) {
      if (attr.isTracepoint() && attr.isEnabledOnExec()) {
        return true;
      }
    }
    return false;
  }

  /** The event's name, made up from its numbers if the recording does not tell. */
  static String nameOf(Attr attr) {
    if (attr.name != null) {
      return attr.name;
    }
    if (attr.type == Attr.TYPE_HARDWARE && attr.config >= 0 && attr.config < HARDWARE.length) {
      return HARDWARE[(int) attr.config];
    }
    if (attr.type == Attr.TYPE_SOFTWARE && attr.config >= 0 && attr.config < SOFTWARE.length) {
      return SOFTWARE[(int) attr.config];
    }
    return attr.isTracepoint()
        ? "tracepoint " + attr.config
        : "type " + attr.type + " config 0x" + Long.toHexString(attr.config);
  }

  private static void mustHaveFields(String file, Attr attr) throws TraceFormatException {
    if (attr.timeAt < 0 || attr.cpuAt < 0) {
      throw refuse(
          file,
          "the samples of " + attr.name + " do not tell " + (attr.timeAt < 0 ? "time" : "CPU"),
          "Record with -T and -a, or with perf sched record.");
    }
    if (!attr.has(Attr.SAMPLE_RAW)) {
      throw refuse(
          file, "the samples of " + attr.name + " come without their fields", "Record with -R.");
    }
  }

  static TraceFormatException refuse(String file, String found, String advice) {
    return new TraceFormatException(file, -1, found, "", advice);
  }
}

package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.TraceInfo;
import java.util.Set;

/** Says in a sentence what a recording lacks that analyses need, whatever its format. */
public final class SchedulerEvents {
  private static final int MAX_NAMES = 8;

  private SchedulerEvents() {}

  /** A recording of other things. */
  public static TraceFormatException missing(String file, Set<String> names, String advice) {
    return new TraceFormatException(
        file, -1, "holds no scheduler events, only " + list(names), "", advice);
  }

  /** Reports a recording that does not tell what ran where. */
  public static void warnWithoutSwitch(TraceInfo info, ProblemLog problems, String advice) {
    if (!info.events.contains("sched:sched_switch")) {
      problems.add(
          Severity.ERROR,
          "no_sched_switch",
          1,
          -1,
          -1,
          "the recording has no sched:sched_switch, which alone tells what ran where",
          advice);
    }
  }

  /** Reports event descriptions that were left out. */
  public static void warnOfBadFormats(TracingData formats, ProblemLog problems) {
    if (formats.badFormats() > 0) {
      problems.add(
          Severity.ERROR,
          "bad_event_format",
          formats.badFormats(),
          -1,
          -1,
          "an event description makes no sense: " + formats.badFormat(),
          "Events of that kind are not imported.");
    }
  }

  private static String list(Set<String> names) {
    StringBuilder text = new StringBuilder();
    int n = 0;
    for (String name : names) {
      if (n == MAX_NAMES) {
        return text.append(" and ").append(names.size() - n).append(" more").toString();
      }
      text.append(n++ == 0 ? "" : ", ").append(name);
    }
    return text.toString();
  }
}

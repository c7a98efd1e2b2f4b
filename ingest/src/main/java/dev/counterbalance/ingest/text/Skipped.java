package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.trace.event.Severity;

/** Counts the lines that are not imported, by what they are, and keeps the first of each. */
final class Skipped {
  private static final int QUOTE = 80;
  private static final byte[] RAW = Ascii.of(" type: ");
  private static final byte[] TIMEHIST = Ascii.of("sch delay");

  private static final byte[] PERF_EVENT = Ascii.of("sched:sched_");

  private final Text text;

  long bareTimes;
  long functions;
  long samples;
  long rawLines;
  long unreadable;
  boolean timehist;
  boolean withoutCpu;
  long latencyLines;
  private long callchains;
  private long records;
  private boolean inEvent;

  Skipped(Text text) {
    this.text = text;
  }

  void eventMet() {
    inEvent = true;
  }

  void note(boolean empty) {
    inEvent &= !empty;
  }

  void latency() {
    latencyLines++;
  }

  void record() {
    records++;
  }

  void otherSystem(byte[] b, Line line, long offset) {
    if (!text.problems.again("events_of_other_systems")) {
      text.problems.add(
          Severity.INFO,
          "events_of_other_systems",
          1,
          offset,
          line.timeNs,
          "events of other systems than sched, irq and power, such as "
              + Ascii.quoted(b, line.eventFrom, line.eventTo, QUOTE),
          "They are imported with --all-events.");
    }
  }

  void tooLong(long offset, long number) throws TraceFormatException {
    inEvent = false;
    if (!text.problems.again("line_too_long")) {
      text.problems.damage(
          "line_too_long",
          offset,
          -1,
          "line " + number + " is longer than " + Lines.MAX_LINE + " bytes",
          "Such lines are skipped.");
    }
  }

  /** A line that is neither an event nor a note. */
  void line(int kind, Lines lines) throws TraceFormatException {
    byte[] b = lines.bytes();
    int from = lines.start();
    int to = lines.end();
    switch (kind) {
      case Line.BARE_TIME -> bareTimes++;
      case Line.FUNCTION -> functions++;
      case Line.SAMPLE -> {
        samples++;
        inEvent = true;
      }
      default -> {
        if (text.dialect == Dialect.PERF && inEvent && Ascii.isBlank(b[from])) {
          callchains++;
        } else {
          unreadable(b, from, to, lines);
        }
      }
    }
  }

  private void unreadable(byte[] b, int from, int to, Lines lines) throws TraceFormatException {
    unreadable++;
    withoutCpu |= isWithoutCpu(b, from, to);
    timehist |= Ascii.find(b, from, to, TIMEHIST) >= 0;
    if (Ascii.isDigit(b[from]) && Ascii.find(b, from, to, RAW) >= 0) {
      rawLines++;
    }
    if (!text.problems.again("unreadable_line")) {
      String found = "line " + lines.number() + " is no event: " + Ascii.quoted(b, from, to, QUOTE);
      text.problems.damage("unreadable_line", lines.offset(), -1, found, "Such lines are skipped.");
    }
  }

  /** True for a line of perf script that has a scheduler event, but no CPU before it. */
  static boolean isWithoutCpu(byte[] b, int from, int to) {
    int event = Ascii.find(b, from, to, PERF_EVENT);
    int colon = event < 0 ? -1 : Ascii.trimEnd(b, from, event) - 1;
    return colon > from && b[colon] == ':' && Ascii.isDigit(b[colon - 1]);
  }

  /** Adds the counts to the problems, after the first pass. */
  void report() throws TraceFormatException {
    info("callchain_lines", callchains, "lines of callchains", "");
    info("perf_records", records, "PERF_RECORD lines that say nothing of tasks or losses", "");
    info("function_lines", functions, "lines of the function tracer", "");
    info(
        "samples_of_other_events",
        samples,
        "samples of other events than tracepoints",
        "Only tracepoints are imported.");
    info(
        "names_cut",
        latencyLines,
        "lines in latency format: the name of the task that ran is cut to 8 characters",
        "Times count from the start of the buffer. Names in the events' own fields are whole.");
    if (bareTimes > 0) {
      text.problems.add(
          Severity.ERROR,
          "bare_times",
          bareTimes,
          -1,
          -1,
          "lines whose time is a number without a unit",
          "Such lines are skipped.");
    }
  }

  private void info(String code, long count, String what, String advice) {
    if (count > 0) {
      text.problems.add(Severity.INFO, code, count, -1, -1, what, advice);
    }
  }
}

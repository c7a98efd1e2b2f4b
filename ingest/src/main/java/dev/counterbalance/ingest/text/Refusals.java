package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.TraceFormatException;

/** Says why a text cannot be imported. */
final class Refusals {
  private static final String PERF_ADVICE =
      "Print it with: perf script --ns, without other options.";

  private Refusals() {}

  /**
   * Refuses a text without events, or with times that are no times.
   *
   * @param fromZero true if the first time is 0 to the last digit
   */
  static void check(Text text, Skipped skipped, boolean fromZero) throws TraceFormatException {
    if (text.eventCount > 0) {
      if (fromZero && text.dialect == Dialect.PERF) {
        throw refuse(
            text,
            "its times begin at 0, as perf script --reltime and --deltatime print them",
            PERF_ADVICE);
      }
      return;
    }
    if (skipped.timehist) {
      throw refuse(
          text,
          "is the output of perf sched timehist, which holds figures but no events",
          PERF_ADVICE);
    }
    if (skipped.withoutCpu) {
      throw refuse(text, "is the output of perf script without the column of the CPU", PERF_ADVICE);
    }
    if (skipped.bareTimes > 0) {
      throw refuse(
          text,
          "its times are numbers without a unit, of the trace clock counter, uptime or x86-tsc",
          "Record with the trace clock local, global, mono or boot; trace-cmd: without --raw-ts.");
    }
    if (skipped.rawLines > 0) {
      throw refuse(
          text,
          "was read with the ftrace option raw, hex or bin, so that its lines hold no fields",
          "Turn the option off: echo 0 > options/raw, in the tracing directory.");
    }
    if (skipped.functions > 0) {
      throw refuse(
          text,
          "holds calls of functions, but no events",
          "Use the tracer nop and turn on the sched events.");
    }
    if (skipped.samples > 0) {
      throw refuse(
          text, "holds samples, but none of a tracepoint", "Record again with: perf sched record.");
    }
    String tracer = text.notes.tracer;
    if (tracer != null && !tracer.equals("nop") && skipped.unreadable > 0) {
      throw refuse(
          text,
          "is of the ftrace tracer " + tracer + " and holds no event in a readable line",
          "Use the tracer nop and turn on the sched events.");
    }
    String but = skipped.unreadable > 0 ? "; none of its lines reads as one" : "";
    throw refuse(
        text,
        "holds no events at all" + but,
        "Was there any load while it was recorded? Were the sched events turned on?");
  }

  private static TraceFormatException refuse(Text text, String found, String advice) {
    return new TraceFormatException(text.in.name(), -1, found, "", advice);
  }
}

package dev.counterbalance.trace.interval;

import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.Severity;
import java.util.ArrayList;
import java.util.List;

/** Contradictions between events, counted by kind with the time of the first. */
public final class Anomalies {
  private enum Kind {
    MISMATCHED_SWITCH(
        Severity.ERROR,
        "a switch names another prev than the task that ran there: a switch was not recorded",
        "What the CPU did since the last sign of that task is not known and counts as lost."),
    WOKEN_TWICE(
        Severity.ERROR,
        "a task that was woken and has not run since is woken again: its run was not recorded",
        "The first wait is suspect and left out of latency figures."),
    RAN_UNWOKEN(
        Severity.INFO,
        "a task that had blocked ran again without a recorded wake",
        "Normal since Linux 6.12 (delayed dequeue) and for pending signals; its wait is not known."),
    WOKEN_BEFORE_SWITCH_OUT(
        Severity.INFO,
        "a task was woken just before it left its CPU",
        "Its wait is counted from the switch-out."),
    RAN_ON_TWO_CPUS(
        Severity.INFO,
        "a task was switched in on a CPU before it was switched out on another",
        "The clocks of the two disagree; both slices are kept as recorded."),
    INFERRED_MIGRATION(
        Severity.INFO,
        "a task was on another CPU than before, with no sched_migrate_task",
        "The migration is inferred; record sched:sched_migrate_task."),
    SPANS_LOSS(
        Severity.DATA_LOSS,
        "a wait or sleep spanned lost events",
        "It ends where the gap begins, suspect, and is left out of latency figures.");

    final Severity severity;
    final String text;
    final String advice;

    Kind(Severity severity, String text, String advice) {
      this.severity = severity;
      this.text = text;
      this.advice = advice;
    }
  }

  private final long[] counts = new long[Kind.values().length];
  private final long[] firstTs = new long[Kind.values().length];

  void mismatchedSwitch(long tsNs) {
    note(Kind.MISMATCHED_SWITCH, tsNs);
  }

  void wokenTwice(long tsNs) {
    note(Kind.WOKEN_TWICE, tsNs);
  }

  void ranOnTwoCpus(long tsNs) {
    note(Kind.RAN_ON_TWO_CPUS, tsNs);
  }

  void ranUnwoken(long tsNs) {
    note(Kind.RAN_UNWOKEN, tsNs);
  }

  void wokenBeforeSwitchOut(long tsNs) {
    note(Kind.WOKEN_BEFORE_SWITCH_OUT, tsNs);
  }

  void inferredMigration(long tsNs) {
    note(Kind.INFERRED_MIGRATION, tsNs);
  }

  void spansLoss(long tsNs) {
    note(Kind.SPANS_LOSS, tsNs);
  }

  /** How often the kind with that code was met; the code is its name in lower case. */
  public long count(String code) {
    return problems().stream()
        .filter(p -> p.code().equals(code))
        .mapToLong(Problem::count)
        .findFirst()
        .orElse(0);
  }

  /** One problem per kind that was met. */
  public List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      int i = kind.ordinal();
      if (counts[i] > 0) {
        problems.add(
            new Problem(
                kind.severity,
                kind.name().toLowerCase(java.util.Locale.ROOT),
                counts[i],
                -1,
                firstTs[i],
                kind.text,
                kind.advice));
      }
    }
    return problems;
  }

  private void note(Kind kind, long tsNs) {
    if (counts[kind.ordinal()]++ == 0) {
      firstTs[kind.ordinal()] = tsNs;
    }
  }
}

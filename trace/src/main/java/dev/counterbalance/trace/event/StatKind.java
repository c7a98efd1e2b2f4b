package dev.counterbalance.trace.event;

/** The {@code sched_stat_*} tracepoints. */
public enum StatKind {
  RUNTIME,
  WAIT,
  SLEEP,
  IOWAIT,
  BLOCKED
}

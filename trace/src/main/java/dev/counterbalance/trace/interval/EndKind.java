package dev.counterbalance.trace.interval;

/** What ended a slice. */
public enum EndKind {
  /** A {@code sched_switch} with the slice's task as prev: the row carries that switch. */
  SWITCH,
  /** Events of the CPU are missing from here on. */
  LOST,
  /** The next switch on the CPU names another prev: a switch in between was not recorded. */
  MISMATCH,
  /** The recording ended. */
  END
}

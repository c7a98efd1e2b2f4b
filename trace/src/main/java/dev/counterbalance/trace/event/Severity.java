package dev.counterbalance.trace.event;

/** How bad a {@link Problem} is. */
public enum Severity {
  /** Worth knowing; every figure stands. */
  INFO,
  /** Something in the input was wrong and was skipped or repaired. */
  ERROR,
  /** Events are missing; the intervals around the gap are censored. */
  DATA_LOSS
}

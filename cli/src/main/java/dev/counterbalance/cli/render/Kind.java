package dev.counterbalance.cli.render;

/** What a column holds, and so how a person is shown it. */
public enum Kind {
  /** Shown as it is, to the left. */
  TEXT,
  /** A plain number in full, to the right. */
  NUMBER,
  /** A number of things, with thousands separators. */
  COUNT,
  /** Nanoseconds. */
  DURATION,
  /** Nanoseconds since the trace's start. */
  OFFSET,
  /** 0 to 100. */
  PERCENT;

  /** True if the column's cells are aligned at their right ends. */
  public boolean alignsRight() {
    return this != TEXT;
  }
}

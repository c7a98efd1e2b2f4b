package dev.counterbalance.trace.interval;

/** How much a recording knows of a CPU. */
public enum Coverage {
  /** It has events. */
  EVENTS,
  /** It was recorded and has none. */
  SILENT,
  /** The recorder did not cover it. */
  UNRECORDED
}

package dev.counterbalance.trace.event;

/**
 * In which context of the interrupted or running task an event was recorded.
 *
 * <p>Taken from the ftrace {@code common_flags} byte (include/linux/trace_events.h): NMI before
 * hard interrupt before soft interrupt, as the kernel nests them.
 */
public enum EventContext {
  TASK,
  SOFTIRQ,
  HARDIRQ,
  NMI,
  /** The format carries no flags. */
  UNKNOWN;

  private static final int FLAG_HARDIRQ = 0x08;
  private static final int FLAG_SOFTIRQ = 0x10;
  private static final int FLAG_NMI = 0x40;

  /** The context that the {@code common_flags} byte of an ftrace event names. */
  public static EventContext ofCommonFlags(int flags) {
    if ((flags & FLAG_NMI) != 0) {
      return NMI;
    }
    if ((flags & FLAG_HARDIRQ) != 0) {
      return HARDIRQ;
    }
    return (flags & FLAG_SOFTIRQ) != 0 ? SOFTIRQ : TASK;
  }
}

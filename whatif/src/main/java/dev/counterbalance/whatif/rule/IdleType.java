package dev.counterbalance.whatif.rule;

/** In which state a CPU balances (kernel: enum cpu_idle_type). */
public enum IdleType {
  /** Periodic or nohz balance of a CPU that was idle at the tick. */
  IDLE("idle"),
  /** Periodic balance of a busy CPU. */
  NOT_IDLE("busy"),
  /** The CPU is about to go idle. */
  NEWLY_IDLE("newidle");

  /** As /proc/schedstat's readers call it. */
  public final String text;

  IdleType(String text) {
    this.text = text;
  }
}

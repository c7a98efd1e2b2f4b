package dev.counterbalance.whatif.workload;

/** Scheduling policy of a task. */
public enum Policy {
  NORMAL,
  BATCH,
  /** SCHED_IDLE: weight 3 whatever its nice. */
  IDLE,
  FIFO,
  RR;

  /** Whether the task is of the real-time class. */
  public boolean isRealtime() {
    return this == FIFO || this == RR;
  }
}

package dev.counterbalance.whatif.workload;

import dev.counterbalance.trace.kernel.Weights;

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

  /** Weight of a fair task; 0 for real-time tasks, which the balancer's loads leave out. */
  public int weight(int nice) {
    return isRealtime() ? 0 : this == IDLE ? Weights.IDLE_POLICY : Weights.ofNice(nice);
  }
}

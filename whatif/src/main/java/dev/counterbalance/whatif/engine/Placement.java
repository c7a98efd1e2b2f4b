package dev.counterbalance.whatif.engine;

/** Where a task goes when it wakes or is forked: one strategy for each wake_policy and oracle. */
interface Placement {
  /**
   * The CPU for a task that wakes; it still counts to the CPU it slept on.
   *
   * @param waker the CPU that wakes it
   * @param sync whether the waker is about to sleep
   */
  int wake(int task, int waker, boolean sync);

  /** The CPU for a task forked on {@code cpu}. */
  int fork(int task, int cpu);
}

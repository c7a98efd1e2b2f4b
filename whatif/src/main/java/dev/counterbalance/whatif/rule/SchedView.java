package dev.counterbalance.whatif.rule;

import dev.counterbalance.whatif.domain.SchedGroup;

/**
 * What a decision function may read of the run: never written through. Loads are in units of nice-0
 * = 1024, times in ns, tasks are dense ids.
 */
public interface SchedView {
  long nowNs();

  // --- CPUs

  /** Sum of the weights of all fair tasks queued on the CPU, the running one included. */
  long load(int cpu);

  /** cpu_load[slot], 0 to 4: the load as of the last ticks (K36 sched.c update_cpu_load). */
  long loadHistory(int cpu, int slot);

  /** Runnable tasks of all classes on the CPU, the running one included. */
  int nrRunning(int cpu);

  /** Whether the idle task runs there (kernel: idle_cpu). */
  boolean isIdle(int cpu);

  /** The running task, or -1 for the idle task. */
  int running(int cpu);

  /** cpu_power: 1024 for an undisturbed CPU, at least 1. */
  int power(int cpu);

  /** cpu_power of a group as last refreshed by the CPU that balances it. */
  int power(SchedGroup group);

  boolean activeBalancePending(int cpu);

  // --- the fair tasks queued on a CPU, the running one included, newest enqueued first

  /** The task enqueued last on the CPU, or -1. */
  int newestTask(int cpu);

  /** The task enqueued just before {@code task} on the same CPU, or -1. */
  int olderTask(int task);

  // --- tasks

  int weight(int task);

  boolean isIdlePolicy(int task);

  boolean isAllowed(int task, int cpu);

  boolean isRunning(int task);

  /** Whether the task is the next or last buddy of the queue it is on. */
  boolean isBuddy(int task);

  /** When the task last started to run or was last charged. */
  long execStartNs(int task);
}

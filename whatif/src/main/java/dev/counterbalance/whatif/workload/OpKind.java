package dev.counterbalance.whatif.workload;

/**
 * One step of a task's program; {@code arg} and {@code ref} as said. All but RUN and RUN_TIME take
 * no time of the task. Between two of them it can be preempted by what it woke, as in a preemptible
 * kernel; SIGNAL with arg 1 and the operation after it are one step.
 */
public enum OpKind {
  /** Consume {@code arg} ns of work of a full-speed CPU. */
  RUN,
  /**
   * Run until {@code arg} ns from now, however fast the CPU is and however much of it the task gets
   * (rt-app runtime).
   */
  RUN_TIME,
  /** Sleep {@code arg} ns from now. */
  SLEEP,
  /**
   * Sleep until the next point of the timer {@code ref}, whose period is {@code arg} ns. First use
   * starts it: the point is now + period. A task that comes late does not sleep. Timers of the kind
   * TIMER keep their grid (rt-app absolute).
   */
  TIMER,
  /** As TIMER, but a late task starts its grid anew at now (rt-app relative). */
  TIMER_RELATIVE,
  /** Take a token of semaphore {@code ref}, or sleep until one is there; waiters are FIFO. */
  WAIT,
  /**
   * Give a token to semaphore {@code ref}: an edge, at the work offset where this stands. With
   * {@code arg} 1 nothing comes between this and the next operation: how a task lets go of a mutex
   * and waits for a condition.
   */
  SIGNAL,
  /** As SIGNAL, but with the hint that the waker is about to sleep (sync wakeup). */
  SIGNAL_SYNC,
  /**
   * Give a token to every waiter of semaphore {@code ref}, or to the {@code arg} that have waited
   * longest if arg is not 0; nothing is kept if there is none. With arg 1 it is
   * pthread_cond_signal.
   */
  BROADCAST,
  /** sched_yield. */
  YIELD,
  /** Start task {@code ref}: a fork on this CPU. */
  FORK,
  /** Set the affinity to mask {@code ref} of the workload; -1 is "every CPU". */
  AFFINITY,
  /**
   * Set policy and priority: {@code ref} is the ordinal of {@link Policy}, {@code arg} nice or RT
   * priority.
   */
  PRIORITY,
  /**
   * Go back to operation {@code ref} (absolute index), {@code arg} times in all; -1 is for ever.
   */
  LOOP,
  /** The task ends. A program that runs off its end exits too. */
  EXIT
}

package dev.counterbalance.whatif.engine;

/**
 * How the fair tasks of a machine queue: one strategy for each pick_policy and oracle. The running
 * task is counted on its CPU but is not among the waiting ones.
 */
abstract class FairQueues {
  final RunState state;
  private final Speeds speeds;

  FairQueues(RunState state, Speeds speeds) {
    this.state = state;
    this.speeds = speeds;
  }

  /** Brings the books of the CPU's running task, fair or not, up to now (kernel: update_curr). */
  final void charge(int cpu) {
    int task = state.curr[cpu];
    if (task < 0) {
      return;
    }
    long delta = state.nowNs - state.execStart[task];
    if (delta <= 0) {
      return;
    }
    state.execStart[task] = state.nowNs;
    state.sumExec[task] += delta;
    long work = speeds.work(cpu, delta);
    state.remaining[task] -= work;
    if (task < state.workTasks) {
      state.workNs += work;
    }
    if (state.isFair(task)) {
      ran(cpu, task, delta);
    } else {
      state.rtAvg[cpu] += delta;
      state.ageRealtime(cpu);
    }
  }

  /** The CPU's running task has run for {@code delta} ns. */
  abstract void ran(int cpu, int task, long delta);

  /** A sleeping task is about to be woken, before its CPU is chosen (task_waking). */
  abstract void waking(int task);

  /** A new task is placed relative to its parent's CPU, before its own is chosen (task_fork). */
  abstract void forked(int cpu, int task);

  /**
   * Puts a task on the queue of a CPU.
   *
   * @param wakeup whether it comes from sleep; else it is new or comes from another queue
   */
  abstract void enqueue(int cpu, int task, boolean wakeup);

  /**
   * Takes a task off the queue of a CPU.
   *
   * @param sleep whether it goes to sleep; else it moves
   */
  abstract void dequeue(int cpu, int task, boolean sleep);

  /** The task to run next on the CPU, taken out of the waiting ones, or -1. */
  abstract int pick(int cpu);

  /** The CPU's running task goes back to the waiting ones. */
  abstract void putPrevious(int cpu, int task);

  /** Whether a task that was queued on the CPU takes it from the running fair task. */
  abstract boolean preempts(int cpu, int current, int task);

  /** A tick hits a running fair task; whether it should give up the CPU. */
  abstract boolean tick(int cpu, int task);

  /** A running task becomes a fair one. */
  void joined(int cpu, int task) {}

  /** A running task is no fair one any more. */
  void left(int cpu, int task) {}

  /** A waiting task may run on other CPUs than before, or its turn has been taken. */
  void freed(int task) {}
}

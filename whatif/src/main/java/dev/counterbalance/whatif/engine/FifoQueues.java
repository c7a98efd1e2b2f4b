package dev.counterbalance.whatif.engine;

/** Oracle: one queue per CPU, first come, first served, run to completion. */
final class FifoQueues extends FairQueues {
  private final TaskHeap[] waiting;
  private long arrivals;

  FifoQueues(RunState state, Speeds speeds) {
    super(state, speeds);
    waiting = new TaskHeap[state.cpus];
    TaskHeap.Places places = new TaskHeap.Places(state.tasks);
    for (int cpu = 0; cpu < state.cpus; cpu++) {
      waiting[cpu] = new TaskHeap(places);
    }
  }

  @Override
  void ran(int cpu, int task, long delta) {}

  @Override
  void waking(int task) {}

  @Override
  void forked(int cpu, int task) {}

  @Override
  void enqueue(int cpu, int task, boolean wakeup) {
    charge(cpu);
    state.link(cpu, task);
    waiting[cpu].add(task, arrivals++);
  }

  @Override
  void dequeue(int cpu, int task, boolean sleep) {
    charge(cpu);
    if (state.curr[cpu] != task) {
      waiting[cpu].remove(task);
    }
    state.unlink(cpu, task);
  }

  @Override
  int pick(int cpu) {
    int task = waiting[cpu].first();
    if (task >= 0) {
      waiting[cpu].remove(task);
    }
    return task;
  }

  /** Something above took the CPU: the task is the first to get it back. */
  @Override
  void putPrevious(int cpu, int task) {
    charge(cpu);
    waiting[cpu].add(task, -1);
  }

  @Override
  boolean preempts(int cpu, int current, int task) {
    return false;
  }

  @Override
  boolean tick(int cpu, int task) {
    return false;
  }
}

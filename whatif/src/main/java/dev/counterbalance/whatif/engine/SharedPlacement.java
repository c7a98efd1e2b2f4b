package dev.counterbalance.whatif.engine;

/** Oracle: an idle allowed CPU if there is one, the one slept on first; else the task queues. */
final class SharedPlacement implements Placement {
  private final RunState state;

  SharedPlacement(RunState state) {
    this.state = state;
  }

  @Override
  public int wake(int task, int waker, boolean sync) {
    return place(task, state.taskCpu[task]);
  }

  @Override
  public int fork(int task, int cpu) {
    return place(task, cpu);
  }

  private int place(int task, int preferred) {
    boolean preferredWorks =
        state.allowed[task].contains(preferred) && state.active.contains(preferred);
    if (preferredWorks && isFree(preferred)) {
      return preferred;
    }
    int first = -1;
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      if (state.allowed[task].contains(cpu)) {
        if (isFree(cpu)) {
          return cpu;
        }
        first = first < 0 ? cpu : first;
      }
    }
    return preferredWorks ? preferred : first;
  }

  /** Idle, and not given a task at this very time. */
  private boolean isFree(int cpu) {
    return state.curr[cpu] < 0 && state.nrRunning[cpu] == 0;
  }
}

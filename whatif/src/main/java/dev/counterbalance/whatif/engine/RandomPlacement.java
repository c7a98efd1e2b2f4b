package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;

/** Oracle: a random allowed CPU, drawn by (seed, task, how many times before). */
final class RandomPlacement implements Placement {
  private final RunState state;
  private final long seed;
  private final boolean stays;
  private final int[] draws;
  private final CpuSet choice;

  /**
   * @param stays whether a task keeps the CPU that it got when it was forked
   */
  RandomPlacement(RunState state, long seed, boolean stays) {
    this.state = state;
    this.seed = seed;
    this.stays = stays;
    draws = new int[state.tasks];
    choice = new CpuSet(state.cpus);
  }

  @Override
  public int wake(int task, int waker, boolean sync) {
    int previous = state.taskCpu[task];
    boolean usable = state.allowed[task].contains(previous) && state.active.contains(previous);
    return stays && usable ? previous : draw(task);
  }

  @Override
  public int fork(int task, int cpu) {
    return draw(task);
  }

  /** One of the CPUs where the task may run, or -1 if none of them is left. */
  private int draw(int task) {
    choice.set(state.active);
    choice.retain(state.allowed[task]);
    if (choice.isEmpty()) {
      return -1;
    }
    long skip = Keyed.below(choice.size(), seed, Keyed.PLACEMENT, task, draws[task]++);
    int cpu = choice.first();
    for (long i = 0; i < skip; i++) {
      cpu = choice.next(cpu);
    }
    return cpu;
  }
}

package dev.counterbalance.whatif.engine;

/**
 * Event sources by number. At one instant the lower goes first: ends of bursts, then tasks' timers,
 * actions from outside, noise, and ticks last.
 */
final class Sources {
  private final int cpus;
  private final int tasks;

  Sources(RunState state) {
    cpus = state.cpus;
    tasks = state.workTasks;
  }

  int burst(int cpu) {
    return cpu;
  }

  int task(int task) {
    return cpus + task;
  }

  int action() {
    return cpus + tasks;
  }

  int noise(int cpu) {
    return cpus + tasks + 1 + cpu;
  }

  int tick(int cpu) {
    return 2 * cpus + tasks + 1 + cpu;
  }

  int count() {
    return 3 * cpus + tasks + 1;
  }

  boolean isBurst(int source) {
    return source < cpus;
  }

  boolean isTask(int source) {
    return source < cpus + tasks;
  }

  boolean isNoise(int source) {
    return source < tick(0);
  }

  int cpuOfNoise(int source) {
    return source - noise(0);
  }

  int cpuOfTick(int source) {
    return source - tick(0);
  }

  int taskOf(int source) {
    return source - cpus;
  }
}

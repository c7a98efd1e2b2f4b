package dev.counterbalance.whatif.engine;

import java.util.Arrays;

/**
 * Waiting real-time tasks of each CPU, highest priority first, first come within one. The migration
 * threads are the highest of all.
 */
final class RtQueues {
  private final RunState state;
  private final int[][] waiting;
  private final int[] size;

  /** CPUs with a waiting real-time task, all together. */
  private int overloaded;

  RtQueues(RunState state) {
    this.state = state;
    waiting = new int[state.cpus][4];
    size = new int[state.cpus];
  }

  boolean isEmpty(int cpu) {
    return size[cpu] == 0;
  }

  /** Whether any CPU has a waiting real-time task. */
  boolean anyWaiting() {
    return overloaded > 0;
  }

  int size(int cpu) {
    return size[cpu];
  }

  /** The task at a place, 0 to size - 1, highest first. */
  int at(int cpu, int place) {
    return waiting[cpu][place];
  }

  int first(int cpu) {
    return size[cpu] == 0 ? -1 : waiting[cpu][0];
  }

  /**
   * Adds a task.
   *
   * @param head whether it goes before those of its priority: it was preempted
   */
  void add(int cpu, int task, boolean head) {
    int[] queue = waiting[cpu];
    int n = size[cpu]++;
    overloaded += n == 0 ? 1 : 0;
    if (n == queue.length) {
      queue = Arrays.copyOf(queue, n * 2);
      waiting[cpu] = queue;
    }
    int place = n;
    while (place > 0 && isBefore(task, queue[place - 1], head)) {
      queue[place] = queue[place - 1];
      place--;
    }
    queue[place] = task;
  }

  private boolean isBefore(int task, int other, boolean head) {
    return state.prio[task] < state.prio[other] || (head && state.prio[task] == state.prio[other]);
  }

  void remove(int cpu, int task) {
    int[] queue = waiting[cpu];
    int place = 0;
    while (queue[place] != task) {
      place++;
    }
    System.arraycopy(queue, place + 1, queue, place, --size[cpu] - place);
    overloaded -= size[cpu] == 0 ? 1 : 0;
  }

  /** A task that waits on the CPU but may not run there, or -1. */
  int misplaced(int cpu) {
    for (int i = 0; i < size[cpu]; i++) {
      if (!state.allowed[waiting[cpu][i]].contains(cpu)) {
        return waiting[cpu][i];
      }
    }
    return -1;
  }

  /** Whether another of the same priority waits: the round robin goes on. */
  boolean hasEqual(int cpu, int task) {
    return size[cpu] > 0 && state.prio[waiting[cpu][0]] == state.prio[task];
  }

  /**
   * The highest task waiting on another CPU that may run on {@code cpu} and is above {@code prio};
   * -1 if there is none (pull_rt_task).
   */
  int pullable(int cpu, int prio) {
    int best = -1;
    int bestPrio = prio;
    for (int other = state.active.first(); other >= 0; other = state.active.next(other)) {
      for (int i = 0; other != cpu && i < size[other]; i++) {
        int task = waiting[other][i];
        if (state.prio[task] < bestPrio && state.allowed[task].contains(cpu)) {
          best = task;
          bestPrio = state.prio[task];
        }
      }
    }
    return best;
  }
}

package dev.counterbalance.whatif.engine;

import java.util.Arrays;

/**
 * What must hold of a {@link RunState} whenever the engine tells something: counts and loads are
 * what the tasks' states say, lists are whole, no task is in two places, clocks do not go back, and
 * nothing runs outside its affinity for longer than an instant.
 */
final class Invariants {
  private final RunState state;
  private final FairQueues fair;
  private final long[] minVruntime;
  private final int[] nrRunning;
  private final int[] fairNr;
  private final long[] load;

  /** Since when the CPU is offline; -1: it is not. */
  private final long[] offlineSince;

  /** Since when the CPU runs a task that may not run there; -1: it does not. */
  private final long[] outsideSince;

  /** Since when a task waits that could run. */
  private final long[] waitsSince;

  private final boolean realtimeGoesFirst;

  /**
   * @param realtimeGoesFirst whether no real-time task may wait while a CPU does lower work
   */
  Invariants(Simulation simulation, boolean realtimeGoesFirst) {
    this.realtimeGoesFirst = realtimeGoesFirst;
    state = simulation.state();
    fair = simulation.fair();
    waitsSince = new long[state.tasks];
    Arrays.fill(waitsSince, -1);
    minVruntime = new long[state.cpus];
    Arrays.fill(minVruntime, Long.MIN_VALUE);
    nrRunning = new int[state.cpus];
    fairNr = new int[state.cpus];
    load = new long[state.cpus];
    offlineSince = new long[state.cpus];
    Arrays.fill(offlineSince, -1);
    outsideSince = new long[state.cpus];
    Arrays.fill(outsideSince, -1);
  }

  void check() {
    recount();
    checkWaiters();
    for (int cpu = 0; cpu < state.cpus; cpu++) {
      String at = " on CPU " + cpu + " at " + state.nowNs;
      equal("nr_running" + at, state.nrRunning[cpu], nrRunning[cpu]);
      equal("fair tasks" + at, state.fairNr[cpu], fairNr[cpu]);
      equal("load" + at, state.load[cpu], load[cpu]);
      checkList(cpu, at);
      checkCurrent(cpu, at);
      if (fair instanceof Cfs26 cfs) {
        long now = cfs.minVruntime(cpu);
        that(now >= minVruntime[cpu], "min_vruntime goes back" + at);
        minVruntime[cpu] = now;
      }
    }
  }

  private void recount() {
    Arrays.fill(nrRunning, 0);
    Arrays.fill(fairNr, 0);
    Arrays.fill(load, 0);
    for (int cpu = 0; cpu < state.cpus; cpu++) {
      if (state.active.contains(cpu)) {
        offlineSince[cpu] = -1;
      } else if (offlineSince[cpu] < 0) {
        // Its tasks leave it one after the other.
        offlineSince[cpu] = state.nowNs;
      }
    }
    for (int task = 0; task < state.tasks; task++) {
      int cpu = state.taskCpu[task];
      if (state.state[task] == RunState.RUNNING) {
        equal("the running task of CPU " + cpu, state.curr[cpu], task);
      }
      if (!state.isOnQueue(task)) {
        continue;
      }
      that(
          state.active.contains(cpu) || offlineSince[cpu] == state.nowNs,
          "task " + task + " is on the offline CPU " + cpu);
      nrRunning[cpu]++;
      if (state.isFair(task)) {
        fairNr[cpu]++;
        load[cpu] += state.weight[task];
      }
    }
  }

  /**
   * What may hold for an instant, until CPUs have chosen, and no longer: a task waits on an idle
   * CPU; with one queue for all, a task waits while a CPU is idle where it may run; a real-time
   * task waits while a CPU where it may run does lower work. The last is not kept in the kernel,
   * either, when masks change or CPUs come.
   */
  private void checkWaiters() {
    boolean oneQueue = fair instanceof SharedQueue;
    for (int task = 0; task < state.tasks; task++) {
      boolean fairTask = state.isFair(task);
      int better = -1;
      if (state.state[task] == RunState.QUEUED && state.active.contains(state.taskCpu[task])) {
        if (state.curr[state.taskCpu[task]] < 0) {
          better = state.taskCpu[task];
        } else if (fairTask ? oneQueue : realtimeGoesFirst) {
          better = lower(task);
        }
      }
      if (better < 0) {
        waitsSince[task] = -1;
      } else if (waitsSince[task] < 0) {
        waitsSince[task] = state.nowNs;
      } else if (waitsSince[task] < state.nowNs) {
        throw new AssertionError(
            "task " + task + " waits at " + state.nowNs + " but could run on CPU " + better);
      }
    }
  }

  /** A CPU that is idle or, for a real-time task, does lower work. */
  private int lower(int task) {
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      int current = state.curr[cpu];
      boolean lower =
          current < 0 || (!state.isFair(task) && state.prio[current] > state.prio[task]);
      if (lower && state.allowed[task].contains(cpu)) {
        return cpu;
      }
    }
    return -1;
  }

  private void checkList(int cpu, String at) {
    int length = 0;
    int newer = -1;
    for (int task = state.newest[cpu]; task >= 0; task = state.older[task]) {
      that(state.isFair(task) && state.taskCpu[task] == cpu, "a stranger in the list" + at);
      equal("newer of task " + task + at, state.newer[task], newer);
      newer = task;
      that(++length <= state.fairNr[cpu], "the list is too long" + at);
    }
    equal("oldest" + at, state.oldest[cpu], newer);
    equal("length of the list" + at, length, state.fairNr[cpu]);
  }

  private void checkCurrent(int cpu, String at) {
    int task = state.curr[cpu];
    boolean outside = false;
    if (task >= 0) {
      that(state.active.contains(cpu), "an offline CPU runs task " + task + at);
      equal("CPU of task " + task + at, state.taskCpu[task], cpu);
      that(state.state[task] != RunState.QUEUED, "task " + task + " runs and waits" + at);
      outside = state.state[task] == RunState.RUNNING && !state.allowed[task].contains(cpu);
    }
    if (!outside) {
      outsideSince[cpu] = -1;
    } else if (outsideSince[cpu] < 0) {
      outsideSince[cpu] = state.nowNs;
    } else {
      that(outsideSince[cpu] == state.nowNs, "task " + task + " runs outside its affinity" + at);
    }
  }

  private static void equal(String what, long actual, long expected) {
    if (actual != expected) {
      throw new AssertionError(what + ": is " + actual + ", should be " + expected);
    }
  }

  private static void that(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}

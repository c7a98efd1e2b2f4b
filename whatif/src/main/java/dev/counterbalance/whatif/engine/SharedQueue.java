package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.kernel.Weights;
import java.util.Arrays;

/**
 * Oracle: one queue for the whole machine. Either first come, first served and run to completion,
 * or processor sharing: whoever has had least, by weight, runs next, in short quanta. A waiting
 * task is counted on the CPU it was queued from until another takes it.
 */
final class SharedQueue extends FairQueues {
  /** Told when a CPU takes a task that was counted on another. */
  interface Taker {
    void take(int cpu, int task);
  }

  private final boolean sharing;
  private final TaskHeap waiting;
  private final Taker taker;
  private int[] aside = new int[8];
  private long arrivals;
  private long floor;

  SharedQueue(RunState state, Speeds speeds, boolean sharing, Taker taker) {
    super(state, speeds);
    this.sharing = sharing;
    this.taker = taker;
    waiting = new TaskHeap(new TaskHeap.Places(state.tasks));
  }

  @Override
  void ran(int cpu, int task, long delta) {
    if (sharing) {
      state.vruntime[task] += delta * Weights.NICE_0 / state.weight[task];
    }
  }

  @Override
  void waking(int task) {}

  @Override
  void forked(int cpu, int task) {
    state.vruntime[task] = 0;
  }

  @Override
  void enqueue(int cpu, int task, boolean wakeup) {
    charge(cpu);
    state.link(cpu, task);
    if (sharing) {
      raiseFloor();
      state.vruntime[task] = Math.max(state.vruntime[task], floor);
      waiting.add(task, state.vruntime[task]);
    } else {
      waiting.add(task, arrivals++);
    }
    if (state.curr[cpu] >= 0) {
      freed(task);
    }
  }

  /** An idle CPU that may run the task looks for work. */
  @Override
  void freed(int task) {
    offer(task, -1);
  }

  private void offer(int task, int except) {
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      if (state.curr[cpu] < 0
          && cpu != except
          && !state.needResched.contains(cpu)
          && state.allowed[task].contains(cpu)) {
        state.needResched.add(cpu);
        return;
      }
    }
  }

  /** Nobody who comes now may be behind those who are here: the least anyone here has had. */
  private void raiseFloor() {
    long least = waiting.size() > 0 ? waiting.firstKey() : Long.MAX_VALUE;
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      int task = state.fairCurr(cpu);
      if (task >= 0) {
        charge(cpu);
        least = Math.min(least, state.vruntime[task]);
      }
    }
    if (least != Long.MAX_VALUE && least > floor) {
      floor = least;
    }
  }

  @Override
  void dequeue(int cpu, int task, boolean sleep) {
    charge(cpu);
    if (state.curr[cpu] != task) {
      waiting.remove(task);
    }
    state.unlink(cpu, task);
  }

  @Override
  int pick(int cpu) {
    int skipped = 0;
    int task = waiting.first();
    while (task >= 0 && !state.allowed[task].contains(cpu)) {
      waiting.remove(task);
      if (skipped == aside.length) {
        aside = Arrays.copyOf(aside, skipped * 2);
      }
      aside[skipped++] = task;
      task = waiting.first();
    }
    if (task >= 0) {
      waiting.remove(task);
    }
    for (int i = 0; i < skipped; i++) {
      waiting.add(aside[i], key(aside[i]));
    }
    if (task >= 0 && state.taskCpu[task] != cpu) {
      taker.take(cpu, task);
    }
    for (int i = 0; i < waiting.size() && isAnyIdle(cpu); i++) {
      // The CPU that was to take it may have taken another that came first.
      offer(waiting.at(i), cpu);
    }
    return task;
  }

  /** Whether a CPU other than that one is idle and is not about to look for work. */
  private boolean isAnyIdle(int except) {
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      if (state.curr[cpu] < 0 && cpu != except && !state.needResched.contains(cpu)) {
        return true;
      }
    }
    return false;
  }

  private long key(int task) {
    return sharing ? state.vruntime[task] : waiting.key(task);
  }

  @Override
  void putPrevious(int cpu, int task) {
    charge(cpu);
    waiting.add(task, sharing ? state.vruntime[task] : -1);
    freed(task);
  }

  @Override
  boolean preempts(int cpu, int current, int task) {
    return false;
  }

  @Override
  boolean tick(int cpu, int task) {
    return sharing && waiting.size() > 0 && waiting.firstKey() < state.vruntime[task];
  }
}

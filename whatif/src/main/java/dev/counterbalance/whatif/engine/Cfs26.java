package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.kernel.Weights;
import dev.counterbalance.whatif.rule.Switches;
import dev.counterbalance.whatif.rule.Tunables;
import dev.counterbalance.whatif.workload.Policy;

/**
 * One CFS runqueue per CPU as Linux 2.6.36 has it: kernel-rules section 2.3 (kernel/sched_fair.c).
 * Vruntimes are ns of a nice-0 task; that of a task which is on no queue, or between two, is
 * relative to the min_vruntime of the queue it left.
 */
final class Cfs26 extends FairQueues {
  /** Number of tasks beyond which the period grows, sched_latency / sched_min_granularity. */
  private static final int NR_LATENCY = 8;

  private final TaskHeap[] waiting;
  private final long[] minVruntime;
  private final long latency;
  private final long minGranularity;
  private final long wakeupGranularity;
  private final boolean unsignedLag;

  Cfs26(RunState state, Speeds speeds, Switches switches, Tunables tunables) {
    super(state, speeds);
    latency = tunables.get("sched_latency");
    minGranularity = tunables.get("min_granularity");
    wakeupGranularity = tunables.get("wakeup_granularity");
    unsignedLag = switches.on("tick_lag_unsigned");
    minVruntime = new long[state.cpus];
    waiting = new TaskHeap[state.cpus];
    TaskHeap.Places places = new TaskHeap.Places(state.tasks);
    for (int cpu = 0; cpu < state.cpus; cpu++) {
      waiting[cpu] = new TaskHeap(places);
    }
  }

  /** The queue's clock: it never goes back. */
  long minVruntime(int cpu) {
    return minVruntime[cpu];
  }

  @Override
  void ran(int cpu, int task, long delta) {
    state.vruntime[task] += scaled(delta, state.weight[task]);
    updateMinVruntime(cpu, task);
  }

  private static long scaled(long delta, int weight) {
    return weight == Weights.NICE_0 ? delta : delta * Weights.NICE_0 / weight;
  }

  private void updateMinVruntime(int cpu, int current) {
    TaskHeap heap = waiting[cpu];
    long candidate = minVruntime[cpu];
    if (current >= 0) {
      candidate = state.vruntime[current];
    }
    if (heap.size() > 0) {
      long first = heap.firstKey();
      candidate = current < 0 || first - candidate < 0 ? first : candidate;
    }
    if (candidate - minVruntime[cpu] > 0) {
      minVruntime[cpu] = candidate;
    }
  }

  @Override
  void waking(int task) {
    state.vruntime[task] -= minVruntime[state.taskCpu[task]];
  }

  @Override
  void forked(int cpu, int task) {
    charge(cpu);
    int current = state.fairCurr(cpu);
    state.vruntime[task] = current >= 0 ? state.vruntime[current] : 0;
    long start = minVruntime[cpu] + vslice(cpu, task);
    if (current < 0 || start - state.vruntime[task] > 0) {
      state.vruntime[task] = start;
    }
    state.vruntime[task] -= minVruntime[cpu];
  }

  /** What a task that is not queued yet would run for, in its own vruntime. */
  private long vslice(int cpu, int task) {
    int weight = state.weight[task];
    long slice = period(state.fairNr[cpu] + 1) * weight / (state.load[cpu] + weight);
    return scaled(slice, weight);
  }

  private long period(int tasks) {
    return tasks > NR_LATENCY ? minGranularity * tasks : latency;
  }

  /** The share of the period that a queued task gets; ns of the CPU. */
  long slice(int cpu, int task) {
    return period(state.fairNr[cpu]) * state.weight[task] / state.load[cpu];
  }

  @Override
  void joined(int cpu, int task) {
    state.vruntime[task] += minVruntime[cpu];
  }

  @Override
  void left(int cpu, int task) {
    state.vruntime[task] -= minVruntime[cpu];
  }

  @Override
  void enqueue(int cpu, int task, boolean wakeup) {
    state.vruntime[task] += minVruntime[cpu];
    charge(cpu);
    state.link(cpu, task);
    if (wakeup) {
      long earliest = minVruntime[cpu] - (latency >> 1);
      if (earliest - state.vruntime[task] > 0) {
        state.vruntime[task] = earliest;
      }
    }
    waiting[cpu].add(task, state.vruntime[task]);
  }

  @Override
  void dequeue(int cpu, int task, boolean sleep) {
    charge(cpu);
    if (state.last[cpu] == task) {
      state.last[cpu] = -1;
    }
    if (state.curr[cpu] != task) {
      waiting[cpu].remove(task);
    }
    state.unlink(cpu, task);
    updateMinVruntime(cpu, state.fairCurr(cpu));
    if (!sleep) {
      state.vruntime[task] -= minVruntime[cpu];
    }
  }

  @Override
  int pick(int cpu) {
    TaskHeap heap = waiting[cpu];
    int leftmost = heap.first();
    if (leftmost < 0) {
      return -1;
    }
    int task = leftmost;
    int buddy = state.last[cpu];
    if (buddy >= 0 && buddy != leftmost && compare(buddy, leftmost) < 1) {
      task = buddy;
    }
    if (state.last[cpu] == task) {
      state.last[cpu] = -1;
    }
    heap.remove(task);
    return task;
  }

  @Override
  void putPrevious(int cpu, int task) {
    charge(cpu);
    waiting[cpu].add(task, state.vruntime[task]);
  }

  /**
   * How far {@code current} is ahead of {@code other}: -1 not at all, 0 within the other's wakeup
   * granularity, 1 beyond it (wakeup_preempt_entity).
   */
  private int compare(int current, int other) {
    long difference = state.vruntime[current] - state.vruntime[other];
    if (difference <= 0) {
      return -1;
    }
    return difference > scaled(wakeupGranularity, state.weight[other]) ? 1 : 0;
  }

  @Override
  boolean preempts(int cpu, int current, int task) {
    if (state.needResched.contains(cpu) || state.policy[task] != Policy.NORMAL) {
      return false;
    }
    boolean many = state.fairNr[cpu] >= NR_LATENCY;
    if (state.policy[current] == Policy.IDLE) {
      return true;
    }
    charge(cpu);
    if (compare(current, task) != 1) {
      return false;
    }
    if (many && state.isOnQueue(current)) {
      state.last[cpu] = current;
    }
    return true;
  }

  @Override
  boolean tick(int cpu, int task) {
    if (state.fairNr[cpu] < 2) {
      return false;
    }
    long slice = slice(cpu, task);
    long ran = state.sumExec[task] - state.prevSumExec[task];
    if (ran > slice) {
      if (state.last[cpu] == task) {
        state.last[cpu] = -1;
      }
      return true;
    }
    if (ran < minGranularity || waiting[cpu].size() == 0) {
      return false;
    }
    long lag = state.vruntime[task] - waiting[cpu].firstKey();
    return unsignedLag ? Long.compareUnsigned(lag, slice) > 0 : lag > slice;
  }
}

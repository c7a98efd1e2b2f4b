package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.Tunables;
import dev.counterbalance.whatif.workload.Policy;

/**
 * The timer tick of each CPU and what hangs on it: load history, the running task's slice, periodic
 * balance, and which idle CPU balances for those whose tick has stopped. Kernel-rules sections 0.5,
 * 2.4, 2.12 and 2.13 (kernel/sched.c scheduler_tick, kernel/sched_fair.c nohz_balancer_kick).
 *
 * <p>With the tunable idleTick an idle CPU takes one more tick before its tick stops, as pending
 * RCU work makes it do, so that the balancer knows it as idle. Without, the tick stops at once, and
 * idle_at_tick says what the CPU was at its last tick.
 */
final class Ticks {
  /** SCHED_RR's slice, counted in ticks (kernel/sched_rt.c DEF_TIMESLICE, task_tick_rt). */
  private static final long ROUND_ROBIN_NS = 100_000_000;

  private static final int FACTOR_BITS = 7;

  private final RunState state;
  private final EventQueue queue;
  private final int firstSource;
  private final Jiffies jiffies;
  private final long periodNs;
  private final long roundRobinTicks;
  private final long[] phase;
  private final boolean stopsWhenIdle;
  private final boolean stopsAtOnce;
  private final boolean running;
  private FairQueues fair;
  private RtQueues realtime;
  private Balancing balancing;

  // NOHZ.
  private final CpuSet stopped;
  private final boolean[] kicked;
  private int owner = -1;
  private int firstPick = -1;
  private int secondPick = -1;
  private long nextNohzBalance;

  /** Factors of 2^-7 that 2^i missed ticks leave of cpu_load[slot]; [slot][i]. */
  private final int[][] missedFactors = new int[RunState.LOAD_SLOTS][FACTOR_BITS];

  /**
   * @param firstSource event source of CPU 0's tick
   * @param tickNs time between ticks, 0: there are none; the CPU takes each or, with {@code
   *     tickEvery}, one of several
   */
  Ticks(
      SimSpec spec,
      RunState state,
      EventQueue queue,
      int firstSource,
      Jiffies jiffies,
      long tickNs) {
    this.state = state;
    this.queue = queue;
    this.firstSource = firstSource;
    this.jiffies = jiffies;
    Tunables tunables = spec.tunables();
    periodNs = tickNs * tunables.get("tickEvery");
    running = periodNs > 0;
    roundRobinTicks = running ? ROUND_ROBIN_NS / tickNs : 0;
    stopsWhenIdle = tunables.get("nohz") != 0;
    stopsAtOnce = stopsWhenIdle && tunables.get("idleTick") == 0;
    phase = new long[state.cpus];
    if (running && tunables.get("tickSkew") != 0) {
      for (int cpu = 0; cpu < state.cpus; cpu++) {
        phase[cpu] = Keyed.below(periodNs, spec.seed(), Keyed.TICK_PHASE, cpu, 0);
      }
    }
    stopped = new CpuSet(state.cpus);
    kicked = new boolean[state.cpus];
    for (int slot = 1; slot < RunState.LOAD_SLOTS; slot++) {
      double kept = 1 - 1.0 / (1 << slot);
      for (int i = 0; i < FACTOR_BITS; i++) {
        missedFactors[slot][i] = (int) (StrictMath.pow(kept, 1 << i) * (1 << FACTOR_BITS));
      }
    }
  }

  void join(FairQueues newFair, RtQueues newRealtime, Balancing newBalancing) {
    fair = newFair;
    realtime = newRealtime;
    balancing = newBalancing;
  }

  /** At the start every CPU is idle, and its tick has stopped long ago. */
  void start() {
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      online(cpu);
    }
  }

  void online(int cpu) {
    if (!running) {
      return;
    }
    state.idleAtTick[cpu] = true;
    if (stopsWhenIdle) {
      stop(cpu);
    } else {
      queue.set(firstSource + cpu, nextTick(cpu));
    }
  }

  void offline(int cpu) {
    leaveIdle(cpu);
    forgetPick(cpu);
    queue.cancel(firstSource + cpu);
  }

  private long nextTick(int cpu) {
    long since = state.nowNs - phase[cpu];
    long next = since < 0 ? 0 : since / periodNs + 1;
    return phase[cpu] + next * periodNs;
  }

  /** The CPU switched; its tick starts again when it leaves idle. */
  void switched(int cpu, int previous, int next) {
    if (!running) {
      return;
    }
    if (next < 0 && stopsAtOnce) {
      stop(cpu);
    }
    if (previous >= 0 || next < 0) {
      return;
    }
    leaveIdle(cpu);
    if (!queue.isPending(firstSource + cpu)) {
      queue.set(firstSource + cpu, nextTick(cpu));
    }
  }

  /** The CPU's timer tick. */
  void tick(int cpu) {
    int current = state.curr[cpu];
    if (balancing == null) {
      quantum(cpu, current);
      return;
    }
    updateLoad(cpu);
    if (current >= 0) {
      taskTick(cpu, current);
    }
    boolean idle = current < 0;
    state.idleAtTick[cpu] = idle;
    if (state.domains.of(cpu).length > 0) {
      if (jiffies.now() >= state.nextBalance[cpu]) {
        balancing.periodic(cpu, idle ? IdleType.IDLE : IdleType.NOT_IDLE);
        if (idle && kicked[cpu]) {
          balanceForStopped(cpu);
        }
      } else if (stopsWhenIdle && isKickNeeded(cpu)) {
        kick();
      }
    }
    if (idle && stopsWhenIdle && !state.needResched.contains(cpu)) {
      stop(cpu);
    } else {
      queue.set(firstSource + cpu, state.nowNs + periodNs);
    }
  }

  /** A tick of a rule that never balances. */
  private void quantum(int cpu, int current) {
    if (current < 0) {
      return;
    }
    taskTick(cpu, current);
    queue.set(firstSource + cpu, state.nowNs + periodNs);
  }

  private void taskTick(int cpu, int task) {
    fair.charge(cpu);
    if (state.isFair(task)) {
      if (fair.tick(cpu, task)) {
        state.needResched.add(cpu);
      }
    } else if (state.policy[task] == Policy.RR && ++state.sliceTicks[task] >= roundRobinTicks) {
      state.sliceTicks[task] = 0;
      if (realtime.hasEqual(cpu, task)) {
        state.toTail[cpu] = true;
        state.needResched.add(cpu);
      }
    }
  }

  // --- Load history

  /** Takes the CPU's load into its history, once a tick (update_cpu_load). */
  private void updateLoad(int cpu) {
    long now = jiffies.now();
    long missed = now - state.loadTick[cpu] - 1;
    if (missed < 0) {
      return;
    }
    state.loadTick[cpu] = now;
    long load = state.load[cpu];
    int base = cpu * RunState.LOAD_SLOTS;
    state.cpuLoad[base] = load;
    for (int slot = 1; slot < RunState.LOAD_SLOTS; slot++) {
      int scale = 1 << slot;
      long old = decayed(state.cpuLoad[base + slot], missed, slot);
      long fresh = load > old ? load + scale - 1 : load;
      state.cpuLoad[base + slot] = (old * (scale - 1) + fresh) >> slot;
    }
  }

  /** What is left of a slot's load after ticks that were not taken (decay_load_missed). */
  private long decayed(long load, long missed, int slot) {
    if (missed == 0 || load == 0) {
      return load;
    }
    long gone = slot == 1 ? 8 : 8L << slot;
    if (missed >= gone) {
      return 0;
    }
    if (slot == 1) {
      return load >> missed;
    }
    long left = load;
    for (int i = 0; missed >> i != 0; i++) {
      if (((missed >> i) & 1) != 0) {
        left = (left * missedFactors[slot][i]) >> FACTOR_BITS;
      }
    }
    return left;
  }

  // --- NOHZ idle balance

  private void stop(int cpu) {
    queue.cancel(firstSource + cpu);
    stopped.add(cpu);
    forgetPick(cpu);
    if (owner < 0) {
      owner = cpu;
    }
  }

  private void leaveIdle(int cpu) {
    stopped.remove(cpu);
    if (owner == cpu) {
      owner = -1;
    }
  }

  private void forgetPick(int cpu) {
    if (firstPick == cpu) {
      firstPick = -1;
    }
    if (secondPick == cpu) {
      secondPick = -1;
    }
  }

  private boolean isKickNeeded(int cpu) {
    if (jiffies.now() < nextNohzBalance || state.idleAtTick[cpu]) {
      return false;
    }
    if (firstPick < 0 || firstPick == cpu) {
      firstPick = cpu;
      if (secondPick == cpu) {
        secondPick = -1;
      }
      return state.nrRunning[cpu] > 1;
    }
    if (secondPick < 0 || secondPick == cpu) {
      secondPick = cpu;
      return state.nrRunning[cpu] > 0;
    }
    return false;
  }

  private void kick() {
    nextNohzBalance++;
    int target = owner >= 0 ? owner : stopped.first();
    if (target >= 0 && !kicked[target]) {
      kicked[target] = true;
      boolean idle = state.idleAtTick[target];
      balancing.periodic(target, idle ? IdleType.IDLE : IdleType.NOT_IDLE);
      if (idle) {
        balanceForStopped(target);
      }
    }
  }

  /** A kicked CPU balances for every idle CPU whose tick has stopped (nohz_idle_balance). */
  private void balanceForStopped(int target) {
    for (int cpu = stopped.first(); cpu >= 0; cpu = stopped.next(cpu)) {
      if (cpu == target) {
        continue;
      }
      if (state.needResched.contains(target)) {
        break;
      }
      updateLoad(target);
      balancing.periodic(cpu, IdleType.IDLE);
      if (state.nextBalance[target] > state.nextBalance[cpu]) {
        state.nextBalance[target] = state.nextBalance[cpu];
      }
    }
    nextNohzBalance = state.nextBalance[target];
    kicked[target] = false;
  }
}

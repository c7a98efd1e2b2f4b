package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.rule.Tunables;
import java.util.Arrays;
import java.util.List;

/**
 * How fast a CPU works: its capacity times the SMT factor for the number of busy threads of its
 * core. In units of 2^-20 of a full-speed CPU.
 */
final class Speeds {
  private static final int BITS = 20;
  private static final long FULL = 1L << BITS;
  private static final int FULL_CAPACITY = 1024;
  private static final double PPM = 1e6;

  private final int[] coreOf;
  private final int[][] threads;
  private final int[] busy;
  private final long[] capacity;
  private final long[] smtFactor;
  private final boolean[] shared;

  Speeds(Machine machine, int cpus, Tunables tunables) {
    coreOf = new int[cpus];
    capacity = new long[cpus];
    int[] count = new int[cpus];
    List<Machine.Cpu> all = machine.cpus();
    for (int cpu = 0; cpu < cpus; cpu++) {
      int core = cpu < all.size() ? all.get(cpu).coreId : -1;
      coreOf[cpu] = core < 0 || core >= cpus ? cpu : core;
      int given = cpu < all.size() ? all.get(cpu).capacity : -1;
      capacity[cpu] = given <= 0 ? FULL : given * FULL / FULL_CAPACITY;
      count[coreOf[cpu]]++;
    }
    threads = new int[cpus][];
    int widest = 1;
    for (int core = 0; core < cpus; core++) {
      threads[core] = new int[count[core]];
      widest = Math.max(widest, count[core]);
    }
    int[] filled = new int[cpus];
    for (int cpu = 0; cpu < cpus; cpu++) {
      int core = coreOf[cpu];
      threads[core][filled[core]++] = cpu;
    }
    busy = new int[cpus];
    smtFactor = new long[widest + 1];
    Arrays.fill(smtFactor, FULL);
    for (int n = 2; n <= widest; n++) {
      smtFactor[n] = Math.round(tunables.get("smtThroughput[" + n + "]") / PPM * FULL);
    }
    shared = new boolean[cpus];
    for (int cpu = 0; cpu < cpus; cpu++) {
      shared[cpu] = threads[coreOf[cpu]].length > 1;
    }
  }

  /** Whether the CPU's speed depends on its siblings. */
  boolean isShared(int cpu) {
    return shared[cpu];
  }

  /** The threads of the CPU's core, itself included. */
  int[] siblings(int cpu) {
    return threads[coreOf[cpu]];
  }

  void setBusy(int cpu, boolean isBusy) {
    busy[coreOf[cpu]] += isBusy ? 1 : -1;
  }

  private long speed(int cpu) {
    long smt = smtFactor[Math.max(1, busy[coreOf[cpu]])];
    return smt == FULL ? capacity[cpu] : (capacity[cpu] * smt) >> BITS;
  }

  /** Work done in {@code ns} of the CPU. */
  long work(int cpu, long ns) {
    long speed = speed(cpu);
    // A run is shorter than 2^43 ns, two hours.
    return speed == FULL ? ns : (ns * speed) >> BITS;
  }

  /** Time the CPU needs for {@code work}, rounded up. */
  long time(int cpu, long work) {
    long speed = speed(cpu);
    if (speed == FULL) {
      return work;
    }
    return work < 1L << 42 ? ((work << BITS) + speed - 1) / speed : Long.MAX_VALUE / 4;
  }
}

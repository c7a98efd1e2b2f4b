package dev.counterbalance.whatif.engine;

import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.rule.IdleType;

/**
 * The counters of /proc/schedstat (version 15, kernel/sched_stats.h of 2.6.36), as a run counts
 * them.
 */
public final class Schedstat {
  /** Counters of a domain, once for each {@link IdleType}. */
  public enum Balance {
    LB_COUNT,
    LB_BALANCED,
    LB_FAILED,
    LB_IMBALANCE,
    LB_GAINED,
    LB_HOT_GAINED,
    LB_NOBUSYQ,
    LB_NOBUSYG
  }

  /** Counters of a domain. */
  public enum Domain {
    ALB_COUNT,
    ALB_FAILED,
    ALB_PUSHED,
    SBE_COUNT,
    SBE_BALANCED,
    SBE_PUSHED,
    SBF_COUNT,
    SBF_BALANCED,
    SBF_PUSHED,
    TTWU_WAKE_REMOTE,
    TTWU_MOVE_AFFINE,
    TTWU_MOVE_BALANCE
  }

  /** Counters of a CPU; times in ns. */
  public enum Cpu {
    YLD_COUNT,
    SCHED_COUNT,
    SCHED_GOIDLE,
    TTWU_COUNT,
    TTWU_LOCAL,
    RQ_CPU_TIME,
    RUN_DELAY,
    PCOUNT
  }

  private static final int IDLE_TYPES = 3;

  private final long[] balance;
  private final long[] domain;
  private final long[] cpu;

  Schedstat(int domains, int cpus) {
    balance = new long[domains * IDLE_TYPES * Balance.values().length];
    domain = new long[domains * Domain.values().length];
    cpu = new long[cpus * Cpu.values().length];
  }

  void add(SchedDomain of, IdleType idle, Balance counter, long amount) {
    balance[index(of, idle, counter)] += amount;
  }

  void add(SchedDomain of, Domain counter, long amount) {
    domain[of.id * Domain.values().length + counter.ordinal()] += amount;
  }

  void add(int of, Cpu counter, long amount) {
    cpu[of * Cpu.values().length + counter.ordinal()] += amount;
  }

  public long get(SchedDomain of, IdleType idle, Balance counter) {
    return balance[index(of, idle, counter)];
  }

  public long get(SchedDomain of, Domain counter) {
    return domain[of.id * Domain.values().length + counter.ordinal()];
  }

  public long get(int of, Cpu counter) {
    return cpu[of * Cpu.values().length + counter.ordinal()];
  }

  private static int index(SchedDomain of, IdleType idle, Balance counter) {
    return (of.id * IDLE_TYPES + idle.ordinal()) * Balance.values().length + counter.ordinal();
  }
}

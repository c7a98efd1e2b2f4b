package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;

/**
 * One group of a domain: what load balancing compares. Shared by every domain of the same level
 * that has a group of the same CPUs. Its power changes during a run and lives in the run's state,
 * by {@link #id}.
 */
public final class SchedGroup {
  /** Dense over the machine. */
  public final int id;

  /** The CPUs, ascending. */
  public final int[] cpus;

  public final CpuSet mask;

  /** Capacity without real-time load, 1024 = one CPU (kernel: cpu_power, cpu_power_orig). */
  public final int power;

  /**
   * The CPUs that may balance for the group. All of them, but where groups may overlap (NUMA, 5.3
   * and later): those whose own child domain is the group.
   */
  public final CpuSet balanceMask;

  SchedGroup(int id, CpuSet mask, CpuSet balanceMask, int power) {
    this.id = id;
    this.mask = mask;
    this.balanceMask = balanceMask;
    this.cpus = mask.toArray();
    this.power = power;
  }

  /** group_balance_cpu: the first CPU that may balance for the group. */
  public int balanceCpu() {
    return balanceMask.first();
  }

  @Override
  public String toString() {
    return "{" + mask + "}";
  }
}

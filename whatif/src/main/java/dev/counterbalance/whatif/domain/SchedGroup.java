package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;

/**
 * One group of a domain: what load balancing compares. Shared by every CPU whose domain has the
 * same span. Its power changes during a run and lives in the run's state, by {@link #id}.
 */
public final class SchedGroup {
  /** Dense over the machine. */
  public final int id;

  /** The CPUs, ascending. */
  public final int[] cpus;

  public final CpuSet mask;

  /** Capacity without real-time load, 1024 = one CPU (kernel: cpu_power, cpu_power_orig). */
  public final int power;

  SchedGroup(int id, CpuSet mask, int power) {
    this.id = id;
    this.mask = mask;
    this.cpus = mask.toArray();
    this.power = power;
  }

  @Override
  public String toString() {
    return "{" + mask + "}";
  }
}

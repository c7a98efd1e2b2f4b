package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;

/** The domains of every CPU of a machine, as one kernel generation builds them. */
public final class SchedDomains {
  private final SchedDomain[][] perCpu;
  private final SchedGroup[] groups;
  private final SchedDomain[] all;
  private final CpuSet active;

  SchedDomains(SchedDomain[][] perCpu, SchedGroup[] groups, SchedDomain[] all, CpuSet active) {
    this.perCpu = perCpu;
    this.groups = groups;
    this.all = all;
    this.active = active;
  }

  /** CPUs of the machine, offline ones included. */
  public int cpus() {
    return perCpu.length;
  }

  /** The domains of a CPU from the lowest up; none for an isolated or offline CPU. */
  public SchedDomain[] of(int cpu) {
    return perCpu[cpu];
  }

  /** Every domain, by id. */
  public SchedDomain[] all() {
    return all;
  }

  /** Every group, by id. */
  public SchedGroup[] groups() {
    return groups;
  }

  /** The CPUs that are online, isolated ones included. */
  public CpuSet active() {
    return active;
  }
}

package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;

/**
 * One sched domain of one CPU, unchanging: span, groups and parameters. What changes during a run
 * (balance_interval, last_balance, nr_balance_failed) lives in the run's state, by {@link #id}.
 */
public final class SchedDomain {
  /** Dense over all CPUs and levels. */
  public final int id;

  public final int cpu;

  /** 0 is the lowest level that this CPU has. */
  public final int level;

  /** The kernel's name of the level: SMT, MC, CPU, NODE, ALLNODES, DIE, PKG, NUMA. */
  public final String name;

  public final CpuSet span;

  /** The groups, the one that holds {@link #cpu} first, then on around the ring. */
  public final SchedGroup[] groups;

  public final DomainParams params;

  /** Null at the bottom and at the top. Set once, when the domains are built. */
  SchedDomain child;

  SchedDomain parent;

  SchedDomain(
      int id,
      int cpu,
      int level,
      String name,
      CpuSet span,
      SchedGroup[] groups,
      DomainParams params) {
    this.id = id;
    this.cpu = cpu;
    this.level = level;
    this.name = name;
    this.span = span;
    this.groups = groups;
    this.params = params;
  }

  public SchedDomain child() {
    return child;
  }

  public SchedDomain parent() {
    return parent;
  }

  @Override
  public String toString() {
    return name + "[" + span + "]";
  }
}

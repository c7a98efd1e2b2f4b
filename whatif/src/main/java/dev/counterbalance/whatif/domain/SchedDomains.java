package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.ArrayList;
import java.util.List;

/** The domains of every CPU of a machine, as one kernel generation builds them. */
public final class SchedDomains {
  private final SchedDomain[][] perCpu;
  private final SchedGroup[] groups;
  private final SchedDomain[] all;
  private final CpuSet active;
  private final int[] power;

  SchedDomains(
      SchedDomain[][] perCpu, SchedGroup[] groups, SchedDomain[] all, CpuSet active, int[] power) {
    this.perCpu = perCpu;
    this.groups = groups;
    this.all = all;
    this.active = active;
    this.power = power;
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

  /** Capacity of a CPU without real-time load, 1024 = one undisturbed CPU of full speed. */
  public int power(int cpu) {
    return power[cpu];
  }

  /** The names of the levels that any CPU has, from the lowest up. */
  public List<String> levelNames() {
    List<String> names = new ArrayList<>();
    for (SchedDomain[] domains : perCpu) {
      int at = 0;
      for (SchedDomain domain : domains) {
        int known = names.indexOf(domain.name);
        if (known < 0) {
          names.add(at++, domain.name);
        } else {
          at = known + 1;
        }
      }
    }
    return names;
  }
}

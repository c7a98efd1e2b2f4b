package dev.counterbalance.whatif.engine;

import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedGroup;

/**
 * cpu_power as 2.6.36 keeps it: what real-time tasks leave of a CPU, summed up the levels by the
 * CPU that balances a group (kernel/sched_fair.c update_cpu_power, update_group_power,
 * scale_rt_power).
 */
final class Powers {
  private static final int POWER_BITS = 10;

  private final RunState state;

  Powers(RunState state) {
    this.state = state;
  }

  /** Refreshes the power of the local group of a domain. */
  void refresh(SchedDomain domain) {
    SchedGroup local = domain.groups[0];
    SchedDomain child = domain.child();
    if (child == null) {
      int power = cpuPower(domain.cpu, local.power);
      state.power[domain.cpu] = power;
      state.groupPower[local.id] = power;
      return;
    }
    int sum = 0;
    for (SchedGroup group : child.groups) {
      sum += state.groupPower[group.id];
    }
    state.groupPower[local.id] = sum;
  }

  private int cpuPower(int cpu, int undisturbed) {
    state.ageRealtime(cpu);
    if (state.rtAvg[cpu] == 0) {
      return undisturbed;
    }
    long total = RunState.RT_PERIOD_NS + state.nowNs - state.rtAgeStamp[cpu];
    long available = Math.max(0, total - state.rtAvg[cpu]);
    long scale = available / (total >> POWER_BITS);
    return (int) Math.max(1, (undisturbed * scale) >> POWER_BITS);
  }
}

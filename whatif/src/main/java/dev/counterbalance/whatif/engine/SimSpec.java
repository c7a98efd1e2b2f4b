package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.Switches;
import dev.counterbalance.whatif.rule.Tunables;
import dev.counterbalance.whatif.workload.Workload;

/**
 * All that decides a run. Equal specs give equal runs, event for event.
 *
 * @param oracle null, or the oracle rule that takes the place of the kernel's: global-fifo,
 *     static-split, processor-sharing, no-balance, random-placement
 * @param balancer the decision functions of the rule's lb_algorithm
 * @param horizonNs when the run ends at the latest, ns since its start
 * @param seed of tick phases, background noise and random placement
 */
public record SimSpec(
    Workload workload,
    Machine machine,
    SchedDomains domains,
    Switches switches,
    Tunables tunables,
    LoadBalancer balancer,
    String oracle,
    long horizonNs,
    long seed) {

  /**
   * The affinity of a task that sets none: what init leaves its children under isolcpus=, every CPU
   * that is not isolated (kernel/sched.c sched_init_smp); all if every CPU is.
   */
  public static CpuSet inheritedAffinity(Machine machine, int cpus) {
    CpuSet inherited = CpuSet.all(cpus);
    for (Machine.Cpu cpu : machine.cpus()) {
      if (cpu.isolated) {
        inherited.remove(cpu.cpu);
      }
    }
    return inherited.isEmpty() ? CpuSet.all(cpus) : inherited;
  }
}

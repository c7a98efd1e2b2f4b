package dev.counterbalance.whatif.rule;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedGroup;

/**
 * The decisions of one load balance attempt. Pure: reads the view, writes only the {@link
 * Selection} it is given. The engine carries out what is decided, walks the queues and keeps the
 * counters.
 */
public interface LoadBalancer {
  /**
   * The one CPU that may balance this domain's local group outside of newidle (K36: the group's
   * first idle CPU, else its first).
   *
   * @param cpus the CPUs still considered
   */
  int balancer(SchedView view, SchedDomain domain, CpuSet cpus);

  /**
   * find_busiest_group: fills {@code out}. {@code out.busiest} is null if balanced.
   *
   * @param cpu the CPU that balances
   * @param cpus the CPUs still considered
   */
  void select(
      SchedView view, SchedDomain domain, int cpu, IdleType idle, CpuSet cpus, Selection out);

  /** find_busiest_queue: the CPU to pull from, or -1. */
  int busiestQueue(
      SchedView view,
      SchedDomain domain,
      SchedGroup group,
      long amount,
      IdleType idle,
      CpuSet cpus);

  /**
   * Whether the task's cache is hot there, so that it should stay (K36 task_hot).
   *
   * @param executingCpu the CPU that runs the balancer, whose queue decides about buddies
   */
  boolean isHot(SchedView view, int task, int executingCpu);
}

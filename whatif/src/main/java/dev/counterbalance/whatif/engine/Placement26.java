package dev.counterbalance.whatif.engine;

import static dev.counterbalance.whatif.domain.DomainParams.BALANCE_FORK;
import static dev.counterbalance.whatif.domain.DomainParams.SHARE_PKG_RESOURCES;
import static dev.counterbalance.whatif.domain.DomainParams.WAKE_AFFINE;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedGroup;

/**
 * Wakeup and fork placement of Linux 2.6.36: kernel-rules section 2.14 (kernel/sched_fair.c
 * select_task_rq_fair, wake_affine, select_idle_sibling, find_idlest_group, find_idlest_cpu). All
 * load indexes are 0 on x86, so loads are the weights queued now.
 */
final class Placement26 implements Placement {
  private static final long PERCENT = 100;

  private final RunState state;
  private final Schedstat schedstat;

  Placement26(RunState state, Schedstat schedstat) {
    this.state = state;
    this.schedstat = schedstat;
  }

  @Override
  public int wake(int task, int waker, boolean sync) {
    int previous = state.taskCpu[task];
    SchedDomain affine = null;
    if (state.allowed[task].contains(waker)) {
      for (SchedDomain domain : state.domains.of(waker)) {
        if (domain.params.has(WAKE_AFFINE) && domain.span.contains(previous)) {
          affine = domain;
          break;
        }
      }
    }
    if (affine == null) {
      return previous;
    }
    if (waker != previous) {
      schedstat.add(affine, Schedstat.Domain.TTWU_WAKE_REMOTE, 1);
    }
    boolean toWaker = waker == previous || pulls(affine, task, waker, sync);
    if (toWaker && waker != previous) {
      schedstat.add(affine, Schedstat.Domain.TTWU_MOVE_AFFINE, 1);
    }
    return idleSibling(task, toWaker ? waker : previous, waker, previous);
  }

  /** Whether a wakee is pulled towards its waker (wake_affine). */
  boolean pulls(SchedDomain domain, int task, int waker, boolean sync) {
    int previous = state.taskCpu[task];
    long here = state.load[waker];
    long there = state.load[previous];
    int current = state.curr[waker];
    if (sync && current >= 0) {
      here -= state.weight[current];
    }
    boolean balanced = true;
    if (here != 0) {
      long limit = PERCENT + (domain.params.imbalancePct() - PERCENT) / 2;
      balanced =
          PERCENT * state.power[previous] * (here + state.weight[task])
              <= limit * state.power[waker] * there;
    }
    if (balanced) {
      return true;
    }
    long perTask = state.nrRunning[waker] == 0 ? 0 : state.load[waker] / state.nrRunning[waker];
    return here <= there && here + state.load[previous] <= perTask;
  }

  private int idleSibling(int task, int target, int waker, int previous) {
    if ((target == waker || target == previous) && state.curr[target] < 0) {
      return target;
    }
    int chosen = target;
    for (SchedDomain domain : state.domains.of(target)) {
      if (!domain.params.has(SHARE_PKG_RESOURCES)) {
        break;
      }
      CpuSet span = domain.span;
      for (int cpu = span.first(); cpu >= 0; cpu = span.next(cpu)) {
        if (state.curr[cpu] < 0
            && state.active.contains(cpu)
            && state.allowed[task].contains(cpu)) {
          chosen = cpu;
          break;
        }
      }
      if (span.contains(waker) && span.contains(previous)) {
        break;
      }
    }
    return chosen;
  }

  @Override
  public int fork(int task, int cpu) {
    int at = cpu;
    SchedDomain domain = highest(at, Integer.MAX_VALUE);
    while (domain != null) {
      schedstat.add(domain, Schedstat.Domain.SBF_COUNT, 1);
      SchedGroup group = idlestGroup(domain, task, at);
      int next = group == null ? -1 : idlestCpu(group, task, at);
      if (next < 0 || next == at) {
        schedstat.add(domain, Schedstat.Domain.SBF_BALANCED, 1);
        domain = forkChild(domain);
        continue;
      }
      schedstat.add(domain, Schedstat.Domain.SBF_PUSHED, 1);
      at = next;
      domain = highest(at, domain.span.size());
    }
    return at;
  }

  /** The widest domain of the CPU that balances forks and is narrower than that many CPUs. */
  private SchedDomain highest(int cpu, int narrowerThan) {
    SchedDomain found = null;
    for (SchedDomain domain : state.domains.of(cpu)) {
      if (domain.span.size() >= narrowerThan) {
        break;
      }
      if (domain.params.has(BALANCE_FORK)) {
        found = domain;
      }
    }
    return found;
  }

  private static SchedDomain forkChild(SchedDomain domain) {
    SchedDomain child = domain.child();
    while (child != null && !child.params.has(BALANCE_FORK)) {
      child = child.child();
    }
    return child;
  }

  private SchedGroup idlestGroup(SchedDomain domain, int task, int cpu) {
    SchedGroup idlest = null;
    long least = Long.MAX_VALUE;
    long here = 0;
    for (SchedGroup group : domain.groups) {
      if (!group.mask.intersects(state.allowed[task])) {
        continue;
      }
      long load = 0;
      for (int other : group.cpus) {
        load += state.load[other];
      }
      long average = load * RunState.FULL_POWER / state.groupPower[group.id];
      if (group.mask.contains(cpu)) {
        here = average;
      } else if (average < least) {
        least = average;
        idlest = group;
      }
    }
    long limit = PERCENT + (domain.params.imbalancePct() - PERCENT) / 2;
    return idlest == null || PERCENT * here < limit * least ? null : idlest;
  }

  private int idlestCpu(SchedGroup group, int task, int cpu) {
    int idlest = -1;
    long least = Long.MAX_VALUE;
    for (int other : group.cpus) {
      if (!state.allowed[task].contains(other) || !state.active.contains(other)) {
        continue;
      }
      long load = state.load[other];
      if (load < least || (load == least && other == cpu)) {
        least = load;
        idlest = other;
      }
    }
    return idlest;
  }
}

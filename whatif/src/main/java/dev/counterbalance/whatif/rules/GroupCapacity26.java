package dev.counterbalance.whatif.rules;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.DomainParams;
import dev.counterbalance.whatif.domain.GroupCapacity;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedGroup;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.Reason;
import dev.counterbalance.whatif.rule.SchedView;
import dev.counterbalance.whatif.rule.Selection;
import dev.counterbalance.whatif.rule.Switches;
import dev.counterbalance.whatif.rule.Tunables;

/**
 * Load balancing by tasks against group capacity, as kernel/sched_fair.c and sched.c of 2.6.36 have
 * it, with the changes of 2010 as switches (kernel-rules sections 2 and 3).
 *
 * <p>Differences of loads are unsigned 64-bit as in the kernel: where balancing is forced, the
 * local group may be the more loaded one and the difference wraps. The scratch makes an instance
 * good for one run; nothing in it outlives a call.
 */
public final class GroupCapacity26 implements LoadBalancer {
  /** SCHED_LOAD_SCALE: a nice-0 task, and a CPU of full power. */
  private static final long SCALE = 1024;

  private final CapacityDrop siblingDrop;
  private final boolean imbalanceNeedsTwoTasks;
  private final boolean pickRequiresMoreTasksThanCpus;
  private final boolean forces;
  private final boolean forcesIdle;
  private final boolean forcesBusy;
  private final boolean forcedAverageIsZero;
  private final boolean comparesIdleCpus;
  private final boolean idlePolicyNeverHot;
  private final long migrationCostNs;

  private GroupStats local = new GroupStats();
  private GroupStats busiest = new GroupStats();
  private GroupStats scanned = new GroupStats();
  private GroupStats refused = new GroupStats();

  /**
   * Makes the balancer of one run.
   *
   * @throws IllegalArgumentException if a switch or tunable that it reads is missing
   */
  public GroupCapacity26(Switches switches, Tunables tunables) {
    siblingDrop = CapacityDrop.of(switches.get("prefer_sibling_drop"));
    imbalanceNeedsTwoTasks = switches.on("imb_needs_nr2");
    pickRequiresMoreTasksThanCpus = switches.on("pick_requires_nr_gt_weight");
    String force = switches.get("force_when_underused");
    forces = !force.equals("never");
    forcesIdle = force.equals("any_idle_type") || force.equals("idle_and_newidle");
    forcesBusy = force.equals("any_idle_type");
    forcedAverageIsZero = switches.on("force_avg_load_zero");
    comparesIdleCpus = switches.is("idle_cpu_diff_test", "group_weight");
    idlePolicyNeverHot = switches.on("idle_never_hot");
    migrationCostNs = tunables.get("migration_cost");
  }

  @Override
  public int balancer(SchedView view, SchedDomain domain, CpuSet cpus) {
    int[] members = domain.groups[0].cpus;
    for (int cpu : members) {
      if (cpus.contains(cpu) && view.isIdle(cpu)) {
        return cpu;
      }
    }
    return members[0];
  }

  @Override
  public void select(
      SchedView view, SchedDomain domain, int cpu, IdleType idle, CpuSet cpus, Selection out) {
    begin(out);
    int loadIndex = loadIndex(domain.params, idle);
    boolean everyCpu = cpus.containsAll(domain.span);
    boolean preferSibling =
        domain.child() != null && domain.child().params.has(DomainParams.PREFER_SIBLING);
    SchedGroup[] groups = domain.groups;

    SchedGroup own = groups[0];
    scan(view, domain, own, loadIndex, everyCpu ? null : cpus, true, local);
    if (idle != IdleType.NEWLY_IDLE
        && (local.firstIdle >= 0 ? local.firstIdle : own.cpus[0]) != cpu) {
      explainLocal(out);
      out.reason = Reason.NOT_BALANCER;
      return;
    }
    if (preferSibling && siblingDrop.lowers(local, null)) {
      local.capacity = Math.min(local.capacity, 1);
    }
    long totalLoad = local.load;
    long totalPower = local.power;
    for (int i = 1; i < groups.length; i++) {
      scan(view, domain, groups[i], loadIndex, everyCpu ? null : cpus, false, scanned);
      totalLoad += scanned.load;
      totalPower += scanned.power;
      if (preferSibling && siblingDrop.lowers(scanned, local)) {
        scanned.capacity = Math.min(scanned.capacity, 1);
      }
      consider();
    }
    explainLocal(out);
    explainOther(out, busiest.group != null ? busiest : refused);
    decide(view, domain, cpu, idle, totalLoad, totalPower, out);
  }

  private void begin(Selection out) {
    busiest.group = null;
    busiest.average = 0;
    refused.group = null;
    out.busiest = null;
    out.amount = 0;
    out.reason = null;
    out.looked = null;
    out.busiestLoad = 0;
    out.busiestNr = 0;
    out.busiestCapacity = 0;
    out.averageLoad = 0;
    out.groupImbalanced = false;
  }

  private void explainLocal(Selection out) {
    out.localLoad = local.average;
    out.localNr = local.nr;
    out.localCapacity = local.capacity;
  }

  private static void explainOther(Selection out, GroupStats other) {
    if (other.group != null) {
      out.looked = other.group;
      out.busiestLoad = other.average;
      out.busiestNr = other.nr;
      out.busiestCapacity = other.capacity;
      out.groupImbalanced = other.imbalanced;
    }
  }

  private static int loadIndex(DomainParams params, IdleType idle) {
    return switch (idle) {
      case NOT_IDLE -> params.busyIdx();
      case NEWLY_IDLE -> params.newidleIdx();
      case IDLE -> params.idleIdx();
    };
  }

  /**
   * update_sg_lb_stats. Loads are biased: the local group's counts as the higher of now and the
   * history, the others' as the lower.
   *
   * @param cpus the CPUs still considered, null for all
   */
  private void scan(
      SchedView view,
      SchedDomain domain,
      SchedGroup group,
      int loadIndex,
      CpuSet cpus,
      boolean isLocal,
      GroupStats stats) {
    long load = 0;
    long weightSum = 0;
    int nr = 0;
    int idleCpus = 0;
    int firstIdle = -1;
    long highest = 0;
    long lowest = Long.MAX_VALUE;
    int nrOfHighest = 0;
    boolean countsIdle = isLocal || comparesIdleCpus;
    for (int cpu : group.cpus) {
      if (cpus != null && !cpus.contains(cpu)) {
        continue;
      }
      long weight = view.load(cpu);
      int running = view.nrRunning(cpu);
      long biased = weight;
      if (loadIndex > 0) {
        long past = view.loadHistory(cpu, loadIndex - 1);
        biased = isLocal ? Math.max(weight, past) : Math.min(weight, past);
      }
      if (biased > highest) {
        highest = biased;
        nrOfHighest = running;
      }
      lowest = Math.min(lowest, biased);
      if (countsIdle && view.isIdle(cpu)) {
        idleCpus++;
        firstIdle = firstIdle < 0 ? cpu : firstIdle;
      }
      load += biased;
      weightSum += weight;
      nr += running;
    }
    stats.group = group;
    stats.load = load;
    stats.weightSum = weightSum;
    stats.nr = nr;
    stats.idleCpus = idleCpus;
    stats.firstIdle = firstIdle;
    stats.power = view.power(group);
    stats.average = load * SCALE / stats.power;
    long averageTask = nr == 0 ? 0 : weightSum / nr;
    stats.imbalanced =
        !isLocal
            && highest - lowest > 2 * averageTask
            && (!imbalanceNeedsTwoTasks || nrOfHighest > 1);
    stats.capacity =
        GroupCapacity.tasks(
            stats.power, group.power, domain.params.has(DomainParams.SHARE_CPUPOWER));
    stats.hasCapacity = stats.capacity > nr;
  }

  /** The group just scanned becomes the busiest if it may. */
  private void consider() {
    boolean overloaded = scanned.nr > scanned.capacity || scanned.imbalanced;
    boolean mayPick = !pickRequiresMoreTasksThanCpus || scanned.nr > scanned.group.cpus.length;
    GroupStats spent;
    if (scanned.average > busiest.average && mayPick && overloaded) {
      spent = busiest;
      busiest = scanned;
    } else if (refused.group == null || scanned.average > refused.average) {
      spent = refused;
      refused = scanned;
    } else {
      return;
    }
    scanned = spent;
  }

  /** The gates of find_busiest_group, in its order. */
  private void decide(
      SchedView view,
      SchedDomain domain,
      int cpu,
      IdleType idle,
      long totalLoad,
      long totalPower,
      Selection out) {
    if (busiest.group == null || busiest.nr == 0) {
      out.reason = Reason.NO_BUSIEST;
      return;
    }
    boolean forced = isForced(idle);
    long average = 0;
    if (!forced || !forcedAverageIsZero) {
      average = totalLoad * SCALE / totalPower;
    }
    if (!forced) {
      if (local.average >= busiest.average) {
        out.reason = Reason.LOCAL_GE_BUSIEST;
        return;
      }
      out.averageLoad = average;
      if (local.average >= average) {
        out.reason = Reason.LOCAL_GE_AVG;
        return;
      }
      out.reason = withinLimits(view, domain, cpu, idle);
      if (out.reason != null) {
        return;
      }
    }
    out.averageLoad = average;
    out.busiest = busiest.group;
    out.amount = imbalance(view, cpu, average);
  }

  /** Whether the local group has room while the busiest has none, in a pass where that counts. */
  private boolean isForced(IdleType idle) {
    boolean counts =
        switch (idle) {
          case NEWLY_IDLE -> forces;
          case IDLE -> forcesIdle;
          case NOT_IDLE -> forcesBusy;
        };
    return counts && local.hasCapacity && !busiest.hasCapacity;
  }

  private Reason withinLimits(SchedView view, SchedDomain domain, int cpu, IdleType idle) {
    if (comparesIdleCpus && idle != IdleType.NEWLY_IDLE && view.isIdle(cpu)) {
      boolean balanced =
          local.idleCpus <= busiest.idleCpus + 1 && busiest.nr <= busiest.group.cpus.length;
      return balanced ? Reason.IDLE_DIFF : null;
    }
    boolean within = 100 * busiest.average <= domain.params.imbalancePct() * local.average;
    return within ? Reason.WITHIN_PCT : null;
  }

  /** calculate_imbalance; unsigned throughout. */
  private long imbalance(SchedView view, int cpu, long average) {
    long perTask = busiest.weightSum / busiest.nr;
    if (busiest.imbalanced) {
      perTask = Math.min(perTask, average);
    }
    if (busiest.average < average) {
      return smallImbalance(view, cpu, perTask, 0);
    }
    long pull = busiest.average - average;
    if (!busiest.imbalanced) {
      long above = (long) (busiest.nr - busiest.capacity) * SCALE * SCALE;
      pull = minUnsigned(pull, Long.divideUnsigned(above, busiest.power));
    }
    long amount = minUnsigned(pull * busiest.power, (average - local.average) * local.power) >>> 10;
    return Long.compareUnsigned(amount, perTask) < 0
        ? smallImbalance(view, cpu, perTask, amount)
        : amount;
  }

  /** fix_small_imbalance: one task, if moving it does any good; else {@code fallback}. */
  private long smallImbalance(SchedView view, int cpu, long perTask, long fallback) {
    long mine;
    int factor = 2;
    if (local.nr > 0) {
      mine = local.weightSum / local.nr;
      factor = perTask > mine ? 1 : 2;
    } else {
      int nr = view.nrRunning(cpu);
      mine = nr > 0 ? view.load(cpu) / nr : 0;
    }
    long scaled = perTask * SCALE / busiest.power;
    long ahead = busiest.average - local.average + scaled;
    if (Long.compareUnsigned(ahead, scaled * factor) >= 0) {
      return perTask;
    }
    long now =
        (busiest.power * Math.min(perTask, busiest.average)
                + local.power * Math.min(mine, local.average))
            / SCALE;
    long moved = 0;
    if (busiest.average > scaled) {
      moved = busiest.power * Math.min(perTask, busiest.average - scaled);
    }
    long atMost = Math.min(busiest.average * busiest.power, perTask * SCALE);
    long added = atMost / local.power;
    long then = (moved + local.power * Math.min(mine, local.average + added)) / SCALE;
    return then > now ? perTask : fallback;
  }

  private static long minUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  @Override
  public int busiestQueue(
      SchedView view,
      SchedDomain domain,
      SchedGroup group,
      long amount,
      IdleType idle,
      CpuSet cpus) {
    int found = -1;
    long highest = 0;
    boolean smt = domain.params.has(DomainParams.SHARE_CPUPOWER);
    for (int cpu : group.cpus) {
      if (!cpus.contains(cpu)) {
        continue;
      }
      long weight = view.load(cpu);
      long power = view.power(cpu);
      if (view.nrRunning(cpu) == 1 && Long.compareUnsigned(weight, amount) > 0) {
        boolean hasCapacity =
            GroupCapacity.cpus(power) != 0
                || GroupCapacity.small(view.power(group), group.power, smt) != 0;
        if (hasCapacity) {
          continue;
        }
      }
      long score = weight * SCALE / power;
      if (score > highest) {
        highest = score;
        found = cpu;
      }
    }
    return found;
  }

  @Override
  public boolean isHot(SchedView view, int task, int executingCpu) {
    if (idlePolicyNeverHot && view.isIdlePolicy(task)) {
      return false;
    }
    if (view.nrRunning(executingCpu) > 0 && view.isBuddy(task)) {
      return true;
    }
    if (migrationCostNs <= 0) {
      return migrationCostNs < 0;
    }
    return view.nowNs() - view.execStartNs(task) < migrationCostNs;
  }
}

package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.DomainParams;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.Reason;
import dev.counterbalance.whatif.rule.Selection;
import dev.counterbalance.whatif.rule.Switches;
import dev.counterbalance.whatif.rule.Tunables;

/**
 * Load balancing as the kernel carries it out: attempts, pulls, active balance, newidle and
 * periodic passes. What to move is decided by the rule's {@link LoadBalancer}. Kernel-rules
 * sections 2.9 to 2.12 (kernel/sched_fair.c load_balance, idle_balance, rebalance_domains).
 */
final class Balancing {
  /** load_balance's results: below zero counts as "not idle any more" without a task moved. */
  private static final int NOT_IDLE_ANY_MORE = -1;

  private static final long MAX_PINNED_INTERVAL_MS = 512;

  private final RunState state;
  private final LoadBalancer rule;
  private final Scheduler scheduler;
  private final Schedstat schedstat;
  private final DecisionSink decisions;
  private final Costs costs;
  private final Powers powers;
  private final Jiffies jiffies;

  private final long hz;
  private final long maxIntervalJiffies;
  private final long migrationCost;
  private final int nrMigrate;
  private final boolean preemptKernel;
  private final boolean newidleCountsFailure;
  private final boolean newidleBacksOff;
  private final boolean rearmAvgIdle;
  private final long[] passCost;

  private final CpuSet candidates;
  private final Selection selection = new Selection();

  // What the last pull found.
  private boolean pullAllPinned;

  private boolean pullHot;
  private Reason pullReason;

  /** Whether the last attempt was made by the CPU that has to (kernel: *balance). */
  private boolean wasBalancer;

  Balancing(
      SimSpec spec,
      RunState state,
      Scheduler scheduler,
      Schedstat schedstat,
      DecisionSink decisions,
      Costs costs,
      Jiffies jiffies) {
    this.state = state;
    this.rule = spec.balancer();
    this.scheduler = scheduler;
    this.schedstat = schedstat;
    this.decisions = decisions;
    this.costs = costs;
    this.jiffies = jiffies;
    powers = new Powers(state);
    Tunables tunables = spec.tunables();
    Switches switches = spec.switches();
    hz = tunables.get("HZ");
    maxIntervalJiffies = Math.max(1, hz * tunables.get("NR_CPUS") / 10);
    migrationCost = tunables.get("migration_cost");
    nrMigrate = (int) tunables.get("nr_migrate");
    preemptKernel = tunables.get("preemptKernel") != 0;
    newidleCountsFailure = switches.on("newidle_counts_failure");
    newidleBacksOff = switches.on("newidle_balanced_backs_off");
    rearmAvgIdle = switches.on("rearm_avg_idle_on_pull");
    candidates = new CpuSet(state.cpus);
    SchedDomain[] domains = state.domains.all();
    passCost = new long[domains.length];
    for (SchedDomain domain : domains) {
      passCost[domain.id] = tunables.asMap().getOrDefault("balanceCostNs[" + domain.name + "]", 0L);
    }
    start(spec.domains(), spec.seed());
  }

  private void start(SchedDomains domains, long seed) {
    for (SchedDomain domain : domains.all()) {
      long interval = domain.params.initialIntervalMs();
      state.balanceInterval[domain.id] = interval;
      // When each domain was balanced last before the run began is chance, within a busy interval.
      long range = Math.max(1, jiffies.ofMs(interval * domain.params.busyFactor()));
      state.lastBalance[domain.id] = -Keyed.below(range, seed, Keyed.BALANCE_PHASE, domain.id, 0);
    }
    for (int cpu = 0; cpu < state.cpus; cpu++) {
      state.avgIdle[cpu] = 2 * migrationCost;
    }
  }

  // --- When

  /** The CPU is about to go idle; pulls work if it can (idle_balance). */
  void newidle(int cpu) {
    state.idleStamp[cpu] = state.nowNs;
    if (state.avgIdle[cpu] < migrationCost) {
      return;
    }
    long next = jiffies.now() + hz;
    boolean pulled = false;
    for (SchedDomain domain : state.domains.of(cpu)) {
      if (domain.params.has(DomainParams.BALANCE_NEWIDLE)) {
        pulled = attempt(cpu, domain, IdleType.NEWLY_IDLE) != 0;
      }
      long due = state.lastBalance[domain.id] + jiffies.ofMs(state.balanceInterval[domain.id]);
      next = Math.min(next, due);
      if (pulled) {
        // The variant that re-arms has cleared the stamp where a task was pulled.
        if (!rearmAvgIdle) {
          state.idleStamp[cpu] = RunState.NEVER;
        }
        break;
      }
    }
    if (pulled || jiffies.now() > state.nextBalance[cpu]) {
      state.nextBalance[cpu] = next;
    }
  }

  /** Balances every level that is due on behalf of the CPU (rebalance_domains). */
  void periodic(int cpu, IdleType idleAtStart) {
    IdleType idle = idleAtStart;
    long next = jiffies.now() + 60 * hz;
    boolean any = false;
    for (SchedDomain domain : state.domains.of(cpu)) {
      long ms = state.balanceInterval[domain.id];
      if (idle != IdleType.IDLE) {
        ms *= domain.params.busyFactor();
      }
      long interval = Math.max(1, Math.min(jiffies.ofMs(ms), maxIntervalJiffies));
      wasBalancer = true;
      if (jiffies.now() >= state.lastBalance[domain.id] + interval) {
        if (attempt(cpu, domain, idle) != 0) {
          idle = IdleType.NOT_IDLE;
        }
        state.lastBalance[domain.id] = jiffies.now();
      }
      long due = state.lastBalance[domain.id] + interval;
      if (due < next) {
        next = due;
        any = true;
      }
      if (!wasBalancer) {
        break;
      }
    }
    if (any) {
      state.nextBalance[cpu] = next;
    }
  }

  // --- One attempt

  /** Tries to bring work to the CPU within a domain; tasks moved, or -1, or 0 (load_balance). */
  private int attempt(int cpu, SchedDomain domain, IdleType idle) {
    candidates.set(state.active);
    schedstat.add(domain, idle, Schedstat.Balance.LB_COUNT, 1);
    costs.balanced(cpu, passCost[domain.id]);
    boolean allPinned = false;
    int queue;
    int moved;
    while (true) {
      select(cpu, domain, idle);
      queue = -1;
      if (selection.busiest == null) {
        Reason why = selection.reason;
        if (why != Reason.NOT_BALANCER) {
          schedstat.add(domain, idle, Schedstat.Balance.LB_NOBUSYG, 1);
        }
        return balanced(domain, idle, allPinned, why);
      }
      queue =
          rule.busiestQueue(state, domain, selection.busiest, selection.amount, idle, candidates);
      if (queue < 0) {
        schedstat.add(domain, idle, Schedstat.Balance.LB_NOBUSYQ, 1);
        return balanced(domain, idle, allPinned, Reason.NO_QUEUE);
      }
      schedstat.add(domain, idle, Schedstat.Balance.LB_IMBALANCE, selection.amount);
      moved = 0;
      pullAllPinned = false;
      pullReason = Reason.RUNNING_ONLY;
      if (state.nrRunning[queue] > 1) {
        moved = pull(queue, cpu, domain, idle, selection.amount);
      }
      allPinned = pullAllPinned;
      if (!allPinned) {
        break;
      }
      candidates.remove(queue);
      if (candidates.isEmpty()) {
        return balanced(domain, idle, true, Reason.ALL_PINNED);
      }
    }
    return moved > 0 ? success(domain, idle, queue, moved) : failure(cpu, domain, idle, queue);
  }

  private void select(int cpu, SchedDomain domain, IdleType idle) {
    if (idle != IdleType.NEWLY_IDLE && rule.balancer(state, domain, candidates) == cpu) {
      powers.refresh(domain);
    }
    rule.select(state, domain, cpu, idle, candidates, selection);
    wasBalancer = selection.reason != Reason.NOT_BALANCER;
  }

  private int success(SchedDomain domain, IdleType idle, int queue, int moved) {
    state.balanceFailed[domain.id] = 0;
    state.balanceInterval[domain.id] = domain.params.minIntervalMs();
    decisions.onDecision(state.nowNs, domain, idle, selection, queue, moved, Reason.MOVED);
    return moved;
  }

  private int failure(int cpu, SchedDomain domain, IdleType idle, int queue) {
    schedstat.add(domain, idle, Schedstat.Balance.LB_FAILED, 1);
    if (idle != IdleType.NEWLY_IDLE || newidleCountsFailure) {
      state.balanceFailed[domain.id]++;
    }
    int tries = domain.params.cacheNiceTries();
    boolean active = false;
    Reason reason = pullReason;
    if (idle != IdleType.NEWLY_IDLE && state.balanceFailed[domain.id] > tries + 2) {
      int current = state.curr[queue];
      if (current >= 0 && !state.allowed[current].contains(cpu)) {
        grow(domain, idle, true);
        decisions.onDecision(state.nowNs, domain, idle, selection, queue, 0, Reason.ALL_PINNED);
        return smtResult(domain, idle);
      }
      if (!state.activePending[queue]) {
        state.activePending[queue] = true;
        state.pushTo[queue] = cpu;
        active = true;
        reason = Reason.ACTIVE_STARTED;
      }
      state.balanceFailed[domain.id] = tries + 1;
    }
    if (!active) {
      state.balanceInterval[domain.id] = domain.params.minIntervalMs();
    } else if (state.balanceInterval[domain.id] < domain.params.maxIntervalMs()) {
      state.balanceInterval[domain.id] *= 2;
    }
    decisions.onDecision(state.nowNs, domain, idle, selection, queue, 0, reason);
    if (active) {
      scheduler.stop(queue, cpu);
    }
    return smtResult(domain, idle);
  }

  private int balanced(SchedDomain domain, IdleType idle, boolean pinned, Reason reason) {
    schedstat.add(domain, idle, Schedstat.Balance.LB_BALANCED, 1);
    state.balanceFailed[domain.id] = 0;
    grow(domain, idle, pinned);
    decisions.onDecision(state.nowNs, domain, idle, selection, -1, 0, reason);
    return smtResult(domain, idle);
  }

  private void grow(SchedDomain domain, IdleType idle, boolean pinned) {
    long interval = state.balanceInterval[domain.id];
    boolean grows =
        (pinned && interval < MAX_PINNED_INTERVAL_MS) || interval < domain.params.maxIntervalMs();
    if (grows && (idle != IdleType.NEWLY_IDLE || newidleBacksOff)) {
      state.balanceInterval[domain.id] = 2 * interval;
    }
  }

  /** At the SMT level a CPU with a busy sibling, or a busy one, counts as not idle any more. */
  private int smtResult(SchedDomain domain, IdleType idle) {
    if (!domain.params.has(DomainParams.SHARE_CPUPOWER)) {
      return 0;
    }
    if (idle == IdleType.NOT_IDLE) {
      return NOT_IDLE_ANY_MORE;
    }
    for (int cpu = domain.span.first(); cpu >= 0; cpu = domain.span.next(cpu)) {
      if (state.nrRunning[cpu] > 0) {
        return NOT_IDLE_ANY_MORE;
      }
    }
    return 0;
  }

  // --- Moving tasks

  /** Pulls tasks of up to {@code amount} weight from a queue (balance_tasks, move_tasks). */
  private int pull(int queue, int cpu, SchedDomain domain, IdleType idle, long amount) {
    int total = 0;
    long left = amount;
    boolean one = preemptKernel && idle == IdleType.NEWLY_IDLE;
    while (left > 0) {
      int movedBefore = total;
      pullAllPinned = true;
      pullReason = Reason.ALL_PINNED;
      int looked = 0;
      int task = state.newest[queue];
      while (task >= 0 && looked++ <= nrMigrate) {
        int older = state.older[task];
        if (state.weight[task] >> 1 > left) {
          note(Reason.TOO_HEAVY);
        } else if (mayPull(task, queue, cpu, cpu, domain)) {
          left -= state.weight[task];
          take(task, queue, cpu, domain, idle);
          total++;
          if (one || left <= 0) {
            break;
          }
        }
        task = older;
      }
      if (total == movedBefore || one) {
        break;
      }
    }
    return total;
  }

  private void note(Reason reason) {
    if (pullReason == Reason.ALL_PINNED || reason == Reason.ALL_HOT) {
      pullReason = reason;
    }
  }

  /**
   * Whether a task may leave its queue for the CPU (can_migrate_task).
   *
   * @param executing the CPU that does it, whose queue decides about buddies
   */
  private boolean mayPull(int task, int queue, int cpu, int executing, SchedDomain domain) {
    if (!state.allowed[task].contains(cpu)) {
      return false;
    }
    pullAllPinned = false;
    if (state.curr[queue] == task) {
      note(Reason.RUNNING_ONLY);
      return false;
    }
    pullHot = rule.isHot(state, task, executing);
    if (!pullHot || state.balanceFailed[domain.id] > domain.params.cacheNiceTries()) {
      return true;
    }
    note(Reason.ALL_HOT);
    return false;
  }

  private void take(int task, int queue, int cpu, SchedDomain domain, IdleType idle) {
    scheduler.move(
        task, cpu, cpu, idle == IdleType.NEWLY_IDLE ? Emitter.IN_TASK : Emitter.IN_SOFTIRQ);
    schedstat.add(domain, idle, Schedstat.Balance.LB_GAINED, 1);
    if (pullHot) {
      schedstat.add(domain, idle, Schedstat.Balance.LB_HOT_GAINED, 1);
    }
    if (rearmAvgIdle) {
      state.avgIdle[queue] = 2 * migrationCost;
      state.avgIdle[cpu] = 2 * migrationCost;
      state.idleStamp[cpu] = RunState.NEVER;
    }
  }

  /** The migration thread of {@code cpu} pushes what ran there (active_load_balance_cpu_stop). */
  void push(int cpu) {
    int target = state.pushTo[cpu];
    state.activePending[cpu] = false;
    state.pushTo[cpu] = -1;
    if (target < 0 || state.nrRunning[cpu] <= 1 || !state.active.contains(target)) {
      return;
    }
    SchedDomain domain = null;
    for (SchedDomain above : state.domains.of(target)) {
      if (above.span.contains(cpu)) {
        domain = above;
        break;
      }
    }
    if (domain == null) {
      return;
    }
    schedstat.add(domain, Schedstat.Domain.ALB_COUNT, 1);
    for (int task = state.newest[cpu]; task >= 0; task = state.older[task]) {
      if (mayPull(task, cpu, target, cpu, domain)) {
        scheduler.move(task, target, cpu, Emitter.IN_TASK);
        schedstat.add(domain, Schedstat.Domain.ALB_PUSHED, 1);
        if (rearmAvgIdle) {
          state.avgIdle[cpu] = 2 * migrationCost;
          state.avgIdle[target] = 2 * migrationCost;
          state.idleStamp[target] = RunState.NEVER;
        }
        return;
      }
    }
    schedstat.add(domain, Schedstat.Domain.ALB_FAILED, 1);
  }
}

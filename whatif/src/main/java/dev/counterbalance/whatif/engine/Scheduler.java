package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.rule.Tunables;
import dev.counterbalance.whatif.workload.Policy;

/**
 * The core of the scheduler: wakes, queues, switches and moves tasks. What is decided elsewhere
 * (placement, queue order, balance) is carried out here, and told to the sink.
 */
final class Scheduler implements SharedQueue.Taker {
  private static final int FAIR_LEVEL = 200;
  private static final int IDLE_LEVEL = 300;

  private final RunState state;
  private final Emitter emitter;
  private final Schedstat schedstat;
  private final RtQueues realtime;
  private final Costs costs;
  private FairQueues fair;
  private Placement placement;
  private Balancing balancing;
  private Programs programs;
  private Ticks ticks;
  private final CpuSet everyCpu;
  private final long maxAvgIdle;
  private final long stopperRunNs;

  Scheduler(
      RunState state,
      Emitter emitter,
      Schedstat schedstat,
      RtQueues realtime,
      Costs costs,
      Tunables tunables) {
    this.state = state;
    this.emitter = emitter;
    this.schedstat = schedstat;
    this.realtime = realtime;
    this.costs = costs;
    everyCpu = CpuSet.all(state.cpus);
    maxAvgIdle = 2 * tunables.get("migration_cost");
    stopperRunNs = tunables.get("stopperRunNs");
  }

  /** Joins the parts; {@code newBalancing} is null for rules that never balance. */
  void join(
      FairQueues newFair,
      Placement newPlacement,
      Balancing newBalancing,
      Programs newPrograms,
      Ticks newTicks) {
    fair = newFair;
    placement = newPlacement;
    balancing = newBalancing;
    programs = newPrograms;
    ticks = newTicks;
  }

  FairQueues fair() {
    return fair;
  }

  // --- Waking and starting

  /** Wakes a sleeping task from {@code waker} (try_to_wake_up). */
  void wake(int task, int waker, boolean sync, int context) {
    emitter.waking(waker, task, context);
    int previous = state.taskCpu[task];
    int cpu = previous;
    if (state.isFair(task)) {
      fair.waking(task);
      cpu = placement.wake(task, waker, sync);
    } else {
      cpu = realtimeCpu(task, previous);
    }
    cpu = usable(task, cpu);
    if (cpu != previous) {
      emitter.migrate(waker, task, cpu, context);
      costs.moved(task, previous, cpu);
      state.taskCpu[task] = cpu;
    }
    schedstat.add(cpu, Schedstat.Cpu.TTWU_COUNT, 1);
    if (cpu == waker) {
      schedstat.add(cpu, Schedstat.Cpu.TTWU_LOCAL, 1);
    }
    enqueue(cpu, task, true);
    emitter.wakeup(waker, task, false, context);
    checkPreempt(cpu, task);
    woken(cpu, task);
    endIdle(cpu);
  }

  /**
   * Starts a new task (wake_up_new_task).
   *
   * @param parent the CPU it is forked on
   * @param fixedCpu the CPU it is to start on, or -1: the rule decides
   */
  void start(int task, int parent, int fixedCpu) {
    state.taskCpu[task] = parent;
    if (state.isFair(task)) {
      fair.forked(parent, task);
    }
    int cpu = fixedCpu;
    if (cpu < 0) {
      cpu = state.isFair(task) ? placement.fork(task, parent) : realtimeCpu(task, parent);
    }
    cpu = usable(task, cpu);
    state.taskCpu[task] = cpu;
    enqueue(cpu, task, false);
    emitter.wakeup(parent, task, true, Emitter.IN_TASK);
    checkPreempt(cpu, task);
    woken(cpu, task);
  }

  /**
   * The chosen CPU, or if the task may not run there the first where it may. If none of those is
   * left, it may run anywhere from now on (select_fallback_rq).
   */
  private int usable(int task, int cpu) {
    if (cpu >= 0 && state.active.contains(cpu) && state.allowed[task].contains(cpu)) {
      return cpu;
    }
    int fallback = state.active.firstCommon(state.allowed[task]);
    if (fallback >= 0) {
      return fallback;
    }
    state.allowed[task] = everyCpu;
    return state.active.first();
  }

  private void endIdle(int cpu) {
    long since = state.idleStamp[cpu];
    if (since == RunState.NEVER) {
      return;
    }
    long idle = state.nowNs - since;
    if (idle > maxAvgIdle) {
      state.avgIdle[cpu] = maxAvgIdle;
    } else {
      state.avgIdle[cpu] += (idle - state.avgIdle[cpu]) >> 3;
    }
    state.idleStamp[cpu] = RunState.NEVER;
  }

  /** Where a real-time task goes: away from a CPU that runs one (select_task_rq_rt). */
  private int realtimeCpu(int task, int previous) {
    int current = state.curr[previous];
    boolean stays = current < 0 || state.isFair(current);
    if (stays || state.allowed[task].size() == 1) {
      return previous;
    }
    int lowest = lowestCpu(task);
    return lowest < 0 ? previous : lowest;
  }

  /** The first of the allowed CPUs that do the lowest work, lower than the task, or -1. */
  private int lowestCpu(int task) {
    int lowest = -1;
    int lowestPrio = state.prio[task];
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      int prio = level(cpu);
      if (prio > lowestPrio && state.allowed[task].contains(cpu)) {
        lowestPrio = prio;
        lowest = cpu;
      }
    }
    return lowest;
  }

  /** How urgent the highest task of a CPU is: its prio, and idle below fair below real-time. */
  private int level(int cpu) {
    int first = realtime.first(cpu);
    int waiting = first < 0 ? IDLE_LEVEL : state.prio[first];
    int current = state.curr[cpu];
    int running =
        current < 0 ? IDLE_LEVEL : state.isFair(current) ? FAIR_LEVEL : state.prio[current];
    return Math.min(waiting, running);
  }

  /** Real-time tasks that wait here go where something lower runs (push_rt_tasks). */
  private void pushRealtime(int cpu) {
    int place = 0;
    while (place < realtime.size(cpu)) {
      int task = realtime.at(cpu, place);
      int target = lowestCpu(task);
      if (target >= 0 && target != cpu) {
        move(task, target, cpu, Emitter.IN_TASK);
      } else {
        place++;
      }
    }
  }

  // --- Queues

  private void enqueue(int cpu, int task, boolean wakeup) {
    state.state[task] = RunState.QUEUED;
    state.queuedNs[task] = state.nowNs;
    if (state.isFair(task)) {
      fair.enqueue(cpu, task, wakeup);
    } else {
      fair.charge(cpu);
      state.link(cpu, task);
      realtime.add(cpu, task, false);
    }
  }

  private void dequeue(int cpu, int task, boolean sleep) {
    if (state.isFair(task)) {
      fair.dequeue(cpu, task, sleep);
      return;
    }
    fair.charge(cpu);
    if (state.curr[cpu] != task) {
      realtime.remove(cpu, task);
    }
    state.unlink(cpu, task);
  }

  /** The running task sleeps, or ends. */
  void block(int cpu, int task, boolean ends) {
    dequeue(cpu, task, true);
    state.state[task] = ends ? RunState.DEAD : RunState.SLEEPING;
    state.needResched.add(cpu);
  }

  /** Whether the task that came to the CPU takes it from the running one (check_preempt_curr). */
  private void checkPreempt(int cpu, int task) {
    int current = state.curr[cpu];
    if (current < 0) {
      state.needResched.add(cpu);
    } else if (!state.isFair(task)) {
      if (state.isFair(current) || state.prio[task] < state.prio[current]) {
        state.needResched.add(cpu);
      }
    } else if (state.isFair(current) && fair.preempts(cpu, current, task)) {
      state.needResched.add(cpu);
    }
  }

  /** A real-time task that came but does not run here is pushed on (task_woken_rt). */
  private void woken(int cpu, int task) {
    if (!state.isFair(task) && !state.needResched.contains(cpu)) {
      pushRealtime(cpu);
    }
  }

  /**
   * Moves a task that waits on a queue to another CPU (pull_task).
   *
   * @param executing the CPU that does it
   */
  void move(int task, int target, int executing, int context) {
    int source = state.taskCpu[task];
    long queued = state.queuedNs[task];
    dequeue(source, task, false);
    emitter.migrate(executing, task, target, context);
    costs.moved(task, source, target);
    enqueue(target, task, false);
    state.queuedNs[task] = queued;
    checkPreempt(target, task);
  }

  @Override
  public void take(int cpu, int task) {
    int source = state.taskCpu[task];
    state.unlink(source, task);
    emitter.migrate(cpu, task, cpu, Emitter.IN_TASK);
    costs.moved(task, source, cpu);
    state.link(cpu, task);
  }

  // --- Switching

  /** Lets the CPU choose what to run (schedule). */
  void schedule(int cpu) {
    state.needResched.remove(cpu);
    schedstat.add(cpu, Schedstat.Cpu.SCHED_COUNT, 1);
    int previous = state.curr[cpu];
    fair.charge(cpu);
    boolean runnable = previous >= 0 && state.state[previous] == RunState.RUNNING;
    if (previous >= 0 && !state.isFair(previous) && realtime.anyWaiting()) {
      pullRealtime(cpu, runnable ? state.prio[previous] : Integer.MAX_VALUE);
    }
    if (state.nrRunning[cpu] == 0 && balancing != null && previous >= 0) {
      balancing.newidle(cpu);
    }
    if (runnable) {
      state.state[previous] = RunState.QUEUED;
      state.queuedNs[previous] = state.nowNs;
      if (state.isFair(previous)) {
        fair.putPrevious(cpu, previous);
      } else {
        realtime.add(cpu, previous, !state.toTail[cpu]);
      }
    }
    int next = pick(cpu);
    state.needResched.remove(cpu);
    switchTo(cpu, previous, runnable, next);
    if (!realtime.isEmpty(cpu)) {
      pushRealtime(cpu);
    }
  }

  private void switchTo(int cpu, int previous, boolean runnable, int next) {
    boolean yielded = state.yielded[cpu];
    state.toTail[cpu] = false;
    state.yielded[cpu] = false;
    state.curr[cpu] = next;
    if (next >= 0) {
      state.state[next] = RunState.RUNNING;
      state.execStart[next] = state.nowNs;
      state.prevSumExec[next] = state.sumExec[next];
    }
    if (next == previous) {
      programs.goOn(cpu);
      return;
    }
    long previousState = emitter.stateRunnable;
    if (previous >= 0) {
      schedstat.add(cpu, Schedstat.Cpu.RQ_CPU_TIME, state.nowNs - state.switchedNs[cpu]);
      if (!runnable) {
        boolean dead = state.state[previous] == RunState.DEAD;
        previousState = dead ? emitter.stateDead : emitter.stateSleeping;
      } else if (!yielded) {
        previousState = emitter.statePreempted;
      }
    }
    emitter.switched(cpu, previous, previousState, next);
    state.switchedNs[cpu] = state.nowNs;
    if (next >= 0) {
      schedstat.add(cpu, Schedstat.Cpu.PCOUNT, 1);
      schedstat.add(cpu, Schedstat.Cpu.RUN_DELAY, state.nowNs - state.queuedNs[next]);
      costs.switched(next);
    } else {
      schedstat.add(cpu, Schedstat.Cpu.SCHED_GOIDLE, 1);
    }
    ticks.switched(cpu, previous, next);
    programs.switched(cpu, previous, next);
  }

  private int pick(int cpu) {
    int task = realtime.first(cpu);
    if (task >= 0) {
      realtime.remove(cpu, task);
      return task;
    }
    return fair.pick(cpu);
  }

  private void pullRealtime(int cpu, int prio) {
    int own = realtime.first(cpu);
    int best = realtime.pullable(cpu, own < 0 ? prio : Math.min(prio, state.prio[own]));
    if (best >= 0) {
      move(best, cpu, cpu, Emitter.IN_TASK);
    }
  }

  // --- Changes from outside

  /**
   * The task may run on other CPUs from now on; one that runs is moved by the migration thread. A
   * mask without a CPU that is there is refused (set_cpus_allowed_ptr).
   */
  void setAllowed(int task, CpuSet allowed, int executing) {
    if (!allowed.intersects(state.active)) {
      return;
    }
    state.allowed[task] = allowed;
    int cpu = state.taskCpu[task];
    if (!state.isOnQueue(task)) {
      return;
    }
    if (allowed.contains(cpu) && state.active.contains(cpu)) {
      if (state.isFair(task) && state.curr[cpu] != task) {
        fair.freed(task);
      }
      return;
    }
    if (state.curr[cpu] == task) {
      stop(cpu, executing);
    } else {
      move(task, usable(task, -1), executing, Emitter.IN_TASK);
    }
  }

  /** Wakes the migration thread of a CPU, unless it is awake (stop_one_cpu). */
  void stop(int cpu, int executing) {
    int stopper = state.stopper(cpu);
    if (state.state[stopper] == RunState.SLEEPING) {
      state.remaining[stopper] = stopperRunNs;
      wake(stopper, executing, false, Emitter.IN_TASK);
    }
  }

  /** The migration thread moves every waiting task off its CPU that may not run there any more. */
  void evict(int cpu) {
    int task = state.newest[cpu];
    while (task >= 0) {
      int next = state.older[task];
      if (state.state[task] == RunState.QUEUED && !state.allowed[task].contains(cpu)) {
        move(task, usable(task, -1), cpu, Emitter.IN_TASK);
      }
      task = next;
    }
    task = realtime.misplaced(cpu);
    while (task >= 0) {
      move(task, usable(task, -1), cpu, Emitter.IN_TASK);
      task = realtime.misplaced(cpu);
    }
  }

  /** Changes policy and priority; a task on a queue leaves it and comes back. */
  void setPriority(int task, Policy policy, int priority) {
    int cpu = state.taskCpu[task];
    if (!state.isOnQueue(task)) {
      state.setPriority(task, policy, priority);
      return;
    }
    if (state.curr[cpu] == task) {
      boolean wasFair = state.isFair(task);
      fair.charge(cpu);
      state.unlink(cpu, task);
      if (wasFair) {
        fair.left(cpu, task);
      }
      state.setPriority(task, policy, priority);
      if (state.isFair(task)) {
        fair.joined(cpu, task);
      }
      state.link(cpu, task);
      state.needResched.add(cpu);
      if (!wasFair && realtime.anyWaiting()) {
        pullRealtime(cpu, state.prio[task]);
      }
      return;
    }
    long queued = state.queuedNs[task];
    dequeue(cpu, task, false);
    state.setPriority(task, policy, priority);
    enqueue(cpu, task, false);
    state.queuedNs[task] = queued;
    checkPreempt(cpu, task);
    woken(cpu, task);
  }

  /** The CPU goes away: its own threads stop, what it runs is taken from it and moves on. */
  void offline(int cpu) {
    state.active.remove(cpu);
    state.activePending[cpu] = false;
    park(cpu, state.stopper(cpu));
    park(cpu, state.noise(cpu));
    int current = state.curr[cpu];
    if (current >= 0 && state.state[current] == RunState.SLEEPING) {
      switchTo(cpu, current, false, -1);
    } else if (current >= 0) {
      fair.charge(cpu);
      state.state[current] = RunState.QUEUED;
      state.queuedNs[current] = state.nowNs;
      if (state.isFair(current)) {
        fair.putPrevious(cpu, current);
      } else {
        realtime.add(cpu, current, true);
      }
      switchTo(cpu, current, true, -1);
    }
    state.needResched.remove(cpu);
    for (int task = 0; task < state.tasks; task++) {
      if (state.taskCpu[task] == cpu && state.state[task] == RunState.QUEUED) {
        move(task, usable(task, -1), cpu, Emitter.IN_TASK);
      }
    }
    ticks.offline(cpu);
  }

  /** A kernel thread that is bound to a CPU gives up what it has to do. */
  private void park(int cpu, int thread) {
    if (state.isOnQueue(thread)) {
      dequeue(cpu, thread, true);
      state.state[thread] = RunState.SLEEPING;
    }
  }

  /** The CPU is back, idle. */
  void online(int cpu) {
    state.active.add(cpu);
    ticks.online(cpu);
    // Where all CPUs share a queue there may be work for it.
    state.needResched.add(cpu);
  }
}

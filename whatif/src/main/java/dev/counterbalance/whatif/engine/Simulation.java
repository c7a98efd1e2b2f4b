package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.rule.Tunables;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * One run of a workload on a machine under a rule. Events go to the sink as an importer would
 * deliver them; {@code begin} is called by whoever makes the sink, everything after it, {@code end}
 * included, by {@link #run}. The clock starts at 0. A run is single-threaded and depends on nothing
 * but its {@link SimSpec}.
 */
public final class Simulation {
  /** Kernel thread id of CPU 0's migration thread; its noise thread is next, then CPU 1's. */
  static final int FIRST_KTHREAD = 10;

  /** Period in which processor sharing turns over; ns. */
  private static final long SHARING_QUANTUM_NS = 100_000;

  private static final long NS_PER_MS = 1_000_000;
  private static final int MIGRATION_RT_PRIORITY = 99;
  private static final int ROUND = 1000;

  private final SimSpec spec;
  private final RunState state;
  private final EventQueue queue;
  private final Sources sources;
  private final Schedstat schedstat;
  private final Costs costs;
  private final Emitter emitter;
  private final Scheduler scheduler;
  private final Ticks ticks;
  private final Programs programs;
  private final List<Workload.Action> actions;
  private final long noiseMeanNs;
  private final long[] noises;
  private int nextAction;

  /**
   * @param nameIds gives the sink's id of a task's name
   */
  public Simulation(
      SimSpec spec, EventSink sink, ToIntFunction<String> nameIds, DecisionSink decisions) {
    this.spec = spec;
    Workload workload = spec.workload();
    Tunables tunables = spec.tunables();
    state = new RunState(spec.domains(), workload);
    sources = new Sources(state);
    queue = new EventQueue(sources.count());
    schedstat = new Schedstat(spec.domains().all().length, state.cpus);
    emitter = new Emitter(state, workload, sink, nameIds);
    costs = new Costs(state, spec.machine(), tunables);
    Speeds speeds = new Speeds(spec.machine(), state.cpus, tunables);
    RtQueues realtime = new RtQueues(state);
    scheduler = new Scheduler(state, emitter, schedstat, realtime, costs, tunables);
    Jiffies jiffies = new Jiffies(state, tunables);
    Parts parts = Parts.of(spec, state, speeds, schedstat, scheduler);
    Balancing balancing =
        spec.oracle() == null
            ? new Balancing(spec, state, scheduler, schedstat, decisions, costs, jiffies)
            : null;
    long tickNs =
        switch (parts.ticking()) {
          case NONE -> 0;
          case QUANTUM -> SHARING_QUANTUM_NS;
          case HZ -> jiffies.tickNs;
        };
    ticks = new Ticks(spec, state, queue, sources.tick(0), jiffies, tickNs);
    programs =
        new Programs(spec, state, queue, sources, speeds, scheduler, schedstat, emitter, balancing);
    scheduler.join(parts.fair(), parts.placement(), balancing, programs, ticks);
    ticks.join(parts.fair(), realtime, balancing);
    actions = workload.actions();
    noiseMeanNs = tunables.get("backgroundNoise") * NS_PER_MS;
    noises = new long[state.cpus];
    prepareTasks(workload);
  }

  private void prepareTasks(Workload workload) {
    for (int task = 0; task < state.workTasks; task++) {
      state.allowed[task] = programs.mask(workload.affinity(task));
      if (workload.startNs(task) >= 0) {
        queue.set(sources.task(task), workload.startNs(task));
      }
    }
    for (int cpu = 0; cpu < state.cpus; cpu++) {
      CpuSet own = CpuSet.of(state.cpus, cpu);
      int stopper = state.stopper(cpu);
      int noise = state.noise(cpu);
      state.allowed[stopper] = own;
      state.allowed[noise] = own;
      state.taskCpu[stopper] = cpu;
      state.taskCpu[noise] = cpu;
      state.state[stopper] = RunState.SLEEPING;
      state.state[noise] = RunState.SLEEPING;
      state.setPriority(stopper, Policy.FIFO, MIGRATION_RT_PRIORITY);
      state.prio[stopper] = RunState.STOP_PRIO;
      state.setPriority(noise, Policy.NORMAL, 0);
      planNoise(cpu);
    }
    planAction();
  }

  /** Kernel thread id that a workload's task has in the trace. */
  public static int tid(int cpus, int task) {
    return ROUND * (1 + (FIRST_KTHREAD + 2 * cpus) / ROUND) + task;
  }

  /** Runs to the horizon, or until every task exited. */
  public SimResult run() {
    emitter.begin();
    ticks.start();
    long end = spec.horizonNs();
    while (queue.firstTime() <= end) {
      state.nowNs = queue.firstTime();
      dispatch(queue.poll());
      for (int cpu = state.needResched.first(); cpu >= 0; cpu = state.needResched.first()) {
        scheduler.schedule(cpu);
      }
      if (programs.finished() == state.workTasks) {
        end = state.nowNs;
        break;
      }
    }
    state.nowNs = end;
    closeBooks();
    emitter.end(end);
    return new SimResult(
        end,
        programs.finished(),
        programs.started(),
        emitter.events(),
        state.workNs,
        costs.totalNs(),
        stuck());
  }

  private void dispatch(int source) {
    if (sources.isBurst(source)) {
      programs.burstOver(source);
    } else if (sources.isTask(source)) {
      programs.timer(sources.taskOf(source));
    } else if (source == sources.action()) {
      act(actions.get(nextAction++));
      planAction();
    } else if (sources.isNoise(source)) {
      int cpu = sources.cpuOfNoise(source);
      programs.noise(cpu);
      planNoise(cpu);
    } else {
      ticks.tick(sources.cpuOfTick(source));
    }
  }

  private void planAction() {
    if (nextAction < actions.size()) {
      queue.set(sources.action(), actions.get(nextAction).atNs());
    }
  }

  private void planNoise(int cpu) {
    if (noiseMeanNs > 0) {
      long gap = Keyed.exponential(noiseMeanNs, spec.seed(), Keyed.NOISE, cpu, noises[cpu]++);
      queue.set(sources.noise(cpu), state.nowNs + gap);
    }
  }

  private void act(Workload.Action action) {
    int from = state.active.first();
    switch (action.kind()) {
      case AFFINITY -> scheduler.setAllowed(action.task(), programs.mask(action.ref()), from);
      case PRIORITY ->
          scheduler.setPriority(action.task(), Policy.values()[action.ref()], action.arg());
      case CPU_OFF -> {
        if (state.active.contains(action.ref()) && state.active.size() > 1) {
          scheduler.offline(action.ref());
        }
      }
      case CPU_ON -> {
        if (!state.active.contains(action.ref())) {
          scheduler.online(action.ref());
        }
      }
    }
  }

  /** Charges what runs at the end, so that counters cover the whole run. */
  private void closeBooks() {
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      scheduler.fair().charge(cpu);
      if (state.curr[cpu] >= 0) {
        schedstat.add(cpu, Schedstat.Cpu.RQ_CPU_TIME, state.nowNs - state.switchedNs[cpu]);
      }
    }
  }

  /** Tasks that can never go on: nothing runs, nothing is planned, and they are not done. */
  private int stuck() {
    int waiting = 0;
    for (int task = 0; task < state.workTasks; task++) {
      byte is = state.state[task];
      if (is == RunState.QUEUED || is == RunState.RUNNING || queue.isPending(sources.task(task))) {
        return 0;
      }
      waiting += is == RunState.DEAD ? 0 : 1;
    }
    return waiting;
  }

  /** The counters of /proc/schedstat after the run. */
  public Schedstat schedstat() {
    return schedstat;
  }

  /** Everything that changes, for tests that look at invariants. */
  RunState state() {
    return state;
  }

  /** The fair queues, for tests that look at invariants. */
  FairQueues fair() {
    return scheduler.fair();
  }
}

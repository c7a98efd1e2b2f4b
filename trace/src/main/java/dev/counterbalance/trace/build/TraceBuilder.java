package dev.counterbalance.trace.build;

import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.ProcessEvent;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.event.StatKind;
import dev.counterbalance.trace.event.Tier;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.interval.IntervalBuilder;
import dev.counterbalance.trace.interval.StateCodes;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.task.Names;
import dev.counterbalance.trace.task.TaskRegistry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Turns the events of one trace into the rows of its tables, intervals included. */
public final class TraceBuilder implements EventSink {
  private static final int UNKNOWN = EventContext.UNKNOWN.ordinal();
  private static final VarHandle NOW;

  static {
    try {
      NOW = MethodHandles.lookup().findVarHandle(TraceBuilder.class, "nowNs", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final TraceImport trace;
  private final String source;
  private final Names names;

  /** Null if everything is kept. */
  private final RowFilter rows;

  private final TaskRegistry tasks;
  private final EventTables events;
  private final FactTables facts;
  private final IrqPairs irqs;
  private final Losses losses;
  private final CpuWindows windows = new CpuWindows(this::openCpu);

  @SuppressWarnings("unused") // by NOW only
  private long nowNs;

  private TraceInfo info;
  private boolean hasFlags;

  /** Null if nothing is known from beside the recording. */
  private Sidecar sidecar;

  private SidecarTasks sidecarTasks;

  /** The machine by what is known of it best. */
  private Machine machine;

  private String topology;
  private StateCodes codes;
  private IntervalBuilder intervals;

  /**
   * @param source the file or command the trace comes from, for the table {@code trace}
   * @param names the names that the importer's ids stand for
   */
  public TraceBuilder(TraceImport trace, String source, Names names) {
    this(trace, source, names, TraceFilter.NONE);
  }

  /**
   * A builder that keeps a part of the trace only.
   *
   * @param source the file or command the trace comes from, for the table {@code trace}
   * @param names the names that the importer's ids stand for
   */
  public TraceBuilder(TraceImport trace, String source, Names names, TraceFilter filter) {
    this.trace = trace;
    this.source = source;
    this.names = names;
    TableWriter history = trace.table(Tables.THREAD_NAME);
    tasks =
        new TaskRegistry(
            names,
            (utid, tsNs, name) -> {
              history.ints("utid").add(utid);
              history.longs("ts").add(tsNs);
              history.texts("name").add(names.text(name));
              history.endRow();
              nameTaken(utid, name);
            });
    rows = filter.isNone() ? null : new RowFilter(filter, tasks, names);
    events = new EventTables(trace, rows);
    facts = new FactTables(trace, names, filter);
    irqs = new IrqPairs(events);
    losses = new Losses(trace.table(Tables.DATA_LOSS), rows);
  }

  /** Time of the last switch; any thread may ask, to show how far it got. */
  public long nowNs() {
    return (long) NOW.getOpaque(this);
  }

  @Override
  public void sidecar(Sidecar beside) {
    sidecar = beside;
    sidecarTasks = new SidecarTasks(beside, names);
  }

  /**
   * The user knows the machine better; call before {@link #begin}.
   *
   * @param given what the user typed, for the table {@code trace_fact}
   */
  public void topology(Machine replaced, String given) {
    machine = replaced;
    topology = given;
  }

  @Override
  public void begin(TraceInfo traceInfo) {
    info = traceInfo;
    joinSidecar();
    if (rows != null) {
      rows.begin(info.startNs);
    }
    codes = new StateCodes(info.prevState);
    boolean hasWakeup = info.events.stream().anyMatch(e -> e.endsWith("sched_wakeup"));
    intervals = new IntervalBuilder(tasks, codes, new IntervalTables(trace, rows), hasWakeup);
    facts.facts(info, sidecar, topology);
  }

  /** Completes the header by the sidecar. */
  private void joinSidecar() {
    boolean given = machine != null;
    machine = given ? machine : info.machine;
    if (sidecar == null) {
      return;
    }
    sidecar.problems.forEach(facts::problem);
    info.hostname = info.hostname == null ? sidecar.hostname : info.hostname;
    info.osRelease = info.osRelease == null ? sidecar.facts.get("kernel.release") : info.osRelease;
    info.arch = info.arch == null ? sidecar.facts.get("machine.arch") : info.arch;
    if (sidecar.machine == null || given) {
      return;
    }
    SidecarMachine.Joined joined = SidecarMachine.join(info.machine, sidecar.machine);
    machine = joined.machine();
    if (info.cpusOnline < 0) {
      info.cpusOnline = (int) machine.cpus().stream().filter(cpu -> cpu.online).count();
    }
    if (joined.contradictions() > 0) {
      facts.problem(
          SidecarTasks.info(
              "sidecar_other_machine",
              joined.contradictions(),
              "the bundle and the recording's header tell different things of CPUs: "
                  + joined.contradiction()
                  + " in the bundle",
              "The bundle was believed; --topology replaces both."));
    }
  }

  private void nameTaken(int utid, int name) {
    if (sidecarTasks != null) {
      sidecarTasks.named(utid, tasks.tid(utid), name);
    }
  }

  @Override
  public void onCpuStart(long tsNs, int cpu, int currentTid, boolean silent) {
    // A CPU that never spoke ran its idle task, if a busy one would have spoken at each tick.
    windows.announce(tsNs, cpu, silent && info.tickDriven ? 0 : currentTid, silent);
  }

  @Override
  public void onSwitch(
      long tsNs,
      int cpu,
      int prevTid,
      int prevName,
      int prevPrio,
      long prevState,
      int nextTid,
      int nextName,
      int nextPrio) {
    NOW.setOpaque(this, tsNs);
    known(tsNs, cpu);
    int prev = tasks.of(prevTid, cpu, prevName, tsNs);
    int next = tasks.of(nextTid, cpu, nextName, tsNs);
    tasks.setPrio(prev, prevPrio);
    tasks.setPrio(next, nextPrio);
    intervals.onSwitch(tsNs, cpu, prev, prevPrio, prevState, next, nextPrio);
  }

  @Override
  public void onWaking(
      long tsNs, int cpu, int currentTid, int tid, int name, int prio, int targetCpu, int context) {
    known(tsNs, cpu);
    int waker = running(tsNs, cpu, currentTid);
    int utid = tasks.of(tid, targetCpu, name, tsNs);
    tasks.setPrio(utid, prio);
    hasFlags |= context != UNKNOWN;
    events.waking(tsNs, cpu, waker, utid, prio, targetCpu, context);
    intervals.onWaking(tsNs, cpu, waker, utid, targetCpu, context);
  }

  @Override
  public void onWakeup(
      long tsNs,
      int cpu,
      int currentTid,
      int tid,
      int name,
      int prio,
      int targetCpu,
      boolean isNew,
      int context) {
    known(tsNs, cpu);
    int waker = running(tsNs, cpu, currentTid);
    int utid = tasks.of(tid, targetCpu, name, tsNs);
    tasks.setPrio(utid, prio);
    hasFlags |= context != UNKNOWN;
    events.wakeup(tsNs, cpu, waker, utid, prio, targetCpu, isNew, context);
    intervals.onWakeup(tsNs, cpu, waker, utid, targetCpu, isNew, context);
  }

  @Override
  public void onMigrate(
      long tsNs,
      int cpu,
      int currentTid,
      int tid,
      int name,
      int prio,
      int origCpu,
      int destCpu,
      int context) {
    known(tsNs, cpu);
    running(tsNs, cpu, currentTid);
    int utid = tasks.of(tid, origCpu, name, tsNs);
    tasks.setPrio(utid, prio);
    events.migrate(tsNs, cpu, utid, prio, origCpu, destCpu, context);
    intervals.onMigrate(tsNs, cpu, utid, destCpu);
  }

  @Override
  public void onProcess(
      long tsNs, int cpu, int kind, int tid, int name, int otherTid, int otherName, int prio) {
    known(tsNs, cpu);
    switch (ProcessEvent.values()[kind]) {
      case FORK -> {
        int parent = tasks.of(tid, cpu, name, tsNs);
        int child = born(tsNs, otherTid);
        tasks.setName(child, otherName, tsNs);
        events.process(tsNs, cpu, kind, parent, child, null);
      }
      case EXEC -> {
        int caller = tasks.of(otherTid < 0 ? tid : otherTid, cpu);
        if (otherTid >= 0 && otherTid != tid) {
          tasks.takesTid(caller, tid, tsNs);
        }
        events.process(tsNs, cpu, kind, caller, otherTid == tid ? -1 : caller, names.text(name));
      }
      case FREE -> events.process(tsNs, cpu, kind, tasks.last(tid), -1, null);
      case WAIT ->
          events.process(
              tsNs, cpu, kind, tid == 0 ? -1 : tasks.last(tid), tasks.of(otherTid, cpu), null);
      case EXIT, HANG -> events.process(tsNs, cpu, kind, tasks.of(tid, cpu, name, tsNs), -1, null);
    }
  }

  @Override
  public void onPrio(long tsNs, int cpu, int tid, int name, int oldPrio, int newPrio) {
    known(tsNs, cpu);
    int utid = tasks.of(tid, cpu, name, tsNs);
    tasks.setPrio(utid, newPrio);
    events.prio(tsNs, cpu, utid, oldPrio, newPrio);
  }

  @Override
  public void onNuma(
      long tsNs,
      int cpu,
      int kind,
      int tid,
      int srcCpu,
      int srcNid,
      int otherTid,
      int dstCpu,
      int dstNid) {
    known(tsNs, cpu);
    events.numa(
        tsNs,
        cpu,
        kind,
        tasks.of(tid, srcCpu),
        srcCpu,
        srcNid,
        otherTid > 0 ? tasks.of(otherTid, dstCpu) : -1,
        dstCpu,
        dstNid);
  }

  @Override
  public void onStat(
      long tsNs, int cpu, int kind, int currentTid, int tid, int name, long ns, long vruntimeNs) {
    known(tsNs, cpu);
    running(tsNs, cpu, currentTid);
    int utid = tasks.of(tid, cpu, name, tsNs);
    events.stat(tsNs, cpu, utid, kind, ns, vruntimeNs);
    if (kind == StatKind.RUNTIME.ordinal()) {
      intervals.onOther(cpu);
    }
  }

  @Override
  public void onIrq(long tsNs, int cpu, int kind, boolean entry, int vector, int name) {
    known(tsNs, cpu);
    irqs.on(tsNs, cpu, kind, entry, vector, names.text(name));
  }

  @Override
  public void onCpuIdle(long tsNs, int cpu, int state) {
    known(tsNs, cpu);
    events.cpuIdle(tsNs, cpu, state);
  }

  @Override
  public void onCpuFrequency(long tsNs, int cpu, long khz) {
    events.cpuFrequency(tsNs, cpu, khz);
  }

  @Override
  public void onNrRunning(long tsNs, int cpu, int nrRunning) {
    events.nrRunning(tsNs, cpu, nrRunning);
  }

  @Override
  public void onOther(long tsNs, int cpu, int currentTid, int eventName, String argsJson) {
    known(tsNs, cpu);
    events.other(tsNs, cpu, running(tsNs, cpu, currentTid), names.text(eventName), argsJson);
  }

  @Override
  public void onTaskName(long tsNs, int tgid, int tid, int name, boolean exec) {
    if (tid == 0) {
      return;
    }
    int utid = tasks.of(tid, 0);
    tasks.setName(utid, name, tsNs < 0 ? info.startNs : tsNs);
    tasks.inGroup(utid, tgid, tsNs);
  }

  @Override
  public void onTaskCreated(long tsNs, int tgid, int tid, int parentTgid, int parentTid) {
    if (tid == 0) {
      return;
    }
    int utid = tsNs < 0 ? tasks.of(tid, 0) : born(tsNs, tid);
    tasks.inGroup(utid, tgid, tsNs);
    tasks.childOf(utid, parentTgid);
  }

  @Override
  public void onTaskExited(long tsNs, int tgid, int tid) {
    int utid = tasks.last(tid);
    if (tgid == tid && tasks.upid(utid) >= 0) {
      tasks.processes().ended(tasks.upid(utid), tsNs);
    }
  }

  @Override
  public void onLossBegin(long tsNs, int cpu) {
    known(tsNs, cpu);
    irqs.gap(cpu);
    losses.begin(tsNs, cpu);
    intervals.onLossBegin(tsNs, cpu);
  }

  @Override
  public void onLossEnd(long tsNs, int cpu, long lost, int currentTid, String lossSource) {
    losses.end(tsNs, cpu, lost, lossSource);
    intervals.onLossEnd(tsNs, cpu, current(currentTid, cpu));
  }

  @Override
  public void onProblem(Problem problem) {
    facts.problem(problem);
  }

  @Override
  public void end(long endNs, long eventCount, long lostEvents) {
    windows.begin(info.startNs);
    irqs.end();
    losses.finish(endNs);
    intervals.end(endNs);
    intervals.anomalies().problems().forEach(facts::problem);
    if (irqs.orphans > 0) {
      facts.problem(
          new Problem(
              Severity.INFO,
              "irq_exit_without_entry",
              irqs.orphans,
              -1,
              -1,
              "an interrupt handler's exit was recorded without its entry",
              "It was not stored; normal where a recording or a gap ends within a handler."));
    }
    facts.machine(machine, windows, cpu -> intervals.windowEnd(cpu, endNs), rows);
    tasks();
    facts.states(codes);
    boolean beside = sidecar != null && sidecar.machine != null;
    Tier tier = info.simulated == null ? Tier.of(info.eventNames(), hasFlags, beside) : null;
    facts.trace(info, source, endNs, eventCount, lostEvents, tier, rows);
  }

  private void tasks() {
    int cpus = Math.max(machine.cpus().size(), windows.count());
    SidecarTables tables = new SidecarTables(cpus);
    Sidecar.Task[] known = sidecar == null ? new Sidecar.Task[0] : sidecarTasks.match(tasks);
    facts.tasks(tasks, cpus, info.simulated, known, tables);
    if (sidecar != null) {
      tables.domains(trace, sidecar.domains);
      SidecarTables.counters(trace, sidecar.counters);
      sidecarTasks.problems(facts::problem);
      tables.problems(facts::problem);
    }
  }

  private int born(long tsNs, int tid) {
    int before = tasks.known(tid);
    int utid = tasks.born(tid, tsNs);
    if (before >= 0 && utid != before) {
      intervals.onGone(tsNs, before);
    }
    return utid;
  }

  private int current(int currentTid, int cpu) {
    return currentTid < 0 ? -1 : tasks.of(currentTid, cpu);
  }

  /** The task that ran on the CPU when an event was recorded, or -1; tells the intervals of it. */
  private int running(long tsNs, int cpu, int currentTid) {
    int utid = current(currentTid, cpu);
    if (utid >= 0) {
      intervals.onCurrent(tsNs, cpu, utid);
    }
    return utid;
  }

  private void openCpu(long tsNs, int cpu, int tid) {
    intervals.cpuStart(tsNs, cpu, tid < 0 ? -1 : tasks.of(tid, cpu));
  }

  /** Opens the window of a CPU at its first event, unless it is open. */
  private void known(long tsNs, int cpu) {
    if (!windows.isOpen(cpu)) {
      windows.begin(info.startNs);
      if (!windows.isOpen(cpu)) {
        windows.firstEvent(tsNs, cpu);
      }
    }
  }
}

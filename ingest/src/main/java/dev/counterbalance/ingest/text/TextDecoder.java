package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.ingest.tracefs.EventKind;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.IrqKind;
import dev.counterbalance.trace.event.NumaEvent;
import dev.counterbalance.trace.event.ProcessEvent;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.StatKind;
import dev.counterbalance.trace.task.Names;

/** Turns the printed fields of an event into one call of the sink. */
@SuppressWarnings("EnumOrdinal") // the sink takes kinds as ordinals
final class TextDecoder {
  private static final byte[] OLD_PID = Ascii.of(" old_pid=");
  private static final byte[] PID = Ascii.of(" pid=");
  private static final byte[] FILENAME = Ascii.of(" filename=");
  private static final byte[] OLD_PRIO = Ascii.of(" oldprio=");
  private static final byte[] NEW_PRIO = Ascii.of(" newprio=");
  private static final byte[] DELAY = Ascii.of(" delay=");
  private static final byte[] RUNTIME = Ascii.of(" runtime=");
  private static final byte[] VRUNTIME = Ascii.of(" vruntime=");
  private static final byte[] OLD_WAIT = Ascii.of(" wait: ");
  private static final byte[] OLD_SLEEP = Ascii.of(" sleep: ");
  private static final byte[] OLD_IOWAIT = Ascii.of(" iowait: ");
  private static final byte[] OLD_RUNTIME = Ascii.of(" runtime: ");
  private static final byte[] OLD_VRUNTIME = Ascii.of(" vruntime: ");
  private static final byte[] IRQ = Ascii.of(" irq=");
  private static final byte[] NAME = Ascii.of(" name=");
  private static final byte[] HANDLER = Ascii.of(" handler=");
  private static final byte[] VEC = Ascii.of(" vec=");
  private static final byte[] SOFTIRQ = Ascii.of(" softirq=");
  private static final byte[] ACTION = Ascii.of(" [action=");
  private static final byte[] STATE = Ascii.of(" state=");
  private static final byte[] CPU_ID = Ascii.of(" cpu_id=");
  private static final byte[] CPU = Ascii.of(" cpu=");
  private static final byte[] NR_RUNNING = Ascii.of(" nr_running=");
  private static final byte[] SRC_PID = Ascii.of(" src_pid=");
  private static final byte[] SRC_CPU = Ascii.of(" src_cpu=");
  private static final byte[] SRC_NID = Ascii.of(" src_nid=");
  private static final byte[] DST_PID = Ascii.of(" dst_pid=");
  private static final byte[] DST_CPU = Ascii.of(" dst_cpu=");
  private static final byte[] DST_NID = Ascii.of(" dst_nid=");

  /** Names of soft interrupts by vector (include/linux/interrupt.h), for texts without them. */
  private static final String[] SOFTIRQS = {
    "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"
  };

  private static final int NO_PRIO = Integer.MIN_VALUE;
  private static final int HARD = IrqKind.HARD.ordinal();
  private static final int SOFT = IrqKind.SOFT.ordinal();

  private final ProblemLog problems;
  private final TextNames textNames;
  private final EventSink sink;
  private final PrintedStates states;
  private final TaskNames tasks;
  private final Fields fields = new Fields();
  private final int[] softirqNames = new int[SOFTIRQS.length];

  // The event at hand.
  private byte[] b;
  private Line line;
  private int from;
  private int to;

  TextDecoder(
      ProblemLog problems,
      Names names,
      TextNames textNames,
      EventSink sink,
      PrintedStates states,
      TaskNames tasks) {
    this.problems = problems;
    this.textNames = textNames;
    this.sink = sink;
    this.states = states;
    this.tasks = tasks;
    for (int vector = 0; vector < SOFTIRQS.length; vector++) {
      softirqNames[vector] = names.of(SOFTIRQS[vector]);
    }
  }

  /**
   * Decodes an event.
   *
   * @param kind an {@link EventKind}
   * @param eventName id of its name, for kinds without a method
   * @param offset where the line is in the input
   */
  void decode(byte[] bytes, Line header, int kind, int eventName, long offset)
      throws TraceFormatException {
    b = bytes;
    line = header;
    from = header.argsFrom;
    to = header.argsTo;
    fields.start(bytes, from, to);
    boolean read;
    switch (kind) {
      case EventKind.NONE -> {
        return;
      }
      case EventKind.SWITCH -> {
        read = switchEvent(offset);
      }
      case EventKind.WAKING, EventKind.WAKEUP, EventKind.WAKEUP_NEW -> {
        read = wake(kind, offset);
      }
      case EventKind.MIGRATE -> {
        read = migrate();
      }
      case EventKind.OTHER -> {
        other(eventName);
        return;
      }
      default -> {
        read = rarer(kind);
      }
    }
    if (!read) {
      malformed(offset);
    }
  }

  /** An event whose fields are not as they should be is kept as one without a method. */
  private void malformed(long offset) throws TraceFormatException {
    int colon = line.eventTo;
    while (colon > line.eventFrom && b[colon - 1] != ':') {
      colon--;
    }
    other(textNames.of(b, colon, line.eventTo));
    unreadable(b, line, offset);
  }

  /** Counts an event whose fields are not as they should be. */
  void unreadable(byte[] bytes, Line header, long offset) throws TraceFormatException {
    if (!problems.again("unreadable_fields")) {
      problems.damage(
          "unreadable_fields",
          offset,
          header.timeNs,
          "an event whose fields do not read as its name says: "
              + Ascii.quoted(bytes, header.eventFrom, Math.max(header.eventTo, header.argsTo), 160),
          "Such events are kept as other events only.");
    }
  }

  private void other(int eventName) {
    String json = PrintedArgs.json(b, from, to);
    sink.onOther(line.timeNs, line.cpu, line.tid, eventName, json);
  }

  private boolean switchEvent(long offset) {
    if (!fields.isSwitch()) {
      return false;
    }
    int prev = taskName();
    int next = name(fields.otherTid, fields.otherFrom, fields.otherTo);
    sink.onSwitch(
        line.timeNs,
        line.cpu,
        fields.tid,
        prev,
        fields.prio,
        states.raw(b, fields.stateFrom, fields.stateTo, fields.otherTid, offset),
        fields.otherTid,
        next,
        fields.otherPrio);
    return true;
  }

  private boolean wake(int kind, long offset) {
    if (!fields.isWake()) {
      return false;
    }
    int name = taskName();
    int tid = fields.tid;
    int prio = fields.prio;
    if (!fields.success) {
      failedWake(offset);
    } else if (kind == EventKind.WAKING) {
      sink.onWaking(line.timeNs, line.cpu, line.tid, tid, name, prio, fields.cpu, line.context);
    } else {
      boolean isNew = kind == EventKind.WAKEUP_NEW;
      if (isNew) {
        tasks.born(tid);
      }
      // Old perf named the woken task as the line's own, on its CPU: it need not run there.
      int current = line.tid == tid && !fields.hasKeys ? -1 : line.tid;
      sink.onWakeup(
          line.timeNs, line.cpu, current, tid, name, prio, fields.cpu, isNew, line.context);
    }
    return true;
  }

  private void failedWake(long offset) {
    if (!problems.again("wakeup_without_success")) {
      problems.add(
          Severity.INFO,
          "wakeup_without_success",
          1,
          offset,
          line.timeNs,
          "a wakeup with success=0: the task was awake already",
          "Such events wake nobody and are not imported.");
    }
  }

  private boolean migrate() {
    if (!fields.isMigrate()) {
      return false;
    }
    int name = taskName();
    sink.onMigrate(
        line.timeNs,
        line.cpu,
        line.tid,
        fields.tid,
        name,
        fields.prio,
        fields.origCpu,
        fields.cpu,
        line.context);
    return true;
  }

  private boolean rarer(int kind) {
    return switch (kind) {
      case EventKind.STAT_RUNTIME -> stat(StatKind.RUNTIME, RUNTIME, OLD_RUNTIME);
      case EventKind.STAT_WAIT -> stat(StatKind.WAIT, DELAY, OLD_WAIT);
      case EventKind.STAT_SLEEP -> stat(StatKind.SLEEP, DELAY, OLD_SLEEP);
      case EventKind.STAT_IOWAIT -> stat(StatKind.IOWAIT, DELAY, OLD_IOWAIT);
      case EventKind.STAT_BLOCKED -> stat(StatKind.BLOCKED, DELAY, OLD_SLEEP);
      case EventKind.IRQ_ENTRY -> irqEntry();
      case EventKind.IRQ_EXIT -> irqExit();
      case EventKind.SOFTIRQ_ENTRY -> softirq(true);
      case EventKind.SOFTIRQ_EXIT -> softirq(false);
      case EventKind.CPU_IDLE, EventKind.CPU_FREQUENCY -> power(kind);
      case EventKind.NR_RUNNING -> nrRunning();
      case EventKind.NUMA_MOVE -> numa(NumaEvent.MOVE);
      case EventKind.NUMA_STICK -> numa(NumaEvent.STICK);
      case EventKind.NUMA_SWAP -> numa(NumaEvent.SWAP);
      default -> process(kind);
    };
  }

  private boolean stat(StatKind kind, byte[] key, byte[] oldKey) {
    long vruntime = Long.MIN_VALUE;
    if (kind == StatKind.RUNTIME && (fields.key(VRUNTIME) || fields.key(OLD_VRUNTIME))) {
      vruntime = fields.value;
    }
    if (!fields.key(key) && !fields.key(oldKey)) {
      return false;
    }
    long ns = fields.value;
    if (!fields.isTaskWithoutPrio()) {
      return false;
    }
    int name = taskName();
    sink.onStat(line.timeNs, line.cpu, kind.ordinal(), line.tid, fields.tid, name, ns, vruntime);
    return true;
  }

  private boolean irqEntry() {
    int at = fields.valueOf(NAME);
    at = at < 0 ? fields.valueOf(HANDLER) : at;
    int irq = fields.valueOf(IRQ);
    if (at < 0 || irq < 0 || !Ascii.hasNumber(b, irq, to)) {
      return false;
    }
    int vector = (int) Ascii.number(b, irq, to);
    sink.onIrq(line.timeNs, line.cpu, HARD, true, vector, textNames.of(b, at, to));
    return true;
  }

  private boolean irqExit() {
    int irq = fields.valueOf(IRQ);
    if (irq < 0 || !Ascii.hasNumber(b, irq, to)) {
      return false;
    }
    int vector = (int) Ascii.number(b, irq, to);
    sink.onIrq(line.timeNs, line.cpu, HARD, false, vector, Names.UNKNOWN);
    return true;
  }

  private boolean softirq(boolean entry) {
    int at = fields.valueOf(VEC);
    at = at < 0 ? fields.valueOf(SOFTIRQ) : at;
    if (at < 0 || !Ascii.hasNumber(b, at, to)) {
      return false;
    }
    int vector = (int) Ascii.number(b, at, to);
    int action = fields.valueOf(ACTION);
    int name = vector >= 0 && vector < SOFTIRQS.length ? softirqNames[vector] : Names.UNKNOWN;
    if (action >= 0 && b[to - 1] == ']') {
      name = textNames.of(b, action, to - 1);
    }
    sink.onIrq(line.timeNs, line.cpu, SOFT, entry, vector, name);
    return true;
  }

  private boolean power(int kind) {
    if (!fields.key(CPU_ID)) {
      return false;
    }
    int cpu = aboutCpu(fields.value);
    if (!fields.key(STATE)) {
      return false;
    }
    if (kind == EventKind.CPU_IDLE) {
      sink.onCpuIdle(line.timeNs, cpu, (int) fields.value);
    } else {
      sink.onCpuFrequency(line.timeNs, cpu, fields.value);
    }
    return true;
  }

  private boolean nrRunning() {
    if (!fields.key(NR_RUNNING)) {
      return false;
    }
    int length = (int) fields.value;
    if (!fields.key(CPU)) {
      return false;
    }
    sink.onNrRunning(line.timeNs, aboutCpu(fields.value), length);
    return true;
  }

  /** The CPU an event names; the one it happened on if the event names an impossible one. */
  private int aboutCpu(long told) {
    return told >= 0 && told < CpuStats.MAX_CPUS ? (int) told : line.cpu;
  }

  private boolean numa(NumaEvent kind) {
    int tid = (int) first(fields.valueOf(SRC_PID) < 0 ? PID : SRC_PID);
    int srcCpu = (int) first(SRC_CPU);
    int srcNid = (int) first(SRC_NID);
    int dstCpu = (int) first(DST_CPU);
    int dstNid = (int) first(DST_NID);
    int other = fields.valueOf(DST_PID) < 0 ? -1 : (int) first(DST_PID);
    if (fields.valueOf(SRC_CPU) < 0 || fields.valueOf(DST_CPU) < 0) {
      return false;
    }
    sink.onNuma(line.timeNs, line.cpu, kind.ordinal(), tid, srcCpu, srcNid, other, dstCpu, dstNid);
    return true;
  }

  private long first(byte[] key) {
    int at = fields.valueOf(key);
    return at < 0 ? -1 : Ascii.number(b, at, to);
  }

  private boolean process(int kind) {
    return switch (kind) {
      case EventKind.FORK -> fork();
      case EventKind.EXEC -> exec();
      case EventKind.EXIT -> taskEvent(ProcessEvent.EXIT, fields.isTask());
      case EventKind.FREE -> taskEvent(ProcessEvent.FREE, fields.isTask());
      case EventKind.HANG -> taskEvent(ProcessEvent.HANG, fields.isTaskWithoutPrio());
      case EventKind.WAIT -> waiting();
      case EventKind.PRIO -> prio();
      default -> false;
    };
  }

  private boolean fork() {
    if (!fields.isFork()) {
      return false;
    }
    int parent = taskName();
    int child = name(fields.otherTid, fields.otherFrom, fields.otherTo);
    tasks.born(fields.otherTid);
    process(ProcessEvent.FORK, fields.tid, parent, fields.otherTid, child, NO_PRIO);
    return true;
  }

  private boolean exec() {
    int file = fields.valueOf(FILENAME);
    if (file < 0 || !fields.key(OLD_PID)) {
      return false;
    }
    int old = (int) fields.value;
    int end = Ascii.findLast(b, file, to, PID);
    if (end < 0 || !fields.key(PID)) {
      return false;
    }
    int tid = (int) fields.value;
    process(ProcessEvent.EXEC, tid, textNames.of(b, file, end), old, Names.UNKNOWN, NO_PRIO);
    return true;
  }

  private boolean taskEvent(ProcessEvent kind, boolean read) {
    if (read) {
      process(kind, fields.tid, taskName(), -1, Names.UNKNOWN, fields.prio);
    }
    return read;
  }

  private boolean waiting() {
    if (!fields.isTask()) {
      return false;
    }
    // The comm and prio are those of the waiting task, the pid is the one waited for.
    int waiter = name(line.tid, fields.nameFrom, fields.nameTo);
    process(ProcessEvent.WAIT, fields.tid, Names.UNKNOWN, line.tid, waiter, fields.prio);
    return true;
  }

  private boolean prio() {
    if (!fields.key(NEW_PRIO)) {
      return false;
    }
    int newPrio = (int) fields.value;
    if (!fields.key(OLD_PRIO)) {
      return false;
    }
    int oldPrio = (int) fields.value;
    if (!fields.isTaskWithoutPrio()) {
      return false;
    }
    sink.onPrio(line.timeNs, line.cpu, fields.tid, taskName(), oldPrio, newPrio);
    return true;
  }

  private void process(
      ProcessEvent kind, int tid, int name, int otherTid, int otherName, int prio) {
    sink.onProcess(line.timeNs, line.cpu, kind.ordinal(), tid, name, otherTid, otherName, prio);
  }

  private int taskName() {
    return name(fields.tid, fields.nameFrom, fields.nameTo);
  }

  private int name(int tid, int nameFrom, int nameTo) {
    int name = textNames.of(b, nameFrom, nameTo);
    if (name >= 0) {
      tasks.named(tid);
    }
    return name;
  }
}

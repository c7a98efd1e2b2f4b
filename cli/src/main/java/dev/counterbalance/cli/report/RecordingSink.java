package dev.counterbalance.cli.report;

import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.IrqKind;
import dev.counterbalance.trace.event.NumaEvent;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.ProcessEvent;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.event.StatKind;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.task.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts what a recording holds, and keeps nothing else of it. */
public final class RecordingSink implements EventSink {
  private static final int UNKNOWN = EventContext.UNKNOWN.ordinal();

  /** Gaps of one CPU. */
  static final class Gaps {
    long count;
    long lost;
    boolean lostUnknown;
    long ns;
    private long beginNs = Long.MIN_VALUE;
  }

  private final Names names;
  private final long[] process = new long[ProcessEvent.values().length];
  private final long[] numa = new long[NumaEvent.values().length];
  private final long[] stat = new long[StatKind.values().length];
  private final long[] irqEntry = new long[IrqKind.values().length];
  private final long[] irqExit = new long[IrqKind.values().length];
  private final Map<Integer, Long> others = new TreeMap<>();
  private long switches;
  private long wakings;
  private long wakeups;
  private long newWakeups;
  private long migrations;
  private long prios;
  private long idles;
  private long frequencies;
  private long nrRunnings;

  final List<Problem> problems = new ArrayList<>();
  final Map<Integer, Gaps> gaps = new TreeMap<>();
  TraceInfo info;

  /** Null if there is none. */
  Sidecar beside;

  long endNs;
  long eventCount;
  long lostEvents;
  int cpus;
  int silentCpus;

  /** True if a wake told its context. */
  boolean hasFlags;

  /** A sink for a reader that was given these names. */
  public RecordingSink(Names names) {
    this.names = names;
  }

  /** Events met, by name without system. */
  Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    counts.put("sched_switch", switches);
    counts.put("sched_waking", wakings);
    counts.put("sched_wakeup", wakeups);
    counts.put("sched_wakeup_new", newWakeups);
    counts.put("sched_migrate_task", migrations);
    counts.put("sched_pi_setprio", prios);
    counts.put("cpu_idle", idles);
    counts.put("cpu_frequency", frequencies);
    counts.put("sched_update_nr_running", nrRunnings);
    for (ProcessEvent kind : ProcessEvent.values()) {
      counts.put("sched_process_" + word(kind), process[kind.ordinal()]);
    }
    for (NumaEvent kind : NumaEvent.values()) {
      counts.put("sched_" + word(kind) + "_numa", numa[kind.ordinal()]);
    }
    for (StatKind kind : StatKind.values()) {
      counts.put("sched_stat_" + word(kind), stat[kind.ordinal()]);
    }
    for (IrqKind kind : IrqKind.values()) {
      String name = kind == IrqKind.HARD ? "irq_handler" : "softirq";
      counts.put(name + "_entry", irqEntry[kind.ordinal()]);
      counts.put(name + "_exit", irqExit[kind.ordinal()]);
    }
    others.forEach((name, count) -> counts.merge(names.text(name), count, Long::sum));
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  private static String word(Enum<?> kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void sidecar(Sidecar sidecar) {
    beside = sidecar;
  }

  @Override
  public void begin(TraceInfo traceInfo) {
    info = traceInfo;
  }

  @Override
  public void onCpuStart(long tsNs, int cpu, int currentTid, boolean silent) {
    cpus++;
    silentCpus += silent ? 1 : 0;
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
    switches++;
  }

  @Override
  public void onWaking(
      long tsNs, int cpu, int currentTid, int tid, int name, int prio, int targetCpu, int context) {
    wakings++;
    hasFlags |= context != UNKNOWN;
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
    wakeups += isNew ? 0 : 1;
    newWakeups += isNew ? 1 : 0;
    hasFlags |= context != UNKNOWN;
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
    migrations++;
  }

  @Override
  public void onProcess(
      long tsNs, int cpu, int kind, int tid, int name, int otherTid, int otherName, int prio) {
    process[kind]++;
  }

  @Override
  public void onPrio(long tsNs, int cpu, int tid, int name, int oldPrio, int newPrio) {
    prios++;
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
    numa[kind]++;
  }

  @Override
  public void onStat(
      long tsNs, int cpu, int kind, int currentTid, int tid, int name, long ns, long vruntimeNs) {
    stat[kind]++;
  }

  @Override
  public void onIrq(long tsNs, int cpu, int kind, boolean entry, int vector, int name) {
    irqEntry[kind] += entry ? 1 : 0;
    irqExit[kind] += entry ? 0 : 1;
  }

  @Override
  public void onCpuIdle(long tsNs, int cpu, int state) {
    idles++;
  }

  @Override
  public void onCpuFrequency(long tsNs, int cpu, long khz) {
    frequencies++;
  }

  @Override
  public void onNrRunning(long tsNs, int cpu, int nrRunning) {
    nrRunnings++;
  }

  @Override
  public void onOther(long tsNs, int cpu, int currentTid, int eventName, String argsJson) {
    others.merge(eventName, 1L, Long::sum);
  }

  @Override
  public void onTaskName(long tsNs, int tgid, int tid, int name, boolean exec) {}

  @Override
  public void onTaskCreated(long tsNs, int tgid, int tid, int parentTgid, int parentTid) {}

  @Override
  public void onTaskExited(long tsNs, int tgid, int tid) {}

  @Override
  public void onLossBegin(long tsNs, int cpu) {
    gaps.computeIfAbsent(cpu, c -> new Gaps()).beginNs = tsNs;
  }

  @Override
  public void onLossEnd(long tsNs, int cpu, long lost, int currentTid, String source) {
    Gaps gap = gaps.computeIfAbsent(cpu, c -> new Gaps());
    gap.count++;
    gap.lost += Math.max(0, lost);
    gap.lostUnknown |= lost < 0;
    if (gap.beginNs != Long.MIN_VALUE) {
      gap.ns += tsNs - gap.beginNs;
      gap.beginNs = Long.MIN_VALUE;
    }
  }

  @Override
  public void onProblem(Problem problem) {
    problems.add(problem);
  }

  @Override
  public void end(long lastNs, long events, long lost) {
    endNs = lastNs;
    eventCount = events;
    lostEvents = lost;
    for (Gaps gap : gaps.values()) {
      if (gap.beginNs != Long.MIN_VALUE) {
        gap.count++;
        gap.lostUnknown = true;
        gap.ns += lastNs - gap.beginNs;
      }
    }
  }
}

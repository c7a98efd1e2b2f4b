package dev.counterbalance.ingest;

import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.event.IrqKind;
import dev.counterbalance.trace.event.NumaEvent;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.ProcessEvent;
import dev.counterbalance.trace.event.StatKind;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.task.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Keeps everything as text. Tracepoint events read as {@code perf script} prints them: {@code ns
 * cpu tid name: args}, with {@code -} for a tid that the sink is not told.
 */
@SuppressWarnings("EnumOrdinal") // the sink is given kinds as ordinals
public class TextSink extends CountingSink {
  private static final String UNTOLD = "-";

  public final Names names;

  /** Tracepoint events. */
  public final List<String> texts = new ArrayList<>();

  /** Everything else: CPU starts, tasks, losses, in order. */
  public final List<String> others = new ArrayList<>();

  public final List<Problem> problems = new ArrayList<>();
  public TraceInfo info;
  public long eventCount = -1;
  public long lostEvents = -1;
  public long endNs;

  public TextSink(Names names) {
    this.names = names;
  }

  public List<String> problemCodes() {
    List<String> codes = new ArrayList<>();
    problems.forEach(problem -> codes.add(problem.code()));
    return codes;
  }

  private void add(long tsNs, int cpu, Object tid, String event, String args) {
    texts.add(tsNs + " " + cpu + " " + tid + " " + event + ": " + args);
  }

  private String name(int id) {
    return id < 0 ? "" : names.text(id);
  }

  @Override
  public void begin(TraceInfo begun) {
    super.begin(begun);
    info = begun;
  }

  @Override
  public void onCpuStart(long tsNs, int cpu, int currentTid, boolean silent) {
    others.add("start " + tsNs + " cpu=" + cpu + " tid=" + currentTid + (silent ? " silent" : ""));
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
    super.onSwitch(tsNs, cpu, prevTid, prevName, prevPrio, prevState, nextTid, nextName, nextPrio);
    String prev = "prev_comm=" + name(prevName) + " prev_pid=" + prevTid + " prev_prio=" + prevPrio;
    String next = "next_comm=" + name(nextName) + " next_pid=" + nextTid + " next_prio=" + nextPrio;
    String state = info.prevState.text(prevState);
    add(tsNs, cpu, prevTid, "sched:sched_switch", prev + " prev_state=" + state + " ==> " + next);
  }

  @Override
  public void onWaking(
      long tsNs, int cpu, int currentTid, int tid, int name, int prio, int targetCpu, int context) {
    super.onWaking(tsNs, cpu, currentTid, tid, name, prio, targetCpu, context);
    contexts.add(EventContext.values()[context]);
    add(tsNs, cpu, currentTid, "sched:sched_waking", wake(name, tid, prio, targetCpu));
  }

  /** Contexts of wakings, in order. */
  public final List<EventContext> contexts = new ArrayList<>();

  private String wake(int name, int tid, int prio, int targetCpu) {
    return String.format(
        Locale.ROOT, "comm=%s pid=%d prio=%d target_cpu=%03d", name(name), tid, prio, targetCpu);
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
    super.onWakeup(tsNs, cpu, currentTid, tid, name, prio, targetCpu, isNew, context);
    String event = isNew ? "sched:sched_wakeup_new" : "sched:sched_wakeup";
    add(tsNs, cpu, currentTid, event, wake(name, tid, prio, targetCpu));
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
    super.onMigrate(tsNs, cpu, currentTid, tid, name, prio, origCpu, destCpu, context);
    String task = "comm=" + name(name) + " pid=" + tid + " prio=" + prio;
    String cpus = " orig_cpu=" + origCpu + " dest_cpu=" + destCpu;
    add(tsNs, cpu, currentTid, "sched:sched_migrate_task", task + cpus);
  }

  @Override
  public void onProcess(
      long tsNs, int cpu, int kind, int tid, int name, int otherTid, int otherName, int prio) {
    super.onProcess(tsNs, cpu, kind, tid, name, otherTid, otherName, prio);
    ProcessEvent event = ProcessEvent.values()[kind];
    String full = "sched:sched_process_" + event.name().toLowerCase(Locale.ROOT);
    String task = "comm=" + name(name) + " pid=" + tid;
    switch (event) {
      case FORK -> {
        String child = " child_comm=" + name(otherName) + " child_pid=" + otherTid;
        add(tsNs, cpu, UNTOLD, full, task + child);
      }
      case EXEC -> {
        String args = "filename=" + name(name) + " pid=" + tid + " old_pid=" + otherTid;
        add(tsNs, cpu, UNTOLD, full, args);
      }
      case WAIT -> {
        String args = "comm=" + name(otherName) + " pid=" + tid + " prio=" + prio;
        add(tsNs, cpu, otherTid, full, args);
      }
      case HANG -> add(tsNs, cpu, UNTOLD, full, task);
      default -> add(tsNs, cpu, UNTOLD, full, task + " prio=" + prio);
    }
  }

  @Override
  public void onPrio(long tsNs, int cpu, int tid, int name, int oldPrio, int newPrio) {
    super.onPrio(tsNs, cpu, tid, name, oldPrio, newPrio);
    String task = "comm=" + name(name) + " pid=" + tid;
    String prio = " oldprio=" + oldPrio + " newprio=" + newPrio;
    add(tsNs, cpu, UNTOLD, "sched:sched_pi_setprio", task + prio);
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
    super.onNuma(tsNs, cpu, kind, tid, srcCpu, srcNid, otherTid, dstCpu, dstNid);
    String name = NumaEvent.values()[kind].name().toLowerCase(Locale.ROOT);
    String source = tid + "@" + srcCpu + "/" + srcNid;
    String target = otherTid + "@" + dstCpu + "/" + dstNid;
    add(tsNs, cpu, UNTOLD, "sched:sched_" + name + "_numa", source + " -> " + target);
  }

  @Override
  public void onStat(
      long tsNs, int cpu, int kind, int currentTid, int tid, int name, long ns, long vruntimeNs) {
    super.onStat(tsNs, cpu, kind, currentTid, tid, name, ns, vruntimeNs);
    StatKind stat = StatKind.values()[kind];
    String what = stat == StatKind.RUNTIME ? "runtime" : "delay";
    String vruntime =
        vruntimeNs == Long.MIN_VALUE
            ? ""
            : " vruntime=" + Long.toUnsignedString(vruntimeNs) + " [ns]";
    String args = "comm=" + name(name) + " pid=" + tid + " " + what + "=" + ns + " [ns]" + vruntime;
    String event = "sched:sched_stat_" + stat.name().toLowerCase(Locale.ROOT);
    add(tsNs, cpu, currentTid, event, args);
  }

  @Override
  public void onIrq(long tsNs, int cpu, int kind, boolean entry, int vector, int name) {
    super.onIrq(tsNs, cpu, kind, entry, vector, name);
    boolean hard = kind == IrqKind.HARD.ordinal();
    String event = (hard ? "irq:irq_handler_" : "irq:softirq_") + (entry ? "entry" : "exit");
    String soft = "vec=" + vector + " [action=" + name(name) + "]";
    String args = hard ? "irq=" + vector + (entry ? " name=" + name(name) : "") : soft;
    add(tsNs, cpu, UNTOLD, event, args);
  }

  @Override
  public void onCpuIdle(long tsNs, int cpu, int state) {
    super.onCpuIdle(tsNs, cpu, state);
    String args = "state=" + Integer.toUnsignedString(state) + " cpu_id=" + cpu;
    add(tsNs, cpu, UNTOLD, "power:cpu_idle", args);
  }

  @Override
  public void onCpuFrequency(long tsNs, int cpu, long khz) {
    super.onCpuFrequency(tsNs, cpu, khz);
    add(tsNs, cpu, UNTOLD, "power:cpu_frequency", "state=" + khz + " cpu_id=" + cpu);
  }

  @Override
  public void onNrRunning(long tsNs, int cpu, int nrRunning) {
    super.onNrRunning(tsNs, cpu, nrRunning);
    add(tsNs, cpu, UNTOLD, "sched_update_nr_running", "nr_running=" + nrRunning);
  }

  @Override
  public void onOther(long tsNs, int cpu, int currentTid, int eventName, String argsJson) {
    super.onOther(tsNs, cpu, currentTid, eventName, argsJson);
    add(tsNs, cpu, currentTid, "other:" + name(eventName), argsJson);
  }

  @Override
  public void onTaskName(long tsNs, int tgid, int tid, int name, boolean exec) {
    super.onTaskName(tsNs, tgid, tid, name, exec);
    others.add("name " + tsNs + " " + tgid + "/" + tid + " " + name(name) + (exec ? " exec" : ""));
  }

  @Override
  public void onTaskCreated(long tsNs, int tgid, int tid, int parentTgid, int parentTid) {
    super.onTaskCreated(tsNs, tgid, tid, parentTgid, parentTid);
    others.add("fork " + tsNs + " " + tgid + "/" + tid + " of " + parentTgid + "/" + parentTid);
  }

  @Override
  public void onTaskExited(long tsNs, int tgid, int tid) {
    super.onTaskExited(tsNs, tgid, tid);
    others.add("exit " + tsNs + " " + tgid + "/" + tid);
  }

  @Override
  public void onLossBegin(long tsNs, int cpu) {
    super.onLossBegin(tsNs, cpu);
    others.add("loss begin " + tsNs + " cpu=" + cpu);
  }

  @Override
  public void onLossEnd(long tsNs, int cpu, long lost, int currentTid, String source) {
    super.onLossEnd(tsNs, cpu, lost, currentTid, source);
    others.add(
        "loss end " + tsNs + " cpu=" + cpu + " lost=" + lost + " tid=" + currentTid + " " + source);
  }

  @Override
  public void onProblem(Problem problem) {
    super.onProblem(problem);
    problems.add(problem);
  }

  @Override
  public void end(long end, long events, long lost) {
    super.end(end, events, lost);
    endNs = end;
    eventCount = events;
    lostEvents = lost;
  }
}

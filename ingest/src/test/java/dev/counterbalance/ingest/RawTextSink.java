package dev.counterbalance.ingest;

import dev.counterbalance.trace.event.IrqKind;
import dev.counterbalance.trace.event.ProcessEvent;
import dev.counterbalance.trace.event.StatKind;
import dev.counterbalance.trace.task.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Keeps events as {@code trace-cmd report -R -t} prints them: {@code ns cpu tid name: fields}. */
@SuppressWarnings("EnumOrdinal") // the sink is given kinds as ordinals
final class RawTextSink extends CountingSink {
  /** Events for which the sink is not told the current task. */
  private static final Set<String> UNTOLD =
      Set.of(
          "sched_process_fork",
          "sched_process_exec",
          "sched_process_exit",
          "sched_process_free",
          "irq_handler_entry",
          "irq_handler_exit",
          "softirq_entry",
          "softirq_exit",
          "cpu_idle",
          "cpu_frequency");

  final List<String> texts = new ArrayList<>();
  private final Names names;
  private final boolean success;

  /**
   * Makes a sink.
   *
   * @param success true if wakeups are printed with their constant field of that name
   */
  RawTextSink(Names names, boolean success) {
    this.names = names;
    this.success = success;
  }

  static boolean isToldTid(String event) {
    return !UNTOLD.contains(event);
  }

  private void add(long tsNs, int cpu, int tid, String event, String args) {
    String told = isToldTid(event) ? Integer.toString(tid) : "-";
    texts.add(tsNs + " " + cpu + " " + told + " " + event + ": " + args);
  }

  private String task(int name, int tid) {
    return "comm=" + (name < 0 ? "" : names.text(name)) + " pid=" + tid;
  }

  private String name(int id) {
    return id < 0 ? "" : names.text(id);
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
    add(tsNs, cpu, prevTid, "sched_switch", prev + " prev_state=" + prevState + " " + next);
  }

  @Override
  public void onWaking(
      long tsNs, int cpu, int currentTid, int tid, int name, int prio, int targetCpu, int context) {
    super.onWaking(tsNs, cpu, currentTid, tid, name, prio, targetCpu, context);
    add(tsNs, cpu, currentTid, "sched_waking", wake(name, tid, prio, targetCpu));
  }

  private String wake(int name, int tid, int prio, int targetCpu) {
    return task(name, tid)
        + " prio="
        + prio
        + (success ? " success=1" : "")
        + String.format(Locale.ROOT, " target_cpu=%03d", targetCpu);
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
    String event = isNew ? "sched_wakeup_new" : "sched_wakeup";
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
    String cpus = " orig_cpu=" + origCpu + " dest_cpu=" + destCpu;
    add(tsNs, cpu, currentTid, "sched_migrate_task", task(name, tid) + " prio=" + prio + cpus);
  }

  @Override
  public void onProcess(
      long tsNs, int cpu, int kind, int tid, int name, int otherTid, int otherName, int prio) {
    super.onProcess(tsNs, cpu, kind, tid, name, otherTid, otherName, prio);
    ProcessEvent event = ProcessEvent.values()[kind];
    String full = "sched_process_" + event.name().toLowerCase(Locale.ROOT);
    switch (event) {
      case FORK -> {
        String parent = "parent_comm=" + name(name) + " parent_pid=" + tid;
        String child = " child_comm=" + name(otherName) + " child_pid=" + otherTid;
        add(tsNs, cpu, -1, full, parent + child);
      }
      case EXEC -> {
        String args = "filename=" + name(name) + " pid=" + tid + " old_pid=" + otherTid;
        add(tsNs, cpu, -1, full, args);
      }
      case WAIT -> add(tsNs, cpu, otherTid, full, task(otherName, tid) + " prio=" + prio);
      default -> add(tsNs, cpu, -1, full, task(name, tid) + " prio=" + prio);
    }
  }

  @Override
  public void onStat(
      long tsNs, int cpu, int kind, int currentTid, int tid, int name, long ns, long vruntimeNs) {
    super.onStat(tsNs, cpu, kind, currentTid, tid, name, ns, vruntimeNs);
    StatKind stat = StatKind.values()[kind];
    String what = stat == StatKind.RUNTIME ? " runtime=" : " delay=";
    String vruntime =
        vruntimeNs == Long.MIN_VALUE ? "" : " vruntime=" + Long.toUnsignedString(vruntimeNs);
    String event = "sched_stat_" + stat.name().toLowerCase(Locale.ROOT);
    add(tsNs, cpu, currentTid, event, task(name, tid) + what + ns + vruntime);
  }

  @Override
  public void onIrq(long tsNs, int cpu, int kind, boolean entry, int vector, int name) {
    super.onIrq(tsNs, cpu, kind, entry, vector, name);
    boolean hard = kind == IrqKind.HARD.ordinal();
    String event = (hard ? "irq_handler_" : "softirq_") + (entry ? "entry" : "exit");
    String args = hard ? "irq=" + vector + (entry ? " name=" + name(name) : "") : "vec=" + vector;
    add(tsNs, cpu, -1, event, args);
  }

  @Override
  public void onCpuIdle(long tsNs, int cpu, int state) {
    super.onCpuIdle(tsNs, cpu, state);
    String args = "state=" + Integer.toUnsignedString(state) + " cpu_id=" + cpu;
    add(tsNs, cpu, -1, "cpu_idle", args);
  }

  @Override
  public void onCpuFrequency(long tsNs, int cpu, long khz) {
    super.onCpuFrequency(tsNs, cpu, khz);
    add(tsNs, cpu, -1, "cpu_frequency", "state=" + khz + " cpu_id=" + cpu);
  }

  /**
   * Fields print as {@code name=value}; the values hold no quotes or commas in these recordings.
   */
  @Override
  public void onOther(long tsNs, int cpu, int currentTid, int eventName, String argsJson) {
    super.onOther(tsNs, cpu, currentTid, eventName, argsJson);
    String fields =
        argsJson
            .substring(1, argsJson.length() - 1)
            .replace("\",\"", "\" \"")
            .replaceAll(",\"(\\w+)\":", " \"$1\":")
            .replace("\":", "=")
            .replace("\"", "");
    add(tsNs, cpu, currentTid, names.text(eventName), fields);
  }
}

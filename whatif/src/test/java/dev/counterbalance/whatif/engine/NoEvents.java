package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.TraceInfo;

/** Takes events and does nothing. */
final class NoEvents implements EventSink {
  @Override
  public void onCpuStart(long tsNs, int cpu, int currentTid, boolean silent) {}

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
      int nextPrio) {}

  @Override
  public void onWaking(
      long tsNs,
      int cpu,
      int currentTid,
      int tid,
      int name,
      int prio,
      int targetCpu,
      int context) {}

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
      int context) {}

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
      int context) {}

  @Override
  public void end(long ns, long eventCount, long lostEvents) {}

  @Override
  public void begin(TraceInfo info) {}

  @Override
  public void onProcess(
      long tsNs, int cpu, int kind, int tid, int name, int otherTid, int otherName, int prio) {}

  @Override
  public void onPrio(long tsNs, int cpu, int tid, int name, int oldPrio, int newPrio) {}

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
      int dstNid) {}

  @Override
  public void onStat(
      long tsNs, int cpu, int kind, int currentTid, int tid, int name, long ns, long vruntimeNs) {}

  @Override
  public void onIrq(long tsNs, int cpu, int kind, boolean entry, int vector, int name) {}

  @Override
  public void onCpuIdle(long tsNs, int cpu, int state) {}

  @Override
  public void onCpuFrequency(long tsNs, int cpu, long khz) {}

  @Override
  public void onNrRunning(long tsNs, int cpu, int nrRunning) {}

  @Override
  public void onOther(long tsNs, int cpu, int currentTid, int eventName, String argsJson) {}

  @Override
  public void onTaskName(long tsNs, int tgid, int tid, int name, boolean exec) {}

  @Override
  public void onTaskCreated(long tsNs, int tgid, int tid, int parentTgid, int parentTid) {}

  @Override
  public void onTaskExited(long tsNs, int tgid, int tid) {}

  @Override
  public void onLossBegin(long tsNs, int cpu) {}

  @Override
  public void onLossEnd(long tsNs, int cpu, long lost, int currentTid, String source) {}

  @Override
  public void onProblem(Problem problem) {}
}

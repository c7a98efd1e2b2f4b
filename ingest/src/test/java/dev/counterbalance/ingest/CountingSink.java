package dev.counterbalance.ingest;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.TraceInfo;

/** Counts events, and checks that they come in time order between begin and end. */
public class CountingSink implements EventSink {
  public long events;
  public long ordered;
  public long lastNs = Long.MIN_VALUE;
  public long checksum;
  public boolean begun;
  public boolean ended;

  private void event(long tsNs, long value) {
    events++;
    step(tsNs, value);
  }

  private void step(long tsNs, long value) {
    if (!begun || ended) {
      throw new IllegalStateException("an event outside the trace");
    }
    if (tsNs < lastNs) {
      throw new IllegalStateException("time steps back from " + lastNs + " to " + tsNs);
    }
    lastNs = tsNs;
    checksum = checksum * 31 + tsNs + value;
  }

  @Override
  public void begin(TraceInfo info) {
    begun = true;
  }

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
      int nextPrio) {
    event(tsNs, nextTid + prevState);
  }

  @Override
  public void onWaking(
      long tsNs, int cpu, int currentTid, int tid, int name, int prio, int targetCpu, int context) {
    event(tsNs, tid);
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
    event(tsNs, tid);
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
    event(tsNs, destCpu);
  }

  @Override
  public void onProcess(
      long tsNs, int cpu, int kind, int tid, int name, int otherTid, int otherName, int prio) {
    event(tsNs, tid);
  }

  @Override
  public void onPrio(long tsNs, int cpu, int tid, int name, int oldPrio, int newPrio) {
    event(tsNs, tid);
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
    event(tsNs, tid);
  }

  @Override
  public void onStat(
      long tsNs, int cpu, int kind, int currentTid, int tid, int name, long ns, long vruntimeNs) {
    event(tsNs, ns);
  }

  @Override
  public void onIrq(long tsNs, int cpu, int kind, boolean entry, int vector, int name) {
    event(tsNs, vector);
  }

  @Override
  public void onCpuIdle(long tsNs, int cpu, int state) {
    event(tsNs, state);
  }

  @Override
  public void onCpuFrequency(long tsNs, int cpu, long khz) {
    event(tsNs, khz);
  }

  @Override
  public void onNrRunning(long tsNs, int cpu, int nrRunning) {
    event(tsNs, nrRunning);
  }

  @Override
  public void onOther(long tsNs, int cpu, int currentTid, int eventName, String argsJson) {
    event(tsNs, argsJson.length());
  }

  @Override
  public void onTaskName(long tsNs, int tgid, int tid, int name, boolean exec) {
    task(tsNs, tid);
  }

  @Override
  public void onTaskCreated(long tsNs, int tgid, int tid, int parentTgid, int parentTid) {
    task(tsNs, tid);
  }

  private void task(long tsNs, int tid) {
    if (tsNs >= 0) {
      step(tsNs, tid);
    }
  }

  @Override
  public void onTaskExited(long tsNs, int tgid, int tid) {
    step(tsNs, tid);
  }

  @Override
  public void onLossBegin(long tsNs, int cpu) {
    step(tsNs, cpu);
  }

  @Override
  public void onLossEnd(long tsNs, int cpu, long lost, int currentTid, String source) {
    step(tsNs, lost);
  }

  @Override
  public void onProblem(Problem problem) {}

  @Override
  public void end(long endNs, long eventCount, long lostEvents) {
    step(endNs, 0);
    ended = true;
  }
}

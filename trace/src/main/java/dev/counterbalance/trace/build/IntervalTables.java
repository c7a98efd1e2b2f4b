package dev.counterbalance.trace.build;

import dev.counterbalance.trace.interval.EndKind;
import dev.counterbalance.trace.interval.IntervalSink;
import dev.counterbalance.trace.store.Column;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceImport;

/** Writes the interval tables. */
final class IntervalTables implements IntervalSink {
  private static final int SWITCH = EndKind.SWITCH.ordinal();
  private static final int END = EndKind.END.ordinal();

  /** Null if everything is kept. */
  private final RowFilter filter;

  private final TableWriter slices;
  private final Column.Longs sliceTs;
  private final Column.Longs sliceDur;
  private final Column.Ints sliceCpu;
  private final Column.Ints sliceUtid;
  private final Column.Shorts slicePriority;
  private final Column.Ints sliceEndState;
  private final Column.Shorts sliceEndPrio;
  private final Column.Ints sliceNextUtid;
  private final Column.Shorts sliceNextPrio;
  private final Column.Bytes sliceEndKind;
  private final Column.Bytes sliceCensored;

  private final TableWriter waits;
  private final Column.Longs waitTs;
  private final Column.Longs waitDur;
  private final Column.Ints waitUtid;
  private final Column.Shorts waitState;
  private final Column.Ints waitCpu;
  private final Column.Bytes waitCpuSource;
  private final Column.Ints waitWaker;
  private final Column.Longs waitWakingTs;
  private final Column.Bytes waitIrq;
  private final Column.Bytes waitCensored;
  private final Column.Bytes waitSuspect;

  private final TableWriter losses;

  private final TableWriter queues;
  private final Column.Longs queueTs;
  private final Column.Longs queueDur;
  private final Column.Ints queueCpu;
  private final Column.Ints queueRunning;
  private final Column.Ints queueWaiting;
  private final Column.Ints machineRunning;
  private final Column.Ints machineWaiting;
  private final Column.Ints machineIdle;
  private final Column.Ints machineOverloaded;
  private final Column.Longs machineDur;

  IntervalTables(TraceImport trace, RowFilter filter) {
    this.filter = filter;
    slices = trace.table(Tables.SCHED_SLICE);
    sliceTs = slices.longs("ts");
    sliceDur = slices.longs("dur");
    sliceCpu = slices.ints("cpu");
    sliceUtid = slices.ints("utid");
    slicePriority = slices.shorts("priority");
    sliceEndState = slices.ints("end_state");
    sliceEndPrio = slices.shorts("end_prio");
    sliceNextUtid = slices.ints("next_utid");
    sliceNextPrio = slices.shorts("next_prio");
    sliceEndKind = slices.bytes("end_kind");
    sliceCensored = slices.bytes("censored");
    waits = trace.table(Tables.WAITING);
    waitTs = waits.longs("ts");
    waitDur = waits.longs("dur");
    waitUtid = waits.ints("utid");
    waitState = waits.shorts("state_code");
    waitCpu = waits.ints("cpu");
    waitCpuSource = waits.bytes("cpu_source");
    waitWaker = waits.ints("waker_utid");
    waitWakingTs = waits.longs("waking_ts");
    waitIrq = waits.bytes("irq_context");
    waitCensored = waits.bytes("censored");
    waitSuspect = waits.bytes("suspect");
    losses = trace.table(Tables.DATA_LOSS);
    queues = trace.table(Tables.RUN_QUEUE);
    queueTs = queues.longs("ts");
    queueDur = queues.longs("dur");
    queueCpu = queues.ints("cpu");
    queueRunning = queues.ints("nr_running");
    queueWaiting = queues.ints("nr_waiting");
    machineRunning = queues.ints("m_running");
    machineWaiting = queues.ints("m_waiting");
    machineIdle = queues.ints("m_idle");
    machineOverloaded = queues.ints("m_overloaded");
    machineDur = queues.longs("m_dur");
  }

  private static int known(int prio) {
    return prio == Column.NULL_INT ? Column.NULL_SHORT : prio;
  }

  @Override
  public void onSlice(
      long tsNs,
      long durNs,
      int cpu,
      int utid,
      int prio,
      long endState,
      int endPrio,
      int nextUtid,
      int nextPrio,
      int endKind,
      boolean censored) {
    if (filter == null) {
      slice(tsNs, durNs, cpu, utid, prio, endState, endPrio, nextUtid, nextPrio, endKind, censored);
    } else if (filter.keepsCpu(cpu) && filter.keepsTask(utid) && filter.keepsTime(tsNs, durNs)) {
      long from = filter.clamp(tsNs);
      long to = filter.clamp(tsNs + durNs);
      boolean endsLater = to < tsNs + durNs || !filter.keepsTime(to);
      slice(
          from,
          to - from,
          cpu,
          utid,
          prio,
          endState,
          endPrio,
          nextUtid,
          nextPrio,
          endsLater ? END : endKind,
          censored || from > tsNs || endsLater);
    }
  }

  private void slice(
      long tsNs,
      long durNs,
      int cpu,
      int utid,
      int prio,
      long endState,
      int endPrio,
      int nextUtid,
      int nextPrio,
      int endKind,
      boolean censored) {
    boolean switched = endKind == SWITCH;
    sliceTs.add(tsNs);
    sliceDur.add(durNs);
    sliceCpu.add(cpu);
    sliceUtid.add(utid);
    slicePriority.add(known(prio));
    sliceEndState.add(switched ? (int) endState : Column.NULL_INT);
    sliceEndPrio.add(switched ? known(endPrio) : Column.NULL_SHORT);
    sliceNextUtid.add(switched ? nextUtid : Column.NULL_INT);
    sliceNextPrio.add(switched ? known(nextPrio) : Column.NULL_SHORT);
    sliceEndKind.add(endKind);
    sliceCensored.add(censored);
    slices.endRow();
  }

  @Override
  public void onWaiting(
      long tsNs,
      long durNs,
      int utid,
      int stateCode,
      int cpu,
      int cpuSource,
      int wakerUtid,
      long wakingTsNs,
      int irqContext,
      boolean censored,
      boolean suspect) {
    if (filter == null) {
      waiting(
          tsNs,
          durNs,
          utid,
          stateCode,
          cpu,
          cpuSource,
          wakerUtid,
          wakingTsNs,
          irqContext,
          censored,
          suspect);
    } else if (filter.keepsCpu(cpu) && filter.keepsTask(utid) && filter.keepsTime(tsNs, durNs)) {
      long from = filter.clamp(tsNs);
      long to = filter.clamp(tsNs + durNs);
      waiting(
          from,
          to - from,
          utid,
          stateCode,
          cpu,
          cpuSource,
          wakerUtid,
          wakingTsNs,
          irqContext,
          censored || from > tsNs || to < tsNs + durNs,
          suspect);
    }
  }

  private void waiting(
      long tsNs,
      long durNs,
      int utid,
      int stateCode,
      int cpu,
      int cpuSource,
      int wakerUtid,
      long wakingTsNs,
      int irqContext,
      boolean censored,
      boolean suspect) {
    waitTs.add(tsNs);
    waitDur.add(durNs);
    waitUtid.add(utid);
    waitState.add(stateCode);
    waitCpu.add(cpu < 0 ? Column.NULL_INT : cpu);
    waitCpuSource.add(cpuSource < 0 ? Column.NULL_BYTE : cpuSource);
    waitWaker.add(wakerUtid < 0 ? Column.NULL_INT : wakerUtid);
    waitWakingTs.add(wakingTsNs);
    waitIrq.add(irqContext < 0 ? Column.NULL_BYTE : irqContext);
    waitCensored.add(censored);
    waitSuspect.add(suspect);
    waits.endRow();
  }

  @Override
  public void onRunQueue(
      long tsNs,
      long durNs,
      int cpu,
      int nrRunning,
      int nrWaiting,
      int mRunning,
      int mWaiting,
      int mIdle,
      int mOverloaded,
      long mDurNs) {
    if (filter == null) {
      queue(tsNs, durNs, cpu, nrRunning, nrWaiting, mRunning, mWaiting, mIdle, mOverloaded, mDurNs);
    } else if (filter.keepsCpu(cpu) && filter.keepsTime(tsNs, durNs)) {
      long from = filter.clamp(tsNs);
      queue(
          from,
          filter.clamp(tsNs + durNs) - from,
          cpu,
          nrRunning,
          nrWaiting,
          mRunning,
          mWaiting,
          mIdle,
          mOverloaded,
          Math.max(0, filter.clamp(tsNs + mDurNs) - from));
    }
  }

  private void queue(
      long tsNs,
      long durNs,
      int cpu,
      int nrRunning,
      int nrWaiting,
      int mRunning,
      int mWaiting,
      int mIdle,
      int mOverloaded,
      long mDurNs) {
    queueTs.add(tsNs);
    queueDur.add(durNs);
    queueCpu.add(cpu);
    queueRunning.add(nrRunning);
    queueWaiting.add(nrWaiting);
    machineRunning.add(mRunning);
    machineWaiting.add(mWaiting);
    machineIdle.add(mIdle);
    machineOverloaded.add(mOverloaded);
    machineDur.add(mDurNs);
    queues.endRow();
  }

  @Override
  public void onUnknown(long tsNs, long durNs, int cpu) {
    if (filter != null && (!filter.keepsCpu(cpu) || !filter.keepsTime(tsNs, durNs))) {
      return;
    }
    long from = filter == null ? tsNs : filter.clamp(tsNs);
    long to = filter == null ? tsNs + durNs : filter.clamp(tsNs + durNs);
    losses.ints("cpu").add(cpu);
    losses.longs("ts").add(from);
    losses.longs("dur").add(to - from);
    losses.longs("lost").add(Column.NULL_LONG);
    losses.texts("source").add("mismatch");
    losses.endRow();
  }
}

package dev.counterbalance.trace.build;

import dev.counterbalance.trace.store.Column;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceImport;

/** Writes the event tables; a negative utid is NULL. */
final class EventTables {
  /** Null if everything is kept. */
  private final RowFilter filter;

  private final TableWriter wakings;
  private final Column.Longs wakingTs;
  private final Column.Ints wakingCpu;
  private final Column.Ints wakingWaker;
  private final Column.Ints wakingUtid;
  private final Column.Shorts wakingPrio;
  private final Column.Ints wakingTarget;
  private final Column.Bytes wakingContext;

  private final TableWriter wakeups;
  private final Column.Longs wakeupTs;
  private final Column.Ints wakeupCpu;
  private final Column.Ints wakeupWaker;
  private final Column.Ints wakeupUtid;
  private final Column.Shorts wakeupPrio;
  private final Column.Ints wakeupTarget;
  private final Column.Bytes wakeupIsNew;
  private final Column.Bytes wakeupContext;

  private final TableWriter migrations;
  private final Column.Longs migrateTs;
  private final Column.Ints migrateCpu;
  private final Column.Ints migrateUtid;
  private final Column.Shorts migratePrio;
  private final Column.Ints migrateOrig;
  private final Column.Ints migrateDest;
  private final Column.Bytes migrateContext;

  private final TableWriter stats;
  private final Column.Longs statTs;
  private final Column.Ints statCpu;
  private final Column.Ints statUtid;
  private final Column.Bytes statKind;
  private final Column.Longs statNs;
  private final Column.Longs statVruntime;

  private final TableWriter processes;
  private final TableWriter prios;
  private final TableWriter numas;
  private final TableWriter irqs;
  private final TableWriter idles;
  private final TableWriter frequencies;
  private final TableWriter nrRunnings;
  private final TableWriter others;

  EventTables(TraceImport trace, RowFilter filter) {
    this.filter = filter;
    wakings = trace.table(Tables.SCHED_WAKING);
    wakingTs = wakings.longs("ts");
    wakingCpu = wakings.ints("cpu");
    wakingWaker = wakings.ints("waker_utid");
    wakingUtid = wakings.ints("utid");
    wakingPrio = wakings.shorts("prio");
    wakingTarget = wakings.ints("target_cpu");
    wakingContext = wakings.bytes("context");
    wakeups = trace.table(Tables.SCHED_WAKEUP);
    wakeupTs = wakeups.longs("ts");
    wakeupCpu = wakeups.ints("cpu");
    wakeupWaker = wakeups.ints("waker_utid");
    wakeupUtid = wakeups.ints("utid");
    wakeupPrio = wakeups.shorts("prio");
    wakeupTarget = wakeups.ints("target_cpu");
    wakeupIsNew = wakeups.bytes("is_new");
    wakeupContext = wakeups.bytes("context");
    migrations = trace.table(Tables.SCHED_MIGRATE_TASK);
    migrateTs = migrations.longs("ts");
    migrateCpu = migrations.ints("cpu");
    migrateUtid = migrations.ints("utid");
    migratePrio = migrations.shorts("prio");
    migrateOrig = migrations.ints("orig_cpu");
    migrateDest = migrations.ints("dest_cpu");
    migrateContext = migrations.bytes("context");
    stats = trace.table(Tables.SCHED_STAT);
    statTs = stats.longs("ts");
    statCpu = stats.ints("cpu");
    statUtid = stats.ints("utid");
    statKind = stats.bytes("kind");
    statNs = stats.longs("ns");
    statVruntime = stats.longs("vruntime");
    processes = trace.table(Tables.SCHED_PROCESS);
    prios = trace.table(Tables.SCHED_PRIO);
    numas = trace.table(Tables.SCHED_NUMA);
    irqs = trace.table(Tables.IRQ);
    idles = trace.table(Tables.CPU_IDLE);
    frequencies = trace.table(Tables.CPU_FREQUENCY);
    nrRunnings = trace.table(Tables.NR_RUNNING);
    others = trace.table(Tables.FTRACE_EVENT);
  }

  void waking(long tsNs, int cpu, int waker, int utid, int prio, int targetCpu, int context) {
    if (filter != null && !keeps(tsNs, cpu, targetCpu, utid, waker)) {
      return;
    }
    wakingTs.add(tsNs);
    wakingCpu.add(cpu);
    wakingWaker.add(orNull(waker));
    wakingUtid.add(utid);
    wakingPrio.add(prio);
    wakingTarget.add(targetCpu);
    wakingContext.add(context);
    wakings.endRow();
  }

  void wakeup(
      long tsNs,
      int cpu,
      int waker,
      int utid,
      int prio,
      int targetCpu,
      boolean isNew,
      int context) {
    if (filter != null && !keeps(tsNs, cpu, targetCpu, utid, waker)) {
      return;
    }
    wakeupTs.add(tsNs);
    wakeupCpu.add(cpu);
    wakeupWaker.add(orNull(waker));
    wakeupUtid.add(utid);
    wakeupPrio.add(prio);
    wakeupTarget.add(targetCpu);
    wakeupIsNew.add(isNew);
    wakeupContext.add(context);
    wakeups.endRow();
  }

  void migrate(long tsNs, int cpu, int utid, int prio, int origCpu, int destCpu, int context) {
    if (filter != null && !keeps(tsNs, origCpu, destCpu, utid, utid)) {
      return;
    }
    migrateTs.add(tsNs);
    migrateCpu.add(cpu);
    migrateUtid.add(utid);
    migratePrio.add(prio);
    migrateOrig.add(origCpu);
    migrateDest.add(destCpu);
    migrateContext.add(context);
    migrations.endRow();
  }

  void stat(long tsNs, int cpu, int utid, int kind, long ns, long vruntimeNs) {
    if (filter != null && !keeps(tsNs, cpu, cpu, utid, utid)) {
      return;
    }
    statTs.add(tsNs);
    statCpu.add(cpu);
    statUtid.add(utid);
    statKind.add(kind);
    statNs.add(ns);
    statVruntime.add(vruntimeNs);
    stats.endRow();
  }

  void process(long tsNs, int cpu, int kind, int utid, int otherUtid, String name) {
    if (filter != null && !keeps(tsNs, cpu, cpu, utid, otherUtid)) {
      return;
    }
    processes.longs("ts").add(tsNs);
    processes.ints("cpu").add(cpu);
    processes.bytes("kind").add(kind);
    processes.ints("utid").add(orNull(utid));
    processes.ints("other_utid").add(orNull(otherUtid));
    processes.texts("name").add(name);
    processes.endRow();
  }

  void prio(long tsNs, int cpu, int utid, int oldPrio, int newPrio) {
    if (filter != null && !keeps(tsNs, cpu, cpu, utid, utid)) {
      return;
    }
    prios.longs("ts").add(tsNs);
    prios.ints("cpu").add(cpu);
    prios.ints("utid").add(utid);
    prios.shorts("old_prio").add(oldPrio);
    prios.shorts("new_prio").add(newPrio);
    prios.endRow();
  }

  void numa(
      long tsNs,
      int cpu,
      int kind,
      int utid,
      int srcCpu,
      int srcNid,
      int otherUtid,
      int dstCpu,
      int dstNid) {
    if (filter != null && !keeps(tsNs, srcCpu, dstCpu, utid, otherUtid)) {
      return;
    }
    numas.longs("ts").add(tsNs);
    numas.ints("cpu").add(cpu);
    numas.bytes("kind").add(kind);
    numas.ints("utid").add(utid);
    numas.ints("src_cpu").add(srcCpu);
    numas.ints("src_nid").add(srcNid);
    numas.ints("other_utid").add(orNull(otherUtid));
    numas.ints("dst_cpu").add(dstCpu);
    numas.ints("dst_nid").add(dstNid);
    numas.endRow();
  }

  void irq(long tsNs, long durNs, int cpu, int kind, int vector, String name) {
    boolean ended = durNs != Column.NULL_LONG;
    if (filter != null
        && !(filter.keepsCpu(cpu)
            && (ended ? filter.keepsTime(tsNs, durNs) : filter.keepsTime(tsNs)))) {
      return;
    }
    long from = filter == null ? tsNs : filter.clamp(tsNs);
    long dur = filter == null || !ended ? durNs : filter.clamp(tsNs + durNs) - from;
    irqs.longs("ts").add(from);
    irqs.longs("dur").add(dur);
    irqs.ints("cpu").add(cpu);
    irqs.bytes("kind").add(kind);
    irqs.ints("vector").add(vector);
    irqs.texts("name").add(name);
    irqs.endRow();
  }

  void cpuIdle(long tsNs, int cpu, int state) {
    if (filter != null && !keeps(tsNs, cpu)) {
      return;
    }
    idles.longs("ts").add(tsNs);
    idles.ints("cpu").add(cpu);
    idles.ints("state").add(state);
    idles.endRow();
  }

  void cpuFrequency(long tsNs, int cpu, long khz) {
    if (filter != null && !keeps(tsNs, cpu)) {
      return;
    }
    frequencies.longs("ts").add(tsNs);
    frequencies.ints("cpu").add(cpu);
    frequencies.longs("khz").add(khz);
    frequencies.endRow();
  }

  void nrRunning(long tsNs, int cpu, int length) {
    if (filter != null && !keeps(tsNs, cpu)) {
      return;
    }
    nrRunnings.longs("ts").add(tsNs);
    nrRunnings.ints("cpu").add(cpu);
    nrRunnings.ints("nr_running").add(length);
    nrRunnings.endRow();
  }

  void other(long tsNs, int cpu, int utid, String name, String argsJson) {
    if (filter != null && !keeps(tsNs, cpu, cpu, utid, utid)) {
      return;
    }
    others.longs("ts").add(tsNs);
    others.ints("cpu").add(cpu);
    others.ints("utid").add(orNull(utid));
    others.texts("name").add(name);
    others.texts("args").add(argsJson);
    others.endRow();
  }

  private boolean keeps(long tsNs, int cpu) {
    return filter.keepsTime(tsNs) && filter.keepsCpu(cpu);
  }

  /** An event is kept if any CPU and any task that it is about is. */
  private boolean keeps(long tsNs, int cpu, int otherCpu, int utid, int otherUtid) {
    return filter.keepsTime(tsNs)
        && (filter.keepsCpu(cpu) || filter.keepsCpu(otherCpu))
        && (filter.keepsTask(utid) || filter.keepsTask(otherUtid));
  }

  private static int orNull(int utid) {
    return utid < 0 ? Column.NULL_INT : utid;
  }
}

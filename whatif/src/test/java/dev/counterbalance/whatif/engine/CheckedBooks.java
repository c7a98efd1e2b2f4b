package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.rule.Tunables;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Workload;
import java.util.List;

/**
 * Books of a run whose {@link Invariants} are checked at every event; and the work that tasks did,
 * computed from the events and the machine alone: time on a CPU times its speed then.
 */
final class CheckedBooks extends Books {
  private final TestRun run;
  private final int cpus;
  private final int[] coreOf;
  private final double[] capacity;
  private final double[] smtFactor = new double[9];
  private final long[] accountedNs;
  private final boolean realtimeGoesFirst;
  private Invariants invariants;

  /** By task of the workload: full-speed ns, costs included. */
  final double[] workNs;

  /** The same of migration and noise threads together. */
  double kernelWorkNs;

  /** What they were woken to do. */
  long kernelAskedNs;

  private final long noiseRunNs;
  private final long stopperRunNs;

  CheckedBooks(TestRun run, int tasks) {
    super(run.cpus(), tasks, 0);
    this.run = run;
    cpus = run.cpus();
    workNs = new double[tasks];
    accountedNs = new long[cpus];
    Workload workload = run.spec().workload();
    boolean steady = workload.actions().isEmpty();
    for (int op = 0; op < workload.ops(); op++) {
      steady &= workload.kind(op) != OpKind.AFFINITY;
    }
    realtimeGoesFirst = steady;
    coreOf = new int[cpus];
    capacity = new double[cpus];
    SimSpec spec = run.spec();
    Tunables tunables = spec.tunables();
    List<Machine.Cpu> all = spec.machine().cpus();
    for (int cpu = 0; cpu < cpus; cpu++) {
      coreOf[cpu] = all.get(cpu).coreId;
      capacity[cpu] = all.get(cpu).capacity <= 0 ? 1 : all.get(cpu).capacity / 1024.0;
    }
    noiseRunNs = tunables.get("noiseRunNs");
    stopperRunNs = tunables.get("stopperRunNs");
    for (int n = 1; n <= 8; n++) {
      smtFactor[n] = tunables.get("smtThroughput[" + n + "]") / 1e6;
    }
  }

  private void check() {
    if (invariants == null) {
      invariants = new Invariants(run.simulation, realtimeGoesFirst);
    }
    invariants.check();
  }

  private void work(long tsNs) {
    for (int cpu = 0; cpu < cpus; cpu++) {
      int task = currentTask[cpu] - Simulation.tid(cpus, 0);
      if (currentTask[cpu] != 0 && tsNs > accountedNs[cpu]) {
        int busy = 0;
        for (int other = 0; other < cpus; other++) {
          busy += coreOf[other] == coreOf[cpu] && currentTask[other] != 0 ? 1 : 0;
        }
        double work = (tsNs - accountedNs[cpu]) * capacity[cpu] * smtFactor[busy];
        if (task >= 0) {
          workNs[task] += work;
        } else {
          kernelWorkNs += work;
        }
      }
      accountedNs[cpu] = tsNs;
    }
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
    work(tsNs);
    super.onSwitch(tsNs, cpu, prevTid, prevName, prevPrio, prevState, nextTid, nextName, nextPrio);
    check();
  }

  @Override
  public void onWaking(
      long tsNs, int cpu, int currentTid, int tid, int name, int prio, int targetCpu, int context) {
    super.onWaking(tsNs, cpu, currentTid, tid, name, prio, targetCpu, context);
    check();
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
    if (tid < Simulation.tid(cpus, 0)) {
      kernelAskedNs += (tid - Simulation.FIRST_KTHREAD) % 2 == 1 ? noiseRunNs : stopperRunNs;
    }
    check();
  }

  @Override
  public void end(long ns, long eventCount, long lostEvents) {
    work(ns);
    super.end(ns, eventCount, lostEvents);
    check();
  }
}

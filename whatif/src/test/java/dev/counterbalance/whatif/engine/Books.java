package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.TraceInfo;
import java.util.Arrays;

/**
 * Keeps the books of a run from its events alone: who ran where for how long, who waited, who
 * moved; and checks that the events make sense. Times before {@code sinceNs} are left out.
 */
class Books implements EventSink {
  private final int cpus;
  private final long sinceNs;

  /** By task id of the workload. */
  final long[] runNs;

  final long[] waitNs;
  final int[] migrations;
  final long[] finishNs;
  final long[] startNs;

  /** Time in which some CPU was idle, summed over CPUs, is window times CPUs minus this. */
  final long[] busyNs;

  final int[] currentTask;
  private final long[] since;
  private final long[] queuedAt;

  /** Where each task is, or was last. */
  final int[] taskCpu;

  long switches;
  long moves;
  long hash = 0xCBF29CE484222325L;
  long endNs;
  private long lastNs;

  Books(int cpus, int tasks, long sinceNs) {
    this.cpus = cpus;
    this.sinceNs = sinceNs;
    runNs = new long[tasks];
    waitNs = new long[tasks];
    migrations = new int[tasks];
    finishNs = new long[tasks];
    startNs = new long[tasks];
    Arrays.fill(finishNs, -1);
    Arrays.fill(startNs, -1);
    busyNs = new long[cpus];
    currentTask = new int[cpus];
    since = new long[cpus];
    queuedAt = new long[tasks];
    Arrays.fill(queuedAt, -1);
    taskCpu = new int[tasks];
    Arrays.fill(taskCpu, -1);
  }

  private int task(int tid) {
    return tid - Simulation.tid(cpus, 0);
  }

  private void note(long tsNs, int kind, int a, int b, int c) {
    if (tsNs < lastNs) {
      throw new AssertionError("time goes back: " + tsNs + " after " + lastNs);
    }
    lastNs = tsNs;
    hash = (hash ^ tsNs) * 0x100000001B3L;
    hash = (hash ^ (kind * 31L + a)) * 0x100000001B3L;
    hash = (hash ^ (b * 65537L + c)) * 0x100000001B3L;
  }

  private long within(long fromNs, long toNs) {
    return Math.max(0, toNs - Math.max(fromNs, sinceNs));
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
    note(tsNs, 1, cpu, prevTid, nextTid);
    if (currentTask[cpu] != prevTid) {
      throw new AssertionError(
          "CPU " + cpu + " at " + tsNs + " ran " + currentTask[cpu] + ", not " + prevTid);
    }
    switches++;
    account(cpu, tsNs);
    int previous = task(prevTid);
    if (previous >= 0) {
      boolean runnable = prevState == 0 || prevState == 256;
      queuedAt[previous] = runnable ? tsNs : -1;
      if (prevState == 16) {
        finishNs[previous] = tsNs;
      }
    }
    int next = task(nextTid);
    if (next >= 0) {
      for (int other = 0; other < cpus; other++) {
        if (other != cpu && currentTask[other] == nextTid) {
          throw new AssertionError("task " + next + " runs on " + other + " and " + cpu);
        }
      }
      if (queuedAt[next] < 0) {
        throw new AssertionError("task " + next + " runs at " + tsNs + " without a wakeup");
      }
      if (taskCpu[next] != cpu) {
        throw new AssertionError(
            "task " + next + " runs on " + cpu + " but was put on " + taskCpu[next]);
      }
      waitNs[next] += within(queuedAt[next], tsNs);
      queuedAt[next] = -1;
    }
    currentTask[cpu] = nextTid;
  }

  private void account(int cpu, long tsNs) {
    long ran = within(since[cpu], tsNs);
    if (currentTask[cpu] != 0) {
      busyNs[cpu] += ran;
      int task = task(currentTask[cpu]);
      if (task >= 0) {
        runNs[task] += ran;
      }
    }
    since[cpu] = tsNs;
  }

  @Override
  public void onWaking(
      long tsNs, int cpu, int currentTid, int tid, int name, int prio, int targetCpu, int context) {
    note(tsNs, 2, cpu, tid, targetCpu);
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
    note(tsNs, 3, cpu, tid, targetCpu);
    int task = task(tid);
    if (task >= 0) {
      if (queuedAt[task] >= 0) {
        throw new AssertionError("task " + task + " is woken but is queued already");
      }
      if (isNew) {
        startNs[task] = tsNs;
      }
      queuedAt[task] = tsNs;
      taskCpu[task] = targetCpu;
    }
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
    note(tsNs, 4, origCpu, tid, destCpu);
    int task = task(tid);
    if (task >= 0) {
      if (taskCpu[task] != origCpu) {
        throw new AssertionError("task " + task + " moves from " + origCpu + ", was elsewhere");
      }
      taskCpu[task] = destCpu;
      if (tsNs >= sinceNs) {
        migrations[task]++;
        moves++;
      }
    }
  }

  @Override
  public void end(long ns, long eventCount, long lostEvents) {
    endNs = ns;
    for (int cpu = 0; cpu < cpus; cpu++) {
      account(cpu, ns);
    }
  }

  long windowNs() {
    return endNs - sinceNs;
  }

  /** Idle share of that many CPUs, in %. */
  double idlePct(int of) {
    long busy = Arrays.stream(busyNs).sum();
    return 100.0 * (1 - (double) busy / ((double) of * windowNs()));
  }

  double cpuPct(int task) {
    return 100.0 * runNs[task] / windowNs();
  }

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

package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.domain.SchedGroup;
import dev.counterbalance.whatif.rule.SchedView;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import java.util.Arrays;

/**
 * All that changes during a run, as columns: per task, per CPU, per domain, per group. The parts of
 * the engine share it; decision functions see it as a {@link SchedView}.
 *
 * <p>Tasks are numbered: the workload's, then a migration thread per CPU, then a noise thread per
 * CPU. A task is on the queue of {@code taskCpu} while its state is QUEUED or RUNNING.
 */
final class RunState implements SchedView {
  static final byte NEW = 0;
  static final byte RUNNING = 1;
  static final byte QUEUED = 2;
  static final byte SLEEPING = 3;
  static final byte DEAD = 4;

  static final int LOAD_SLOTS = 5;
  static final int FULL_POWER = 1024;
  static final long NEVER = -1;

  /** Half of sched_time_avg, 1 s. */
  static final long RT_PERIOD_NS = 500_000_000;

  /**
   * Above every task of the workload, as nothing may hold up what stops a CPU. The trace shows it
   * as 0, SCHED_FIFO 99, which the migration threads have in 2.6.36.
   */
  static final int STOP_PRIO = -1;

  private static final int FAIR_PRIO = 120;
  private static final int FIRST_FAIR_PRIO = 100;
  private static final int RT_PRIOS = 99;

  final SchedDomains domains;
  final int cpus;
  final int workTasks;
  final int tasks;
  long nowNs;

  // Tasks.
  final byte[] state;
  final Policy[] policy;
  final int[] prio;
  final int[] weight;
  final CpuSet[] allowed;
  final int[] taskCpu;
  final long[] vruntime;
  final long[] execStart;
  final long[] sumExec;
  final long[] prevSumExec;
  final long[] remaining;

  /** Ticks of its SCHED_RR slice that a task has had. */
  final int[] sliceTicks;

  /** When the task was queued last, for run_delay. */
  final long[] queuedNs;

  final int[] older;
  final int[] newer;

  // CPUs.
  final int[] curr;
  final int[] nrRunning;
  final int[] fairNr;
  final long[] load;
  final long[] cpuLoad;
  final long[] loadTick;
  final int[] newest;
  final int[] oldest;
  final int[] last;
  final int[] power;
  final boolean[] activePending;
  final int[] pushTo;
  final long[] idleStamp;
  final long[] avgIdle;
  final long[] nextBalance;
  final boolean[] idleAtTick;
  final long[] rtAvg;
  final long[] rtAgeStamp;

  /** When the CPU last switched. */
  final long[] switchedNs;

  /** The running task gives up its turn: yield, or the end of its round-robin slice. */
  final boolean[] toTail;

  /** The running task called sched_yield. */
  final boolean[] yielded;

  /** Work that the workload's tasks have done; ns of a full-speed CPU. */
  long workNs;

  /** CPUs that take part: online, whether isolated or not. */
  final CpuSet active;

  final CpuSet needResched;

  // Domains and groups.
  final long[] balanceInterval;
  final long[] lastBalance;
  final int[] balanceFailed;
  final int[] groupPower;

  RunState(SchedDomains domains, Workload workload) {
    this.domains = domains;
    cpus = domains.cpus();
    workTasks = workload.tasks();
    tasks = workTasks + 2 * cpus;
    state = new byte[tasks];
    policy = new Policy[tasks];
    prio = new int[tasks];
    weight = new int[tasks];
    allowed = new CpuSet[tasks];
    taskCpu = new int[tasks];
    vruntime = new long[tasks];
    execStart = new long[tasks];
    sumExec = new long[tasks];
    prevSumExec = new long[tasks];
    remaining = new long[tasks];
    sliceTicks = new int[tasks];
    queuedNs = new long[tasks];
    older = filled(tasks);
    newer = filled(tasks);
    curr = filled(cpus);
    nrRunning = new int[cpus];
    fairNr = new int[cpus];
    load = new long[cpus];
    cpuLoad = new long[cpus * LOAD_SLOTS];
    loadTick = new long[cpus];
    newest = filled(cpus);
    oldest = filled(cpus);
    last = filled(cpus);
    power = new int[cpus];
    activePending = new boolean[cpus];
    pushTo = filled(cpus);
    idleStamp = new long[cpus];
    avgIdle = new long[cpus];
    nextBalance = new long[cpus];
    idleAtTick = new boolean[cpus];
    rtAvg = new long[cpus];
    rtAgeStamp = new long[cpus];
    switchedNs = new long[cpus];
    toTail = new boolean[cpus];
    yielded = new boolean[cpus];
    active = domains.active().copy();
    needResched = new CpuSet(cpus);
    SchedDomain[] all = domains.all();
    balanceInterval = new long[all.length];
    lastBalance = new long[all.length];
    balanceFailed = new int[all.length];
    SchedGroup[] groups = domains.groups();
    groupPower = new int[groups.length];
    for (int i = 0; i < groups.length; i++) {
      groupPower[i] = groups[i].power;
    }
    for (int cpu = 0; cpu < cpus; cpu++) {
      SchedDomain[] own = domains.of(cpu);
      power[cpu] = own.length > 0 ? own[0].groups[0].power : FULL_POWER;
      idleStamp[cpu] = NEVER;
    }
    for (int task = 0; task < workTasks; task++) {
      int rt = workload.rtPriority(task);
      setPriority(task, workload.policy(task), rt > 0 ? rt : workload.nice(task));
    }
  }

  private static int[] filled(int size) {
    int[] array = new int[size];
    Arrays.fill(array, -1);
    return array;
  }

  /** The migration thread of a CPU. */
  int stopper(int cpu) {
    return workTasks + cpu;
  }

  /** The noise thread of a CPU. */
  int noise(int cpu) {
    return workTasks + cpus + cpu;
  }

  /** Sets what the task is to the scheduler; the caller keeps the queues right. */
  void setPriority(int task, Policy newPolicy, int priority) {
    policy[task] = newPolicy;
    weight[task] = newPolicy.weight(priority);
    if (newPolicy.isRealtime()) {
      prio[task] = RT_PRIOS - priority;
    } else {
      prio[task] = FAIR_PRIO + priority;
    }
  }

  boolean isFair(int task) {
    return prio[task] >= FIRST_FAIR_PRIO;
  }

  /** The running task of the CPU if it is a fair one, else -1. */
  int fairCurr(int cpu) {
    int task = curr[cpu];
    return task >= 0 && isFair(task) ? task : -1;
  }

  boolean isOnQueue(int task) {
    return state[task] == RUNNING || state[task] == QUEUED;
  }

  /** Counts the task on the CPU; newest first in the list of fair tasks. */
  void link(int cpu, int task) {
    taskCpu[task] = cpu;
    nrRunning[cpu]++;
    if (!isFair(task)) {
      return;
    }
    fairNr[cpu]++;
    load[cpu] += weight[task];
    int first = newest[cpu];
    older[task] = first;
    newer[task] = -1;
    newest[cpu] = task;
    if (first >= 0) {
      newer[first] = task;
    } else {
      oldest[cpu] = task;
    }
  }

  /** Takes the task out of the CPU's counts and list. */
  void unlink(int cpu, int task) {
    nrRunning[cpu]--;
    if (!isFair(task)) {
      return;
    }
    fairNr[cpu]--;
    load[cpu] -= weight[task];
    int up = newer[task];
    int down = older[task];
    if (up >= 0) {
      older[up] = down;
    } else {
      newest[cpu] = down;
    }
    if (down >= 0) {
      newer[down] = up;
    } else {
      oldest[cpu] = up;
    }
    older[task] = -1;
    newer[task] = -1;
  }

  /** Halves the CPU's real-time share for every period that is over (sched_avg_update). */
  void ageRealtime(int cpu) {
    while (nowNs - rtAgeStamp[cpu] > RT_PERIOD_NS) {
      rtAgeStamp[cpu] += RT_PERIOD_NS;
      rtAvg[cpu] /= 2;
    }
  }

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public long load(int cpu) {
    return load[cpu];
  }

  @Override
  public long loadHistory(int cpu, int slot) {
    return cpuLoad[cpu * LOAD_SLOTS + slot];
  }

  @Override
  public int nrRunning(int cpu) {
    return nrRunning[cpu];
  }

  @Override
  public boolean isIdle(int cpu) {
    return curr[cpu] < 0;
  }

  @Override
  public int running(int cpu) {
    return curr[cpu];
  }

  @Override
  public int power(int cpu) {
    return power[cpu];
  }

  @Override
  public int power(SchedGroup group) {
    return groupPower[group.id];
  }

  @Override
  public boolean activeBalancePending(int cpu) {
    return activePending[cpu];
  }

  @Override
  public int newestTask(int cpu) {
    return newest[cpu];
  }

  @Override
  public int olderTask(int task) {
    return older[task];
  }

  @Override
  public int weight(int task) {
    return weight[task];
  }

  @Override
  public boolean isIdlePolicy(int task) {
    return policy[task] == Policy.IDLE;
  }

  @Override
  public boolean isAllowed(int task, int cpu) {
    return allowed[task].contains(cpu);
  }

  @Override
  public boolean isRunning(int task) {
    return curr[taskCpu[task]] == task;
  }

  @Override
  public boolean isBuddy(int task) {
    return last[taskCpu[task]] == task;
  }

  @Override
  public long execStartNs(int task) {
    return execStart[task];
  }
}

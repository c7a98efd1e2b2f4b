package dev.counterbalance.trace.interval;

import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.task.TaskRegistry;

/**
 * Turns the scheduler events of one trace, in time order, into slices, waits and runqueue lengths.
 * One pass, memory for the tasks and CPUs only. It is the only place that knows the edge cases:
 *
 * <ul>
 *   <li>A CPU's window opens with the task that its first switch names as prev; that slice is
 *       censored, as is the one still open at the end.
 *   <li>A switch whose prev is not the task that ran ends that task's slice as a mismatch, and
 *       gives the unexpected prev a slice of no length: its start is unknown.
 *   <li>The switches of one CPU are its truth, also where they say that a task ran on two CPUs at
 *       once because the clocks of the two disagree.
 *   <li>Nothing spans a loss: the slice ends where the gap begins, a wait or sleep on that CPU ends
 *       there too, suspect.
 *   <li>A wake of a running or preempted task changes nothing (the kernel wakes a task that set its
 *       state and has not left the CPU yet). If the task then leaves and runs again with no further
 *       wake, it was that wake: its wait begins at the switch-out.
 *   <li>A wake of a task that was woken already and has not run since means that its run in between
 *       was not recorded: the first wait ends there, suspect.
 *   <li>A task may run again without a wake (delayed dequeue, Linux 6.12 and later; a pending
 *       signal): its sleep ends there, suspect.
 * </ul>
 */
public final class IntervalBuilder {
  private static final int UNKNOWN_PRIO = Integer.MIN_VALUE;
  private static final byte NOT_QUEUED = -1;
  private static final int IRQ_UNKNOWN = -1;

  private final TaskRegistry tasks;
  private final StateCodes codes;
  private final IntervalSink sink;
  private final RunQueues queues;
  private final Slices slices;
  private final boolean hasWakeup;
  private final CpuStates cpus = new CpuStates();
  private final TaskStates t = new TaskStates();
  private final Anomalies anomalies = new Anomalies();

  /**
   * @param hasWakeup whether the trace records sched_wakeup: then a task is queued from that event
   *     on, else from its sched_waking
   */
  public IntervalBuilder(
      TaskRegistry tasks, StateCodes codes, IntervalSink sink, boolean hasWakeup) {
    this.tasks = tasks;
    this.codes = codes;
    this.sink = sink;
    this.hasWakeup = hasWakeup;
    queues = new RunQueues(sink);
    slices = new Slices(cpus, sink);
  }

  public Anomalies anomalies() {
    return anomalies;
  }

  /** Opens a CPU's window; utid -1 if its first switch has to tell who runs. */
  public void cpuStart(long tsNs, int cpu, int utid) {
    ensure(cpu);
    resume(tsNs, cpu, utid);
  }

  /** A switch; prevState as recorded. */
  public void onSwitch(
      long tsNs, int cpu, int prevUtid, int prevPrio, long prevState, int nextUtid, int nextPrio) {
    ensure(cpu);
    int current = cpus.current[cpu];
    cpus.justWoke[cpu] = -1;
    cpus.leftAt[cpu] = CpuStates.STILL_THERE;
    if (current == prevUtid) {
      slices.switched(tsNs, cpu, prevPrio, prevState, nextUtid, nextPrio);
    } else {
      long start = cpus.isOpen[cpu] && current < 0 ? cpus.sliceStart[cpu] : tsNs;
      if (current >= 0) {
        mismatch(tsNs, cpu);
      }
      t.ensure(prevUtid);
      surprise(tsNs, cpu, prevUtid);
      cpus.current[cpu] = prevUtid;
      cpus.sliceStart[cpu] = start;
      cpus.priority[cpu] = UNKNOWN_PRIO;
      cpus.startCensored[cpu] = true;
      slices.switched(tsNs, cpu, prevPrio, prevState, nextUtid, nextPrio);
    }
    switchOut(tsNs, cpu, prevUtid, prevState);
    switchIn(tsNs, cpu, nextUtid);
    cpus.isOpen[cpu] = true;
    cpus.current[cpu] = nextUtid;
    cpus.sliceStart[cpu] = tsNs;
    cpus.priority[cpu] = nextPrio;
    cpus.startCensored[cpu] = false;
    queues.setRunning(cpu, tasks.isIdle(nextUtid));
    queues.changed(cpu, tsNs);
  }

  /** An event says that the task runs on the CPU. */
  public void onCurrent(long tsNs, int cpu, int utid) {
    ensure(cpu);
    if (cpus.current[cpu] == utid) {
      cpus.confirmed[cpu] = tsNs;
    } else if (cpus.current[cpu] >= 0) {
      mismatch(tsNs, cpu);
      cpus.leftAt[cpu] = CpuStates.STILL_THERE;
      resume(tsNs, cpu, utid);
    }
  }

  /** A sched_waking, recorded on cpu while waker ran there. */
  public void onWaking(long tsNs, int cpu, int wakerUtid, int utid, int targetCpu, int context) {
    if (tasks.isIdle(utid)) {
      return;
    }
    ensure(cpu);
    ensure(targetCpu);
    settle(utid);
    if (t.state[utid] == TaskStates.QUEUED && isPreempted(utid)) {
      return;
    }
    if (t.state[utid] == TaskStates.QUEUED) {
      wokenTwice(tsNs, utid);
    }
    t.wakingTs[utid] = tsNs;
    t.waker[utid] = wakerUtid;
    t.irqContext[utid] = (byte) irqOf(context);
    if (!hasWakeup && t.state[utid] != TaskStates.RUNNING) {
      queue(tsNs, utid, targetCpu, CpuSource.PREV_CPU);
      cpus.justWoke[cpu] = utid;
    }
  }

  /** A sched_wakeup or sched_wakeup_new: the task is on targetCpu's queue. */
  public void onWakeup(
      long tsNs, int cpu, int wakerUtid, int utid, int targetCpu, boolean isNew, int context) {
    if (tasks.isIdle(utid)) {
      return;
    }
    ensure(cpu);
    ensure(targetCpu);
    settle(utid);
    byte state = t.state[utid];
    if (state == TaskStates.RUNNING || (state == TaskStates.QUEUED && isPreempted(utid))) {
      t.forgetWake(utid);
      return;
    }
    if (state == TaskStates.QUEUED) {
      wokenTwice(tsNs, utid);
    }
    if (t.wakingTs[utid] == TaskStates.NONE) {
      t.waker[utid] = wakerUtid;
      t.irqContext[utid] = (byte) irqOf(context);
    }
    queue(tsNs, utid, targetCpu, isNew ? CpuSource.WAKEUP_NEW : CpuSource.WAKEUP);
  }

  /** A sched_migrate_task recorded on cpu. */
  public void onMigrate(long tsNs, int cpu, int utid, int destCpu) {
    ensure(cpu);
    ensure(destCpu);
    settle(utid);
    if (t.state[utid] == TaskStates.RUNNING) {
      return;
    }
    if (t.state[utid] == TaskStates.QUEUED) {
      if (cpus.justWoke[cpu] == utid) {
        t.source[utid] = (byte) CpuSource.MIGRATE.ordinal();
        t.queuedOn[utid] = destCpu;
      }
      moveQueued(tsNs, utid, destCpu);
    } else {
      t.cpu[utid] = destCpu;
      t.lossesBefore[utid] = cpus.losses[destCpu];
    }
    cpus.justWoke[cpu] = -1;
  }

  /** Another event on the CPU: a migration after it is no longer the placement of a wake. */
  public void onOther(int cpu) {
    cpus.justWoke[cpu] = -1;
  }

  /** The task is gone for good without a final switch-out; closes what is open. */
  public void onGone(long tsNs, int utid) {
    t.ensure(utid);
    settle(utid);
    if (t.state[utid] == TaskStates.QUEUED) {
      wait(tsNs, utid, true, true);
      unqueue(tsNs, utid);
    } else if (t.state[utid] == TaskStates.ASLEEP) {
      wait(tsNs, utid, true, false);
    }
    if (t.state[utid] != TaskStates.RUNNING) {
      t.state[utid] = TaskStates.UNSEEN;
    }
  }

  /** Events of a CPU are missing from tsNs on. */
  public void onLossBegin(long tsNs, int cpu) {
    ensure(cpu);
    if (cpus.inLoss[cpu]) {
      return;
    }
    int current = cpus.current[cpu];
    if (current >= 0) {
      slices.close(tsNs, cpu, EndKind.LOST);
      lose(current, cpu);
    }
    cpus.current[cpu] = -1;
    cpus.isOpen[cpu] = false;
    cpus.inLoss[cpu] = true;
    cpus.addLoss(cpu, tsNs);
    cpus.justWoke[cpu] = -1;
    queues.clear(cpu);
    queues.changed(cpu, tsNs);
  }

  /** The events of a CPU go on; utid runs there now, -1 if not known. */
  public void onLossEnd(long tsNs, int cpu, int utid) {
    ensure(cpu);
    cpus.inLoss[cpu] = false;
    resume(tsNs, cpu, utid);
  }

  /** Ends the trace: what is open is closed, censored. */
  public void end(long tsNs) {
    for (int cpu = 0; cpu < cpus.count(); cpu++) {
      if (cpus.current[cpu] >= 0) {
        slices.close(windowEnd(cpu, tsNs), cpu, EndKind.END);
      }
    }
    for (int utid = 0; utid < tasks.size(); utid++) {
      t.ensure(utid);
      settle(utid);
      if (t.state[utid] == TaskStates.QUEUED || t.state[utid] == TaskStates.ASLEEP) {
        wait(tsNs, utid, true, false);
      }
    }
    queues.end(tsNs);
  }

  /**
   * The end of a CPU's window: the trace's, unless the task it ran last turned up elsewhere and the
   * CPU never spoke again (a recorder that walks over the CPUs to switch them off leaves no trace
   * of its going).
   */
  public long windowEnd(int cpu, long endNs) {
    return cpu < cpus.count() && cpus.leftAt[cpu] != CpuStates.STILL_THERE
        ? cpus.leftAt[cpu]
        : endNs;
  }

  /** Takes up a CPU's time; utid -1 if the next switch has to tell who ran. */
  private void resume(long tsNs, int cpu, int utid) {
    cpus.isOpen[cpu] = true;
    cpus.sliceStart[cpu] = tsNs;
    cpus.current[cpu] = utid;
    if (utid < 0) {
      return;
    }
    t.ensure(utid);
    surprise(tsNs, cpu, utid);
    cpus.priority[cpu] = UNKNOWN_PRIO;
    cpus.startCensored[cpu] = true;
    run(utid, cpu);
    queues.setRunning(cpu, tasks.isIdle(utid));
    queues.changed(cpu, tsNs);
  }

  /** The task that ran here is gone unseen: it ran up to its last sign, the rest is not known. */
  private void mismatch(long tsNs, int cpu) {
    long lastSign = Math.max(cpus.confirmed[cpu], cpus.sliceStart[cpu]);
    anomalies.mismatchedSwitch(tsNs);
    slices.close(lastSign, cpu, EndKind.MISMATCH);
    if (tsNs > lastSign) {
      sink.onUnknown(lastSign, tsNs - lastSign, cpu);
    }
    lose(cpus.current[cpu], cpu);
  }

  private void lose(int utid, int cpu) {
    if (!tasks.isIdle(utid) && t.cpu[utid] == cpu) {
      t.state[utid] = TaskStates.UNSEEN;
      t.forgetWake(utid);
    }
  }

  /** The task turns out to run here although no switch-in was seen; what was open ends before. */
  private void surprise(long tsNs, int cpu, int utid) {
    if (tasks.isIdle(utid)) {
      return;
    }
    settle(utid);
    switch (t.state[utid]) {
      case TaskStates.QUEUED -> {
        wait(Math.max(t.since[utid], Math.min(tsNs, cpus.sliceStart[cpu])), utid, true, true);
        unqueue(tsNs, utid);
      }
      case TaskStates.ASLEEP ->
          wait(Math.max(t.since[utid], Math.min(tsNs, cpus.sliceStart[cpu])), utid, true, true);
      case TaskStates.RUNNING -> seenElsewhere(tsNs, cpu, utid);
      default -> {}
    }
    run(utid, cpu);
  }

  /**
   * The task runs here while another CPU still counts it as its own: that one's clock is late, or
   * its events ended before the switch. Until it speaks again, what it does is not known.
   */
  private void seenElsewhere(long tsNs, int cpu, int utid) {
    int other = t.cpu[utid];
    if (other != cpu && cpus.current[other] == utid) {
      cpus.leftAt[other] = tsNs;
      queues.setUnknown(other);
      queues.changed(other, tsNs);
    }
  }

  private void switchOut(long tsNs, int cpu, int utid, long prevState) {
    if (tasks.isIdle(utid)) {
      return;
    }
    if (t.state[utid] == TaskStates.RUNNING && t.cpu[utid] != cpu) {
      anomalies.ranOnTwoCpus(tsNs);
      return;
    }
    byte kind = codes.kind(prevState);
    t.since[utid] = tsNs;
    t.cpu[utid] = cpu;
    t.queuedOn[utid] = cpu;
    t.code[utid] = (byte) codes.code(prevState);
    t.lossesBefore[utid] = cpus.losses[cpu];
    if (kind == StateCodes.RUNNABLE) {
      t.forgetWake(utid);
      t.state[utid] = TaskStates.QUEUED;
      t.source[utid] = (byte) CpuSource.SWITCH_OUT.ordinal();
      queues.addWaiting(cpu, 1);
    } else if (kind == StateCodes.DEAD) {
      t.state[utid] = TaskStates.UNSEEN;
      t.forgetWake(utid);
      tasks.died(utid, tsNs);
    } else {
      t.state[utid] = TaskStates.ASLEEP;
      t.source[utid] = NOT_QUEUED;
    }
  }

  private void switchIn(long tsNs, int cpu, int utid) {
    if (tasks.isIdle(utid)) {
      return;
    }
    t.ensure(utid);
    settle(utid);
    tasks.lived(utid);
    switch (t.state[utid]) {
      case TaskStates.QUEUED -> {
        if (t.cpu[utid] != cpu) {
          anomalies.inferredMigration(tsNs);
        }
        wait(tsNs, utid, false, false);
        unqueue(tsNs, utid);
      }
      case TaskStates.ASLEEP -> runsUnwoken(tsNs, utid);
      case TaskStates.RUNNING -> seenElsewhere(tsNs, cpu, utid);
      default -> {}
    }
    run(utid, cpu);
  }

  /** A sleeper runs and no wake queued it. */
  private void runsUnwoken(long tsNs, int utid) {
    long waking = t.wakingTs[utid];
    if (waking == TaskStates.NONE) {
      anomalies.ranUnwoken(tsNs);
      wait(tsNs, utid, false, true);
      return;
    }
    long woken = Math.max(waking, t.since[utid]);
    if (woken > t.since[utid]) {
      wait(woken, utid, false, false);
    }
    t.since[utid] = woken;
    t.wakingTs[utid] = woken;
    t.code[utid] = StateCodes.R;
    t.source[utid] = (byte) CpuSource.PREV_CPU.ordinal();
    anomalies.wokenBeforeSwitchOut(tsNs);
    wait(tsNs, utid, false, false);
  }

  private void run(int utid, int cpu) {
    t.state[utid] = TaskStates.RUNNING;
    t.cpu[utid] = cpu;
    t.forgetWake(utid);
  }

  /** The task becomes runnable on a queue. */
  private void queue(long tsNs, int utid, int cpu, CpuSource source) {
    if (t.state[utid] == TaskStates.ASLEEP) {
      if (t.cpu[utid] != cpu) {
        anomalies.inferredMigration(tsNs);
      }
      wait(tsNs, utid, false, false);
      if (t.wakingTs[utid] != TaskStates.NONE) {
        t.wakingTs[utid] = Math.max(t.wakingTs[utid], t.since[utid]);
      }
    }
    tasks.lived(utid);
    t.state[utid] = TaskStates.QUEUED;
    t.since[utid] = tsNs;
    t.code[utid] = StateCodes.R;
    t.source[utid] = (byte) source.ordinal();
    t.cpu[utid] = cpu;
    t.queuedOn[utid] = cpu;
    // A wait that begins within a gap of its CPU is lost from sight at once.
    t.lossesBefore[utid] = cpus.losses[cpu] - (cpus.inLoss[cpu] ? 1 : 0);
    if (!cpus.inLoss[cpu]) {
      queues.addWaiting(cpu, 1);
      queues.changed(cpu, tsNs);
    }
  }

  private void moveQueued(long tsNs, int utid, int destCpu) {
    int from = t.cpu[utid];
    queues.addWaiting(from, -1);
    queues.changed(from, tsNs);
    t.cpu[utid] = destCpu;
    t.lossesBefore[utid] = cpus.losses[destCpu] - (cpus.inLoss[destCpu] ? 1 : 0);
    if (!cpus.inLoss[destCpu]) {
      queues.addWaiting(destCpu, 1);
      queues.changed(destCpu, tsNs);
    }
  }

  private void unqueue(long tsNs, int utid) {
    queues.addWaiting(t.cpu[utid], -1);
    queues.changed(t.cpu[utid], tsNs);
  }

  private void wokenTwice(long tsNs, int utid) {
    anomalies.wokenTwice(tsNs);
    wait(tsNs, utid, true, true);
    unqueue(tsNs, utid);
    t.state[utid] = TaskStates.UNSEEN;
    t.forgetWake(utid);
  }

  /** Ends a wait or sleep at the gap that its CPU has had since it began, if any. */
  private void settle(int utid) {
    t.ensure(utid);
    byte state = t.state[utid];
    if (state != TaskStates.QUEUED && state != TaskStates.ASLEEP) {
      return;
    }
    int cpu = t.cpu[utid];
    if (cpus.losses[cpu] == t.lossesBefore[utid]) {
      return;
    }
    long gap = cpus.lossStart[cpu][t.lossesBefore[utid]];
    anomalies.spansLoss(t.since[utid]);
    wait(Math.max(gap, t.since[utid]), utid, true, true);
    t.state[utid] = TaskStates.UNSEEN;
    t.forgetWake(utid);
  }

  private void wait(long untilNs, int utid, boolean censored, boolean suspect) {
    boolean queued = t.source[utid] != NOT_QUEUED;
    boolean woken = queued && t.source[utid] != CpuSource.SWITCH_OUT.ordinal();
    sink.onWaiting(
        t.since[utid],
        untilNs - t.since[utid],
        utid,
        t.code[utid],
        t.queuedOn[utid],
        queued ? t.source[utid] : NOT_QUEUED,
        woken ? t.waker[utid] : -1,
        woken ? t.wakingTs[utid] : TaskStates.NONE,
        woken ? t.irqContext[utid] : IRQ_UNKNOWN,
        censored,
        suspect);
  }

  private boolean isPreempted(int utid) {
    return t.source[utid] == CpuSource.SWITCH_OUT.ordinal();
  }

  private static int irqOf(int context) {
    if (context == EventContext.UNKNOWN.ordinal()) {
      return IRQ_UNKNOWN;
    }
    return context == EventContext.TASK.ordinal() ? 0 : 1;
  }

  private void ensure(int cpu) {
    cpus.ensure(cpu);
    queues.ensure(cpu);
  }
}

package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.rule.Tunables;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import java.util.Arrays;

/**
 * Runs the tasks' programs: what a task does once its burst of work is done, and when that is. Also
 * the programs of the kernel threads: the migration threads, and the noise.
 */
final class Programs {
  /** Operations a task may go through without taking time before the workload is called broken. */
  private static final int MAX_OPS_AT_ONCE = 1_000_000;

  private static final OpKind[] KINDS = OpKind.values();

  private final Workload workload;
  private final RunState state;
  private final EventQueue queue;
  private final Sources sources;
  private final Speeds speeds;
  private final Scheduler scheduler;
  private final Schedstat schedstat;
  private final Emitter emitter;
  private final Balancing balancing;
  private final Semaphores semaphores;
  private final long horizonNs;
  private final long noiseRunNs;
  private final boolean preemptKernel;

  private final byte[] kinds;
  private final int[] pc;
  private final long[] untilNs;
  private final long[] loopsLeft;
  private final long[] timerNext;
  private final long[] startNs;
  private int started;
  private int finished;

  Programs(
      SimSpec spec,
      RunState state,
      EventQueue queue,
      Sources sources,
      Speeds speeds,
      Scheduler scheduler,
      Schedstat schedstat,
      Emitter emitter,
      Balancing balancing) {
    workload = spec.workload();
    this.state = state;
    this.queue = queue;
    this.sources = sources;
    this.speeds = speeds;
    this.scheduler = scheduler;
    this.schedstat = schedstat;
    this.emitter = emitter;
    this.balancing = balancing;
    horizonNs = spec.horizonNs();
    Tunables tunables = spec.tunables();
    noiseRunNs = tunables.get("noiseRunNs");
    preemptKernel = tunables.get("preemptKernel") != 0;
    semaphores = new Semaphores(workload);
    kinds = new byte[workload.ops()];
    boolean loops = false;
    for (int op = 0; op < kinds.length; op++) {
      kinds[op] = (byte) workload.kind(op).ordinal();
      loops |= workload.kind(op) == OpKind.LOOP;
    }
    loopsLeft = new long[loops ? kinds.length : 0];
    for (int op = 0; op < loopsLeft.length; op++) {
      loopsLeft[op] = workload.arg(op);
    }
    pc = new int[state.workTasks];
    untilNs = new long[state.tasks];
    startNs = new long[state.workTasks];
    for (int task = 0; task < state.workTasks; task++) {
      pc[task] = workload.firstOp(task);
    }
    timerNext = new long[workload.timers()];
    Arrays.fill(timerNext, -1);
  }

  int started() {
    return started;
  }

  int finished() {
    return finished;
  }

  // --- Bursts

  /** The CPU switched: its burst ends at another time now, and its siblings' speed may change. */
  void switched(int cpu, int previous, int next) {
    if (speeds.isShared(cpu) && (previous < 0) != (next < 0)) {
      int[] siblings = speeds.siblings(cpu);
      for (int sibling : siblings) {
        if (sibling != cpu) {
          scheduler.fair().charge(sibling);
        }
      }
      speeds.setBusy(cpu, next >= 0);
      for (int sibling : siblings) {
        if (sibling != cpu && state.curr[sibling] >= 0) {
          plan(sibling);
        }
      }
    }
    if (next < 0) {
      queue.cancel(sources.burst(cpu));
      return;
    }
    plan(cpu);
  }

  /** The CPU goes on with the task it had. */
  void goOn(int cpu) {
    if (state.curr[cpu] >= 0) {
      plan(cpu);
    }
  }

  /** Sets when the running task's burst ends; its books must be up to now. */
  private void plan(int cpu) {
    int task = state.curr[cpu];
    int source = sources.burst(cpu);
    if (untilNs[task] > 0) {
      queue.set(source, Math.max(state.nowNs, untilNs[task]));
      return;
    }
    long left = Math.max(0, state.remaining[task]);
    if (left > horizonNs) {
      queue.cancel(source);
      return;
    }
    queue.set(source, state.nowNs + speeds.time(cpu, left));
  }

  /** The running task's burst is over. */
  void burstOver(int cpu) {
    scheduler.fair().charge(cpu);
    int task = state.curr[cpu];
    state.remaining[task] = 0;
    untilNs[task] = 0;
    if (task < state.workTasks) {
      advance(task, cpu);
      return;
    }
    if (task < state.noise(0)) {
      if (balancing != null) {
        balancing.push(cpu);
      }
      scheduler.evict(cpu);
    }
    scheduler.block(cpu, task, false);
  }

  // --- Kernel threads

  /** Wakes the noise thread of a CPU, unless it is awake still. */
  void noise(int cpu) {
    int task = state.noise(cpu);
    if (state.active.contains(cpu) && state.state[task] == RunState.SLEEPING) {
      state.remaining[task] = noiseRunNs;
      scheduler.wake(task, cpu, false, Emitter.IN_HARDIRQ);
    }
  }

  // --- Tasks

  /** A task's time has come: it starts, or its sleep is over. */
  void timer(int task) {
    if (state.state[task] == RunState.NEW) {
      start(task, state.active.first());
      return;
    }
    int cpu = state.taskCpu[task];
    int at = state.active.contains(cpu) ? cpu : state.active.first();
    scheduler.wake(task, at, false, Emitter.IN_HARDIRQ);
  }

  private void start(int task, int parent) {
    started++;
    startNs[task] = state.nowNs;
    scheduler.start(task, parent, workload.startCpu(task));
  }

  /** Goes on with a task's program until it has work, sleeps, ends or loses the CPU. */
  private void advance(int task, int cpu) {
    int end = workload.endOp(task);
    for (int guard = 0; guard < MAX_OPS_AT_ONCE; guard++) {
      if (pc[task] >= end) {
        exit(task, cpu);
        return;
      }
      int op = pc[task]++;
      if (!step(task, cpu, op)) {
        return;
      }
      if (preemptKernel && state.needResched.contains(cpu) && !isJoined(op)) {
        // Preempted between two operations: the rest is done when it runs again.
        queue.cancel(sources.burst(cpu));
        return;
      }
    }
    throw new IllegalStateException(
        "task "
            + workload.name(task)
            + " goes through a million operations without taking time; give its loop a run or a"
            + " sleep");
  }

  /** Whether nothing may come between the operation and the next. */
  private boolean isJoined(int op) {
    return KINDS[kinds[op]] == OpKind.SIGNAL && workload.arg(op) == 1;
  }

  /** Does one operation; whether the task goes on at once. */
  private boolean step(int task, int cpu, int op) {
    long arg = workload.arg(op);
    int ref = workload.ref(op);
    switch (KINDS[kinds[op]]) {
      case RUN -> {
        return !work(task, cpu, arg);
      }
      case RUN_TIME -> {
        return !workUntil(task, cpu, state.nowNs + arg);
      }
      case SLEEP -> {
        return !sleepUntil(task, cpu, state.nowNs + arg);
      }
      case TIMER, TIMER_RELATIVE -> {
        return !sleepUntil(task, cpu, nextPoint(task, ref, arg, KINDS[kinds[op]]));
      }
      case WAIT -> {
        if (!semaphores.take(ref, task)) {
          scheduler.block(cpu, task, false);
          return false;
        }
      }
      case SIGNAL, SIGNAL_SYNC -> {
        int waiter = semaphores.give(ref);
        if (waiter >= 0) {
          scheduler.wake(waiter, cpu, KINDS[kinds[op]] == OpKind.SIGNAL_SYNC, Emitter.IN_TASK);
        }
      }
      case BROADCAST -> {
        long left = arg == 0 ? Long.MAX_VALUE : arg;
        for (int waiter = semaphores.waiter(ref);
            waiter >= 0;
            waiter = --left > 0 ? semaphores.waiter(ref) : -1) {
          scheduler.wake(waiter, cpu, false, Emitter.IN_TASK);
        }
      }
      case YIELD -> {
        schedstat.add(cpu, Schedstat.Cpu.YLD_COUNT, 1);
        state.toTail[cpu] = true;
        state.yielded[cpu] = true;
        state.needResched.add(cpu);
        return leave(cpu);
      }
      case FORK -> start(ref, cpu);
      case AFFINITY -> {
        scheduler.setAllowed(task, mask(ref), cpu);
        return !state.needResched.contains(cpu) || leave(cpu);
      }
      case PRIORITY -> scheduler.setPriority(task, Policy.values()[ref], (int) arg);
      case LOOP -> loop(task, op, ref);
      case EXIT -> {
        exit(task, cpu);
        return false;
      }
    }
    return true;
  }

  /** The task leaves the CPU with operations to do: nothing is planned until it is back. */
  private boolean leave(int cpu) {
    queue.cancel(sources.burst(cpu));
    return false;
  }

  /** Whether there is work to do, which is then under way. */
  private boolean work(int task, int cpu, long ns) {
    if (ns <= 0) {
      return false;
    }
    state.remaining[task] += ns;
    plan(cpu);
    return true;
  }

  private boolean workUntil(int task, int cpu, long ns) {
    if (ns <= state.nowNs) {
      return false;
    }
    untilNs[task] = ns;
    plan(cpu);
    return true;
  }

  private boolean sleepUntil(int task, int cpu, long ns) {
    if (ns <= state.nowNs) {
      return false;
    }
    queue.set(sources.task(task), ns);
    scheduler.block(cpu, task, false);
    return true;
  }

  private long nextPoint(int task, int timer, long period, OpKind kind) {
    long next = timerNext[timer] < 0 ? startNs[task] + period : timerNext[timer] + period;
    if (next < state.nowNs && kind == OpKind.TIMER_RELATIVE) {
      next = state.nowNs;
    }
    timerNext[timer] = next;
    return next;
  }

  private void loop(int task, int op, int target) {
    if (loopsLeft[op] < 0) {
      pc[task] = target;
    } else if (--loopsLeft[op] > 0) {
      pc[task] = target;
    } else {
      // An outer loop may come here again.
      loopsLeft[op] = workload.arg(op);
    }
  }

  private void exit(int task, int cpu) {
    finished++;
    scheduler.block(cpu, task, true);
    emitter.exited(task);
  }

  /** What a mask id of the workload stands for. */
  CpuSet mask(int mask) {
    return mask < 0 ? sources.everyCpu() : workload.mask(mask);
  }
}

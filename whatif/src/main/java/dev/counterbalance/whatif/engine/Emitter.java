package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.kernel.PrevState;
import dev.counterbalance.whatif.workload.Workload;
import java.util.function.ToIntFunction;

/** Tells the sink what happens, as the kernel's tracepoints would. */
final class Emitter {
  static final int IN_TASK = EventContext.TASK.ordinal();
  static final int IN_HARDIRQ = EventContext.HARDIRQ.ordinal();
  static final int IN_SOFTIRQ = EventContext.SOFTIRQ.ordinal();

  private static final int IDLE_PRIO = 120;

  /** Switch-out states as prev_state has them. */
  final long stateRunnable;

  final long statePreempted;
  final long stateSleeping;
  final long stateDead;

  private final RunState state;
  private final EventSink sink;
  private final int[] tids;
  private final int[] names;
  private final int idleName;
  private final boolean[] introduced;
  private long events;

  Emitter(RunState state, Workload workload, EventSink sink, ToIntFunction<String> nameIds) {
    this.state = state;
    this.sink = sink;
    tids = new int[state.tasks];
    names = new int[state.tasks];
    introduced = new boolean[state.tasks];
    PrevState letters = PrevState.modern();
    stateRunnable = letters.value("R");
    statePreempted = letters.value("R+");
    stateSleeping = letters.value("S");
    stateDead = letters.value("X");
    idleName = nameIds.applyAsInt("swapper");
    for (int task = 0; task < state.workTasks; task++) {
      tids[task] = Simulation.tid(state.cpus, task);
      names[task] = nameIds.applyAsInt(workload.name(task));
    }
    for (int cpu = 0; cpu < state.cpus; cpu++) {
      tids[state.stopper(cpu)] = Simulation.FIRST_KTHREAD + 2 * cpu;
      names[state.stopper(cpu)] = nameIds.applyAsInt("migration/" + cpu);
      tids[state.noise(cpu)] = Simulation.FIRST_KTHREAD + 2 * cpu + 1;
      names[state.noise(cpu)] = nameIds.applyAsInt("kworker/" + cpu + ":0");
    }
  }

  long events() {
    return events;
  }

  void begin() {
    for (int cpu = state.active.first(); cpu >= 0; cpu = state.active.next(cpu)) {
      sink.onCpuStart(0, cpu, 0, false);
    }
  }

  void end(long endNs) {
    sink.end(endNs, events, 0);
  }

  void switched(int cpu, int previous, long previousState, int next) {
    events++;
    sink.onSwitch(
        state.nowNs,
        cpu,
        previous < 0 ? 0 : tids[previous],
        previous < 0 ? idleName : names[previous],
        previous < 0 ? IDLE_PRIO : prio(previous),
        previousState,
        next < 0 ? 0 : tids[next],
        next < 0 ? idleName : names[next],
        next < 0 ? IDLE_PRIO : prio(next));
  }

  /** {@code cpu} wakes the task, which still counts to the CPU it slept on. */
  void waking(int cpu, int task, int context) {
    events++;
    introduce(task);
    sink.onWaking(
        state.nowNs,
        cpu,
        current(cpu),
        tids[task],
        names[task],
        prio(task),
        state.taskCpu[task],
        context);
  }

  void wakeup(int cpu, int task, boolean isNew, int context) {
    events++;
    introduce(task);
    sink.onWakeup(
        state.nowNs,
        cpu,
        current(cpu),
        tids[task],
        names[task],
        prio(task),
        state.taskCpu[task],
        isNew,
        context);
  }

  /** {@code cpu} moves the task from the CPU it counts to. */
  void migrate(int cpu, int task, int target, int context) {
    events++;
    sink.onMigrate(
        state.nowNs,
        cpu,
        current(cpu),
        tids[task],
        names[task],
        prio(task),
        state.taskCpu[task],
        target,
        context);
  }

  void exited(int task) {
    sink.onTaskExited(state.nowNs, tids[task], tids[task]);
  }

  private void introduce(int task) {
    if (!introduced[task]) {
      introduced[task] = true;
      sink.onTaskName(state.nowNs, tids[task], tids[task], names[task], false);
    }
  }

  private int prio(int task) {
    return Math.max(0, state.prio[task]);
  }

  private int current(int cpu) {
    int task = state.curr[cpu];
    return task < 0 ? 0 : tids[task];
  }
}

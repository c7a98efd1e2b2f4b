package dev.counterbalance.trace.event;

/**
 * Receives one trace in time order: {@link #begin}, then one {@link #onCpuStart} per recorded CPU,
 * then events with non-decreasing timestamps, then {@link #end}.
 *
 * <p>Times are ns in the trace's own clock. {@code tid} is the kernel's thread id; tid 0 is the
 * idle task of the CPU named with it. {@code name} arguments are ids from {@link
 * dev.counterbalance.trace.task.Names}; -1 means the format does not tell. {@code currentTid} is
 * the task that ran on {@code cpu} when the event was recorded, -1 if the format does not tell.
 * {@code context} is an ordinal of {@link EventContext}.
 *
 * <p>All arguments are primitive: an importer delivers tens of millions of events a second.
 */
public interface EventSink {

  /**
   * Tells what is known from beside the recording; before {@link #begin}, and at most once. A sink
   * that has no use for it takes no notice.
   */
  default void sidecar(Sidecar sidecar) {}

  /** Starts the trace. {@link TraceInfo#startNs} and {@code endNs} are set. */
  void begin(TraceInfo info);

  /**
   * Announces a recorded CPU; all are announced before the first event.
   *
   * @param tsNs start of what is known about the CPU; the recording's start, or the CPU's own first
   *     event where a ring buffer was overwritten
   * @param currentTid the task that ran there at that time (from the first switch's prev), -1 if
   *     unknown
   * @param silent true if the CPU was recorded but has no event at all
   */
  void onCpuStart(long tsNs, int cpu, int currentTid, boolean silent);

  /** {@code sched_switch}; {@code prevState} as recorded, a prio Integer.MIN_VALUE if unknown. */
  void onSwitch(
      long tsNs,
      int cpu,
      int prevTid,
      int prevName,
      int prevPrio,
      long prevState,
      int nextTid,
      int nextName,
      int nextPrio);

  /** {@code sched_waking}: always in the waker's context; {@code targetCpu} is the previous CPU. */
  void onWaking(
      long tsNs, int cpu, int currentTid, int tid, int name, int prio, int targetCpu, int context);

  /** {@code sched_wakeup} and {@code sched_wakeup_new}: the task is on targetCpu's runqueue. */
  void onWakeup(
      long tsNs,
      int cpu,
      int currentTid,
      int tid,
      int name,
      int prio,
      int targetCpu,
      boolean isNew,
      int context);

  /** {@code sched_migrate_task}: fires before the change. */
  void onMigrate(
      long tsNs,
      int cpu,
      int currentTid,
      int tid,
      int name,
      int prio,
      int origCpu,
      int destCpu,
      int context);

  /**
   * A {@code sched_process_*} event.
   *
   * @param kind ordinal of {@link ProcessEvent}, which says what tid and otherTid mean
   * @param prio the priority the event carries, or Integer.MIN_VALUE
   */
  void onProcess(
      long tsNs, int cpu, int kind, int tid, int name, int otherTid, int otherName, int prio);

  /** {@code sched_pi_setprio}. */
  void onPrio(long tsNs, int cpu, int tid, int name, int oldPrio, int newPrio);

  /** A NUMA balancing event; {@code kind} is an ordinal of {@link NumaEvent}. */
  void onNuma(
      long tsNs,
      int cpu,
      int kind,
      int tid,
      int srcCpu,
      int srcNid,
      int otherTid,
      int dstCpu,
      int dstNid);

  /**
   * A {@code sched_stat_*} event; {@code kind} is an ordinal of {@link StatKind}.
   *
   * @param vruntimeNs Long.MIN_VALUE where the format has none
   */
  void onStat(
      long tsNs, int cpu, int kind, int currentTid, int tid, int name, long ns, long vruntimeNs);

  /** An interrupt handler begins or ends; {@code kind} is an ordinal of {@link IrqKind}. */
  void onIrq(long tsNs, int cpu, int kind, boolean entry, int vector, int name);

  /** {@code cpu_idle}: state -1 means the CPU leaves idle. */
  void onCpuIdle(long tsNs, int cpu, int state);

  /** {@code cpu_frequency} in kHz. */
  void onCpuFrequency(long tsNs, int cpu, long khz);

  /** {@code sched_update_nr_running}: length of the runqueue after the change. */
  void onNrRunning(long tsNs, int cpu, int nrRunning);

  /** An event without a method of its own; {@code argsJson} is one JSON object. */
  void onOther(long tsNs, int cpu, int currentTid, int eventName, String argsJson);

  /**
   * A task's name and thread group become known, or change.
   *
   * @param tsNs when, or -1: true from the start
   * @param tgid the thread group id, -1 if unknown
   * @param exec true if the name changed by exec
   */
  void onTaskName(long tsNs, int tgid, int tid, int name, boolean exec);

  /**
   * A task was created.
   *
   * @param tsNs when, or -1: it existed before the recording
   */
  void onTaskCreated(long tsNs, int tgid, int tid, int parentTgid, int parentTid);

  /** A task exited. */
  void onTaskExited(long tsNs, int tgid, int tid);

  /** Events of a CPU are missing from here on. */
  void onLossBegin(long tsNs, int cpu);

  /**
   * The events of a CPU go on after a loss.
   *
   * @param lost how many events are missing, -1 if unknown
   * @param currentTid the task running there now, -1 if unknown
   * @param source what told of the loss, e.g. {@code LOST}
   */
  void onLossEnd(long tsNs, int cpu, long lost, int currentTid, String source);

  /** Reports trouble; may be called at any time between begin and end. */
  void onProblem(Problem problem);

  /**
   * Ends the trace.
   *
   * @param eventCount how many events the input held, tracepoints only
   * @param lostEvents how many it says are missing
   */
  void end(long endNs, long eventCount, long lostEvents);
}

package dev.counterbalance.trace.interval;

/** Receives the intervals that {@link IntervalBuilder} closes; not in order of time. */
public interface IntervalSink {

  /**
   * A task ran.
   *
   * @param prio priority at its start, Integer.MIN_VALUE if unknown
   * @param endState prev_state of the switch that ended it; read only if endKind is SWITCH, as are
   *     endPrio, nextUtid and nextPrio
   * @param endKind ordinal of {@link EndKind}
   */
  void onSlice(
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
      boolean censored);

  /**
   * A task did not run.
   *
   * @param stateCode see {@link StateCodes}
   * @param cpuSource ordinal of {@link CpuSource}, -1 unless it queued
   * @param wakerUtid -1 unless it was woken
   * @param wakingTsNs time of its sched_waking, Long.MIN_VALUE if there was none
   * @param irqContext 1 if woken from an interrupt, 0 if not, -1 if unknown or not woken
   */
  void onWaiting(
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
      boolean suspect);

  /**
   * Runqueue lengths of a CPU from tsNs on, with the machine's counts after the change.
   *
   * @param nrRunning Integer.MIN_VALUE, as nrWaiting, while it is not known what the CPU does
   */
  void onRunQueue(
      long tsNs,
      long durNs,
      int cpu,
      int nrRunning,
      int nrWaiting,
      int machineRunning,
      int machineWaiting,
      int machineIdle,
      int machineOverloaded,
      long machineDurNs);

  /** What a CPU did is not known for a while: a switch was not recorded. */
  void onUnknown(long tsNs, long durNs, int cpu);
}

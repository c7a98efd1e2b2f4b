package dev.counterbalance.trace.interval;

/** Writes the slice that is open on a CPU. */
final class Slices {
  private static final int UNKNOWN_PRIO = Integer.MIN_VALUE;

  private final CpuStates cpus;
  private final IntervalSink sink;

  Slices(CpuStates cpus, IntervalSink sink) {
    this.cpus = cpus;
    this.sink = sink;
  }

  /** Writes the slice that a switch ends. */
  void switched(long tsNs, int cpu, int prevPrio, long prevState, int nextUtid, int nextPrio) {
    sink.onSlice(
        cpus.sliceStart[cpu],
        tsNs - cpus.sliceStart[cpu],
        cpu,
        cpus.current[cpu],
        cpus.priority[cpu],
        prevState,
        prevPrio,
        nextUtid,
        nextPrio,
        EndKind.SWITCH.ordinal(),
        cpus.startCensored[cpu]);
  }

  /** Writes the slice that something else than a switch ends. */
  void close(long tsNs, int cpu, EndKind kind) {
    sink.onSlice(
        cpus.sliceStart[cpu],
        tsNs - cpus.sliceStart[cpu],
        cpu,
        cpus.current[cpu],
        cpus.priority[cpu],
        0,
        UNKNOWN_PRIO,
        -1,
        UNKNOWN_PRIO,
        kind.ordinal(),
        true);
  }
}

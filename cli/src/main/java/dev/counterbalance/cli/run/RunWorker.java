package dev.counterbalance.cli.run;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.RunFigures;
import dev.counterbalance.analysis.query.RunFigures.Figure;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.whatif.engine.SimResult;
import dev.counterbalance.whatif.run.Engine;
import dev.counterbalance.whatif.run.RunRecorder;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Carries out one run after the other in a scratch store of its own; one thread's. */
final class RunWorker implements AutoCloseable {
  private final RunRecorder recorder;
  private final TraceStore scratch;
  private final Entries entries;

  RunWorker(Engine engine, int memoryMb) {
    recorder = new RunRecorder(engine);
    scratch = TraceStore.inMemory(memoryMb);
    entries = Entries.shadow(scratch);
  }

  /** A run that lies in the scratch store until the next one. */
  record Done(TraceStore scratch, TraceRef trace, SimResult result) {}

  Done run(PlannedRun run, Consumer<LongSupplier> clock) {
    scratch.clear();
    SimResult result;
    try (TraceImport trace = scratch.beginImport(run.name(), false)) {
      result = recorder.record(run.spec(), trace, run.keepEvents(), clock);
      trace.commit();
    }
    TraceRef trace = scratch.traces().get(0);
    List<Figure> figures =
        RunFigures.read(scratch, entries, trace.traceId(), run.spec().warmupNs());
    try (TraceImport rows = scratch.beginAppend(trace)) {
      TableWriter writer = rows.table(Tables.RUN_METRIC);
      figures.forEach(figure -> add(writer, figure));
      simulation(writer, result, run.spec().workload().tasks());
      rows.commit();
    }
    if (!run.keepEvents()) {
      scratch.dropEvents(trace);
    }
    return new Done(scratch, trace, result);
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
    scratch.close();
  }
}

package dev.counterbalance.cli.run;

import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.whatif.run.RunName;
import dev.counterbalance.whatif.run.RunRecorder;
import dev.counterbalance.whatif.run.RunSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides which runs a command makes, and what they are called. */
public final class RunPlan {
  private static final String STORED =
      "SELECT t.trace_id, t.name, t.uuid, f.value AS hash,"
          + " EXISTS (FROM sched_slice s WHERE s.trace_id = t.trace_id) AS has_events"
          + " FROM trace t JOIN trace_fact f"
          + " ON f.trace_id = t.trace_id AND f.key = '"
          + RunRecorder.SPEC_HASH
          + "' ORDER BY t.trace_id";

  /** A run that the store has. */
  private record Stored(TraceRef trace, boolean hasEvents) {}

  private RunPlan() {}

  /**
   * Plans runs. One that the store has is made again if it is to keep its events and has none
   * there.
   *
   * @param specs the runs, no two equal, those of a rule behind each other
   * @param store where they go
   * @param keep which keep their events
   * @param replace whether runs that the store has are made again
   */
  public static List<PlannedRun> of(
      List<RunSpec> specs, TraceStore store, KeepEvents keep, boolean replace) {
    Map<String, Stored> stored = stored(store);
    Set<String> names = new HashSet<>();
    store.traces().forEach(trace -> names.add(trace.name()));
    Set<String> rules = new HashSet<>();
    List<PlannedRun> runs = new ArrayList<>();
    for (RunSpec spec : specs) {
      String hash = spec.hash();
      boolean first = rules.add(spec.rule().label());
      Stored found = stored.get(hash);
      Optional<TraceRef> old = Optional.ofNullable(found).map(Stored::trace);
      String name = old.map(TraceRef::name).orElseGet(() -> RunName.of(spec, names::contains));
      names.add(name);
      boolean events = keep == KeepEvents.ALL || (keep == KeepEvents.FIRST && first);
      boolean stands = found != null && (found.hasEvents() || !events);
      runs.add(new PlannedRun(spec, hash, name, events, old, replace || !stands));
    }
    return runs;
  }

  private static Map<String, Stored> stored(TraceStore store) {
    Map<String, Stored> stored = new HashMap<>();
    for (Map<String, Object> row : new Query(store).rows(STORED)) {
      stored.put(
          (String) row.get("hash"),
          new Stored(
              new TraceRef(
                  ((Number) row.get("trace_id")).intValue(),
                  (String) row.get("name"),
                  (String) row.get("uuid")),
              (Boolean) row.get("has_events")));
    }
    return stored;
  }
}

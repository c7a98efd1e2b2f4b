package dev.counterbalance.cli;

import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import java.util.List;
import java.util.stream.Collectors;

/** Picks a trace of a store by what the command line says. */
final class Traces {
  private static final int LISTED = 20;

  private Traces() {}

  /** The trace of that name. */
  static TraceRef named(TraceStore store, String name) {
    return store
        .trace(name)
        .orElseThrow(
            () ->
                Refusal.data(
                    String.format(
                        "%s: holds no trace named '%s'. %s",
                        store.file(), name, names(store.traces()))));
  }

  /** The trace of that name; without a name the store's only one. */
  static TraceRef chosen(TraceStore store, String name) {
    if (name != null) {
      return named(store, name);
    }
    List<TraceRef> traces = store.traces();
    if (traces.size() == 1) {
      return traces.get(0);
    }
    if (traces.isEmpty()) {
      throw Refusal.data(store.file() + ": holds no trace. Add one with trace-import.");
    }
    throw Refusal.usage(
        String.format(
            "%s: holds %d traces, choose one with --trace. %s",
            store.file(), traces.size(), names(traces)));
  }

  /** Refuses what would be no name. */
  static void checkName(String name) {
    if (name.isBlank()) {
      throw Refusal.usage("A trace's name must not be blank.");
    }
  }

  private static String names(List<TraceRef> traces) {
    if (traces.isEmpty()) {
      return "It is empty.";
    }
    String some =
        traces.stream()
            .limit(LISTED)
            .map(t -> "'" + t.name() + "'")
            .collect(Collectors.joining(", "));
    int more = traces.size() - LISTED;
    return "It holds " + some + (more > 0 ? " and " + more + " more." : ".");
  }
}

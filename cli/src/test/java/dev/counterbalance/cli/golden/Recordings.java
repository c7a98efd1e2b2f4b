package dev.counterbalance.cli.golden;

import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.build.TraceBuilder;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Imports recordings for tests. */
final class Recordings {
  /** Its switches are records of which perf script prints nothing. */
  private static final String WITHOUT_TRACEPOINTS = "switchevents.perf.data";

  private Recordings() {}

  static boolean hasTracepoints(Path recording) {
    return !recording.getFileName().toString().equals(WITHOUT_TRACEPOINTS);
  }

  /** A new store with the recording as its only trace; the caller closes it. */
  static TraceStore importInto(Path file, Path recording) throws IOException {
    Files.deleteIfExists(file);
    Names names = new Names();
    try (TraceStore store = TraceStore.create(file)) {
      try (TraceImport trace = store.beginImport("t", false);
          TraceInput in = Importers.open(recording.toString())) {
        Importers.load()
            .read(
                in,
                ImportOptions.of(names),
                new TraceBuilder(trace, recording.getFileName().toString(), names));
        trace.commit();
      }
      store.publish();
    }
    return TraceStore.openReadOnly(file);
  }
}

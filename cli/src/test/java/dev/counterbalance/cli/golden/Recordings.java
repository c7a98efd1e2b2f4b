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
import java.util.Set;

/** Imports recordings for tests. */
final class Recordings {
  /** Kinds of perf.data that end in a sentence for now; the reader's own tests check which. */
  private static final Set<String> NOT_READ_YET =
      Set.of(
          "perfz.data",
          "dir.perf.data",
          "zdir.perf.data",
          "zpipe.perf.data",
          "bigendian.perf.data",
          "switchevents.perf.data");

  private Recordings() {}

  static boolean isReadNow(Path recording) {
    return !NOT_READ_YET.contains(recording.getFileName().toString())
        && !Files.isDirectory(recording);
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

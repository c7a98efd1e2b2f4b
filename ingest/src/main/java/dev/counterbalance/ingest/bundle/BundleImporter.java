package dev.counterbalance.ingest.bundle;

import dev.counterbalance.ingest.FormatInfo;
import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importer;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads the bundle of trace-record: its recording by the importer that knows it, and before that
 * what was written down beside it.
 */
public final class BundleImporter implements Importer {
  /** What the format is called. */
  public static final String NAME = "bundle";

  private static final int SURE = 100;

  @Override
  public FormatInfo info() {
    return new FormatInfo(NAME, "trace-record");
  }

  @Override
  public int sniff(Head head) {
    return 0;
  }

  @Override
  public int sniff(Path directory) {
    return Bundle.is(directory) ? SURE : 0;
  }

  @Override
  public void read(TraceInput in, ImportOptions options, EventSink sink) throws IOException {
    Bundle bundle = Bundle.open(in, options.strict());
    try (TraceInput recording = Importers.open(bundle.recording().toString())) {
      Importer importer = Importers.load().choose(recording);
      sink.sidecar(bundle.sidecar());
      importer.read(recording, options, sink);
    }
  }
}

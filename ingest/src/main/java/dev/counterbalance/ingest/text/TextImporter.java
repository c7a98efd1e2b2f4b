package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importer;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;

/** Reads a line-oriented text in two passes. The subclasses name what writes it. */
abstract class TextImporter implements Importer {
  private final Dialect dialect;

  TextImporter(Dialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public int sniff(Head head) {
    return Sniffer.score(head, dialect);
  }

  @Override
  public void read(TraceInput in, ImportOptions options, EventSink sink) throws IOException {
    Text text = new Text(in, options, dialect);
    ProgressMeter progress = new ProgressMeter(options.progress(), 2 * in.size());
    new Survey(text).run(progress);
    new Playback(text, sink).run(progress);
    progress.end();
  }
}

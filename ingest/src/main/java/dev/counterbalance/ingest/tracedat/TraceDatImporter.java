package dev.counterbalance.ingest.tracedat;

import dev.counterbalance.ingest.FormatInfo;
import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importer;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;

/** Reads trace.dat, as trace-cmd writes it: version 6, and version 7 of trace-cmd 3.0 and later. */
public final class TraceDatImporter implements Importer {

  @Override
  public FormatInfo info() {
    return new FormatInfo("trace.dat", "trace-cmd record, trace-cmd extract");
  }

  @Override
  public int sniff(Head head) {
    return head.startsWith(DatHeader.MAGIC) ? 100 : 0;
  }

  @Override
  public void read(TraceInput in, ImportOptions options, EventSink sink) throws IOException {
    DatHeader header = DatHeader.read(in);
    DatFile file = new DatFile(in, options, header);
    file.ring.info.format = "trace.dat v" + header.version();
    try (Decompressor decompressor = new Decompressor(in.name(), header.compression())) {
      if (header.version() == 6) {
        new Version6(file).read();
      } else {
        new Version7(file, decompressor).read();
      }
      new DataPlan(file, decompressor).apply();
      file.play(sink);
    }
  }
}

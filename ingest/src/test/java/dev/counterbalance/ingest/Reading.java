package dev.counterbalance.ingest;

import dev.counterbalance.trace.task.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Reads bytes as a trace. */
public final class Reading {
  private Reading() {}

  public static TextSink read(byte[] bytes) throws IOException {
    return read(bytes, options -> options);
  }

  public static TextSink read(byte[] bytes, UnaryOperator<ImportOptions> change)
      throws IOException {
    TextSink sink = new TextSink(new Names());
    try (TraceInput in = TraceInput.ofStream(new ByteArrayInputStream(bytes), "test.data")) {
      Importers.load().read(in, change.apply(ImportOptions.of(sink.names)), sink);
    }
    return sink;
  }

  /** A small real recording in pipe mode: hackbench on 8 CPUs, three kinds of events. */
  public static byte[] sample() throws IOException {
    return Files.readAllBytes(
        Path.of(System.getProperty("repo.root", ".."), "sample-traces/hackbench8/perfpipe.data"));
  }
}

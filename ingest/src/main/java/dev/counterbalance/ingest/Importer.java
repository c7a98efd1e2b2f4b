package dev.counterbalance.ingest;

import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;
import java.nio.file.Path;

/** Reads one trace format. Implementations are found with {@link java.util.ServiceLoader}. */
public interface Importer {

  /** What the format is called. */
  FormatInfo info();

  /**
   * How sure the format is that the input is its own, by content alone.
   *
   * @return 0 (no) to 100 (certain)
   */
  int sniff(Head head);

  /**
   * How sure the format is that a directory is a recording of its own, by the files in it.
   *
   * @return 0 (no) to 100 (certain)
   */
  default int sniff(Path directory) throws IOException {
    return 0;
  }

  /**
   * Reads the whole trace into the sink.
   *
   * @throws TraceFormatException if the input cannot be read as this format; what a sink got before
   *     that is not a trace
   */
  void read(TraceInput in, ImportOptions options, EventSink sink) throws IOException;
}

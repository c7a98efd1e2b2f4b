package dev.counterbalance.ingest.tracedat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.counterbalance.ingest.CountingSink;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.task.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Any bytes are read or refused. Fuzzes with {@code JAZZER_FUZZ=1}, else runs the seeds. */
class TraceDatFuzzTest {

  @FuzzTest
  void readsOrRefuses(byte[] bytes) throws IOException {
    try (TraceInput in = TraceInput.ofStream(new ByteArrayInputStream(bytes), "fuzz")) {
      new TraceDatImporter().read(in, ImportOptions.of(new Names()), new CountingSink());
    } catch (TraceFormatException e) {
      // refused with a sentence
    }
  }
}

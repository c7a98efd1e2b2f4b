package dev.counterbalance.ingest.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.counterbalance.ingest.CountingSink;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.task.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;

/** Any bytes are read or refused. Fuzzes with {@code JAZZER_FUZZ=1}, else runs the seeds. */
class TextFuzzTest {

  @FuzzTest
  void readsOrRefuses(byte[] bytes) throws IOException {
    for (TextImporter importer :
        List.of(new FtraceImporter(), new PerfScriptImporter(), new TraceCmdReportImporter())) {
      try (TraceInput in = TraceInput.ofStream(new ByteArrayInputStream(bytes), "fuzz")) {
        ImportOptions options = ImportOptions.of(new Names()).withAllEvents(true);
        importer.sniff(in.head());
        importer.read(in, options, new CountingSink());
      } catch (TraceFormatException e) {
        // refused with a sentence
      }
    }
  }
}

package dev.counterbalance.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.store.TraceStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every event of a recording can be given back from its store as {@code perf script} prints it. */
class ReadBackTest {
  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> shippedRecordings() throws IOException {
    return tests(Corpus.samples());
  }

  @TestFactory
  Stream<DynamicTest> largeCorpus() throws IOException {
    return tests(Corpus.large().resolve("kernels"));
  }

  private Stream<DynamicTest> tests(Path root) throws IOException {
    return Corpus.recordings(root).stream()
        .filter(Recordings::isReadNow)
        .map(
            file ->
                DynamicTest.dynamicTest(root.relativize(file).toString(), () -> readBack(file)));
  }

  private void readBack(Path recording) throws Exception {
    try (TraceStore store = Recordings.importInto(folder.resolve("s.duckdb"), recording)) {
      Map<String, Integer> expected = PerfScript.read(Corpus.scriptOf(recording));
      Map<String, Integer> stored = StoredEvents.read(store.connection());
      assertThat(difference(expected, stored)).isEmpty();
    }
  }

  private static List<String> difference(
      Map<String, Integer> expected, Map<String, Integer> stored) {
    TreeMap<String, Integer> delta = new TreeMap<>(stored);
    expected.forEach((line, n) -> delta.merge(line, -n, Integer::sum));
    List<String> lines = new ArrayList<>();
    delta.forEach(
        (line, n) -> {
          if (n != 0) {
            lines.add((n > 0 ? "only stored: " : "only perf:   ") + line);
          }
        });
    return lines;
  }
}

package dev.counterbalance.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.store.TraceStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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
    return Corpus.large(this::tests);
  }

  private Stream<DynamicTest> tests(Path root) throws IOException {
    return Corpus.recordings(root).stream()
        .filter(Recordings::hasTracepoints)
        .map(
            file ->
                DynamicTest.dynamicTest(root.relativize(file).toString(), () -> readBack(file)));
  }

  private void readBack(Path recording) throws Exception {
    try (TraceStore store = Recordings.importInto(folder.resolve("s.duckdb"), recording)) {
      Map<String, Integer> expected = PerfScript.read(Corpus.scriptOf(recording));
      Map<String, Integer> stored = StoredEvents.read(store.connection());
      CurrentTask current = CurrentTask.read(store.connection());
      assertThat(expected).isNotEmpty();
      assertThat(differences(expected, stored, current)).isEmpty();
    }
  }

  /**
   * Lines that only one side has. Events must agree in time, CPU and every field; the current task
   * too, but for the cases that {@link CurrentTask} names.
   */
  private static List<String> differences(
      Map<String, Integer> expected, Map<String, Integer> stored, CurrentTask current) {
    Map<String, List<Integer>> perf = byEvent(expected);
    Map<String, List<Integer>> ours = byEvent(stored);
    TreeSet<String> events = new TreeSet<>(perf.keySet());
    events.addAll(ours.keySet());
    List<String> differences = new ArrayList<>();
    for (String event : events) {
      List<Integer> perfTids = new ArrayList<>(perf.getOrDefault(event, List.of()));
      List<Integer> ourTids = new ArrayList<>(ours.getOrDefault(event, List.of()));
      if (perfTids.size() != ourTids.size()) {
        differences.add(event + ": perf " + perfTids.size() + ", stored " + ourTids.size());
        continue;
      }
      for (Integer tid : List.copyOf(perfTids)) {
        if (ourTids.remove(tid)) {
          perfTids.remove(tid);
        }
      }
      for (int i = 0; i < perfTids.size(); i++) {
        if (!current.explains(event, perfTids.get(i), ourTids.get(i))) {
          differences.add(event + ": perf tid " + perfTids + ", stored tid " + ourTids);
        }
      }
    }
    return differences;
  }

  /** {@code ns cpu event args} to the current tids of its lines. */
  private static Map<String, List<Integer>> byEvent(Map<String, Integer> lines) {
    Map<String, List<Integer>> events = new TreeMap<>();
    lines.forEach(
        (line, count) -> {
          String[] parts = line.split(" ", 4);
          String event = parts[0] + " " + parts[1] + " " + parts[3];
          for (int i = 0; i < count; i++) {
            events.computeIfAbsent(event, e -> new ArrayList<>()).add(Integer.valueOf(parts[2]));
          }
        });
    return events;
  }
}

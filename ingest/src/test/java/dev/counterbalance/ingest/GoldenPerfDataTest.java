package dev.counterbalance.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decodes the corpus and compares every event with what perf prints for it. */
class GoldenPerfDataTest {
  private static final String EXPECTED = "perf-script-ns.txt.gz";

  static Path corpus() {
    String corpus = System.getProperty("corpus", "");
    Assumptions.assumeFalse(
        corpus.isEmpty(), "needs the folder of large recordings: -Dcorpus=FOLDER");
    return Path.of(corpus);
  }

  static TextSink read(Path file) throws IOException {
    TextSink sink = new TextSink(new Names());
    try (TraceInput in = Importers.open(file.toString())) {
      Importers.load().read(in, ImportOptions.of(sink.names), sink);
    }
    return sink;
  }

  static Stream<String> readable() throws IOException {
    String corpus = System.getProperty("corpus", "");
    if (corpus.isEmpty()) {
      return Stream.of("none");
    }
    Path kernels = Path.of(corpus).resolve("kernels");
    try (Stream<Path> files = Files.walk(kernels)) {
      return files
          .filter(file -> file.toString().endsWith(".data"))
          .filter(file -> !file.getFileName().toString().startsWith("switchevents"))
          .map(file -> kernels.relativize(file).toString())
          .sorted()
          .collect(Collectors.toList())
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("readable")
  void decodesWhatPerfPrints(String name) throws IOException {
    Path file = corpus().resolve("kernels").resolve(name);
    TextSink sink = read(file);
    List<String> expected =
        PerfScript.read(file.resolveSibling(file.getFileName() + ".expected").resolve(EXPECTED));
    assertThat(sink.texts).isNotEmpty();
    assertThat(difference(sink.texts, expected)).isEmpty();
    assertThat(sink.eventCount).isEqualTo(expected.size());
    assertThat(sink.ended).isTrue();
    assertThat(sink.problemCodes()).doesNotContain("malformed_sample", "malformed_event");
    assertThat(counts(sink)).isEqualTo(expectedCounts(file));
  }

  /** The same recording, cut within its data: its formats are given in a folder instead. */
  @ParameterizedTest
  @ValueSource(strings = {"hackbench8/perf.data", "hackbench8/perfz.data"})
  void cutFilesAreReadWithGivenFormats(String name, @TempDir Path folder) throws IOException {
    Path file = corpus().resolve("kernels").resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "not in this corpus: " + file);
    byte[] bytes = Files.readAllBytes(file);
    List<String> whole = read(file).texts;
    EventFolders.write(bytes, folder.resolve("events"));
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int cut = (int) (header.getLong(40) + header.getLong(48) - 1000);
    TextSink sink =
        Reading.read(Arrays.copyOf(bytes, cut), o -> o.withFormats(folder.resolve("events")));
    assertThat(sink.texts.size()).isBetween(whole.size() / 2, whole.size() - 1);
    assertThat(whole).containsAll(sink.texts);
    header.putLong(48, 0);
    assertThat(
            Reading.read(Arrays.copyOf(bytes, cut), o -> o.withFormats(folder.resolve("events")))
                .texts)
        .isEqualTo(sink.texts);
  }

  @Test
  void switchRecordsStandInForTracepoints() throws IOException {
    Path file = corpus().resolve("kernels/variants/switchevents.perf.data");
    Assumptions.assumeTrue(Files.exists(file), "not in this corpus: " + file);
    TextSink sink = read(file);
    // 4436 records, two a switch.
    assertThat(sink.texts).hasSize(2218).allMatch(text -> text.contains("sched_switch"));
    Map<String, String> running = new HashMap<>();
    for (String text : sink.texts) {
      String cpu = text.split(" ", 3)[1];
      String prev = text.replaceAll(".* prev_pid=(\\d+) .*", "$1");
      assertThat(running.getOrDefault(cpu, prev)).as(text).isEqualTo(prev);
      running.put(cpu, text.replaceAll(".* next_pid=(\\d+) .*", "$1"));
    }
    assertThat(sink.problemCodes()).containsExactly("other_samples", "switch_records");
  }

  /**
   * What one list has more often than the other, a few lines of each. For a task that exits perf
   * has only -1, while the event itself still names it.
   */
  private static List<String> difference(List<String> actual, List<String> expected) {
    Map<String, Integer> counts = new HashMap<>();
    expected.forEach(text -> counts.merge(text, -1, Integer::sum));
    for (String text : actual) {
      String[] parts = text.split(" ", 4);
      String exiting = parts[0] + " " + parts[1] + " -1 " + parts[3];
      boolean known = counts.getOrDefault(text, 0) < 0;
      counts.merge(!known && counts.containsKey(exiting) ? exiting : text, 1, Integer::sum);
    }
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() != 0)
        .map(entry -> (entry.getValue() > 0 ? "only ours: " : "only perf: ") + entry.getKey())
        .sorted(Comparator.comparing(text -> text.substring(11)))
        .limit(10)
        .collect(Collectors.toList());
  }

  private static Map<String, Integer> counts(TextSink sink) {
    Map<String, Integer> counts = new HashMap<>();
    for (String text : sink.texts) {
      String name = text.split(" ", 5)[3];
      counts.merge(name.substring(name.indexOf(':') + 1, name.length() - 1), 1, Integer::sum);
    }
    return counts;
  }

  private static Map<String, Integer> expectedCounts(Path file) throws IOException {
    String json = Files.readString(file.resolveSibling("expected.json"));
    int start = json.indexOf("\"" + file.getFileName() + "\"");
    int events = json.indexOf("\"events\"", start);
    Map<String, Integer> counts = new HashMap<>();
    Matcher matcher =
        Pattern.compile("\"(\\w+)\": (\\d+)")
            .matcher(json.substring(json.indexOf('{', events), json.indexOf('}', events)));
    while (matcher.find()) {
      counts.put(matcher.group(1), Integer.parseInt(matcher.group(2)));
    }
    return counts;
  }

  @ParameterizedTest
  @CsvSource({
    "kernels/variants/dir.perf.data/data, Give the directory",
  })
  void refusesWithOneSentenceEach(String name, String part) {
    Path file = corpus().resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "not in this corpus: " + name);
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(part);
  }
}

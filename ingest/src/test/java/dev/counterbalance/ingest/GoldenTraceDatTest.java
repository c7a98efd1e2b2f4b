package dev.counterbalance.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Decodes the corpus and compares every event with what trace-cmd prints for it. */
class GoldenTraceDatTest {
  private static final String EXPECTED = "trace-cmd-report-R-t.txt.gz";

  static Stream<String> readable() throws IOException {
    String corpus = System.getProperty("corpus", "");
    if (corpus.isEmpty()) {
      return Stream.of("none");
    }
    try (Stream<Path> files = Files.walk(Path.of(corpus))) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".dat"))
          .filter(file -> !file.getFileName().toString().matches("tsc.*"))
          .filter(file -> Files.isRegularFile(file) && expected(file) != null)
          .map(file -> Path.of(corpus).relativize(file).toString())
          .filter(name -> !name.matches(".*trappy/trace(-40acbc17b4)?\\.dat"))
          .sorted()
          .collect(Collectors.toList())
          .stream();
    }
  }

  private static Path expected(Path file) {
    String name = file.getFileName().toString();
    return Stream.of(
            file.resolveSibling(name + ".expected").resolve(EXPECTED),
            file.resolveSibling(name + ".trace-cmd-raw-ns.out"),
            file.resolveSibling(name + ".trace-cmd-raw-ns.out.gz"))
        .filter(Files::exists)
        .findFirst()
        .orElse(null);
  }

  private static <T extends CountingSink> T read(Path file, Names names, T sink)
      throws IOException {
    try (TraceInput in = Importers.open(file.toString())) {
      Importers.load().read(in, ImportOptions.of(names), sink);
    }
    return sink;
  }

  @ParameterizedTest
  @MethodSource("readable")
  void decodesWhatTraceCmdPrints(String name) throws IOException {
    Path file = GoldenPerfDataTest.corpus().resolve(name);
    List<String> expected = TraceCmdReport.read(expected(file));
    boolean success = expected.stream().anyMatch(text -> text.contains(" success=1 "));
    Names names = new Names();
    RawTextSink sink = read(file, names, new RawTextSink(names, success));
    assertThat(sink.texts).isNotEmpty();
    assertThat(difference(sink.texts, expected)).isEmpty();
    assertThat(sink.texts).hasSameSizeAs(expected);
    assertThat(sink.ended).isTrue();
    TextSink text = read(file, names, new TextSink(names));
    assertThat(text.problemCodes())
        .doesNotContain("malformed_event", "bad_page", "broken_page", "event_without_format");
    assertThat(text.eventCount).isGreaterThanOrEqualTo(expected.size());
  }

  /** What one list has more often than the other, a few lines of each. */
  private static List<String> difference(List<String> actual, List<String> expected) {
    Map<String, Integer> counts = new HashMap<>();
    expected.forEach(text -> counts.merge(text, -1, Integer::sum));
    actual.forEach(text -> counts.merge(text, 1, Integer::sum));
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() != 0)
        .map(entry -> (entry.getValue() > 0 ? "only ours: " : "only peer: ") + entry.getKey())
        .sorted(Comparator.comparing(text -> text.substring(11)))
        .limit(10)
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @CsvSource({
    "kernels/variants/tsc.trace.dat, x86-tsc",
    "public/ARM-software+trappy/trace.dat, 'holds no scheduler events, only '",
    "public/ARM-software+trappy/trace-40acbc17b4.dat, 'holds no scheduler events, only '",
  })
  void refusesWithOneSentenceEach(String name, String part) {
    Path file = GoldenPerfDataTest.corpus().resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "not in this corpus: " + name);
    assertThatThrownBy(() -> read(file, new Names(), new CountingSink()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(part);
  }

  @ParameterizedTest
  @CsvSource({
    "bugs/17-bad-print-fmt/bad.trace.dat, 2065, ''",
    "bugs/18-trace-dat-options/unknown-option.trace.dat, 2065, unknown_option",
  })
  void oddFilesLoseNothing(String name, int events, String problem) throws IOException {
    Path file = GoldenPerfDataTest.corpus().resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "not in this corpus: " + name);
    Names names = new Names();
    TextSink sink = read(file, names, new TextSink(names));
    assertThat(sink.texts).hasSize(events);
    assertThat(String.join(" ", sink.problemCodes())).isEqualTo(problem);
  }

  @Test
  void lossesAreThoseOfTheRecorder() throws IOException {
    Path file = GoldenPerfDataTest.corpus().resolve("kernels/variants/lost.trace.dat");
    Assumptions.assumeTrue(Files.exists(file), "not in this corpus: " + file);
    Names names = new Names();
    TextSink sink = read(file, names, new TextSink(names));
    assertThat(sink.lostEvents).isEqualTo(81);
    assertThat(sink.others.stream().filter(text -> text.startsWith("loss")))
        .containsExactly(
            "loss begin 110810459377 cpu=2", "loss end 110817687353 cpu=2 lost=81 tid=613 LOST");
  }

  @Test
  void instanceIsNamed() throws IOException {
    Path file = GoldenPerfDataTest.corpus().resolve("kernels/variants/instance.trace.dat");
    Assumptions.assumeTrue(Files.exists(file), "not in this corpus: " + file);
    Names names = new Names();
    TextSink sink = read(file, names, new TextSink(names));
    assertThat(sink.info.facts).containsEntry("instance", "inst1");
    assertThat(sink.info.osRelease).isEqualTo("6.1.0-57-amd64");
    assertThat(sink.problemCodes()).containsExactly("clock_unsure");
  }
}

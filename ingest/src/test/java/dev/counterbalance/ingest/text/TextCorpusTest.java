package dev.counterbalance.ingest.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads the texts of the corpus and compares them with counts, and with the recordings they are of.
 */
class TextCorpusTest {
  private static final Pattern FTRACE_LINE =
      Pattern.compile("(?m)^[^#\\n].*-\\d+ .*(?:\\[\\d+\\]|us.).*?: (\\w+): ");
  private static final Pattern REPORT_LINE =
      Pattern.compile("(?m)^.*-\\d+ .*\\[\\d+\\].*?\\d: (\\w+): ");
  private static final Pattern NS_TIME = Pattern.compile("(?m)(\\d\\.\\d{6})\\d{3}:");

  static Path corpus() {
    String corpus = System.getProperty("corpus", "");
    Assumptions.assumeFalse(
        corpus.isEmpty(), "needs the folder of large recordings: -Dcorpus=FOLDER");
    return Path.of(corpus);
  }

  private static Stream<String> files(String below, String pattern) throws IOException {
    String corpus = System.getProperty("corpus", "");
    if (corpus.isEmpty()) {
      return Stream.of("none");
    }
    Path root = Path.of(corpus).resolve(below);
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.matches(pattern))
          .sorted()
          .collect(Collectors.toList())
          .stream();
    }
  }

  static Stream<String> ftrace() throws IOException {
    return files("kernels", ".*ftrace\\.txt");
  }

  static Stream<String> scripts() throws IOException {
    return files("kernels", ".*perf-script-ns\\.txt\\.gz");
  }

  static Stream<String> reports() throws IOException {
    return files("kernels", ".*trace-cmd-report-R-t\\.txt\\.gz");
  }

  static Stream<String> published() throws IOException {
    return files("public", ".*\\.text_count\\.out");
  }

  private static byte[] unpacked(Path file) throws IOException {
    try (InputStream stream = new GZIPInputStream(Files.newInputStream(file))) {
      return stream.readAllBytes();
    }
  }

  private static Map<String, Integer> counts(TextSink sink) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String text : sink.texts) {
      String name = text.split(" ", 5)[3];
      counts.merge(name.substring(name.indexOf(':') + 1, name.length() - 1), 1, Integer::sum);
    }
    return counts;
  }

  private static Map<String, Integer> counts(Pattern line, String text) {
    Map<String, Integer> counts = new TreeMap<>();
    Matcher matcher = line.matcher(text);
    while (matcher.find()) {
      counts.merge(matcher.group(1), 1, Integer::sum);
    }
    return counts;
  }

  @ParameterizedTest
  @MethodSource("ftrace")
  void ftraceTextIsReadWhole(String name) throws IOException {
    Path file = corpus().resolve("kernels").resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    if (name.contains("counter") || name.contains("raw")) {
      assertThatThrownBy(() -> Reading.read(bytes))
          .isInstanceOf(TraceFormatException.class)
          .hasMessageContaining(name.contains("raw") ? "raw, hex or bin" : "without a unit");
      return;
    }
    TextSink sink = Reading.read(bytes);
    Map<String, Integer> expected =
        counts(FTRACE_LINE, new String(bytes, StandardCharsets.ISO_8859_1));
    assertThat(counts(sink)).isEqualTo(expected).isNotEmpty();
    assertThat(sink.eventCount).isEqualTo(sink.texts.size());
    assertThat(sink.info.format).isEqualTo("ftrace text");
    assertThat(sink.info.facts).containsEntry("time_resolution_ns", "1000");
    assertThat(sink.problemCodes()).isSubsetOf("names_cut", "overwritten_events");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void perfScriptGivesWhatPerfDataGives(String name) throws IOException {
    Path file = corpus().resolve("kernels").resolve(name);
    byte[] bytes = unpacked(file);
    if (name.contains("switchevents")) {
      assertThatThrownBy(() -> Reading.read(bytes))
          .isInstanceOf(TraceFormatException.class)
          .hasMessageContaining("none of a tracepoint");
      return;
    }
    TextSink sink = Reading.read(bytes);
    assertThat(sink.info.format).isEqualTo("perf script text");
    assertThat(sink.problemCodes()).isSubsetOf("callchain_lines", "out_of_order");
    String data = file.getParent().toString();
    TextSink binary = new TextSink(new Names());
    try (TraceInput in = Importers.open(data.substring(0, data.length() - ".expected".length()))) {
      Importers.load().read(in, ImportOptions.of(binary.names), binary);
    } catch (TraceFormatException e) {
      Assumptions.abort("not read yet: " + e.getMessage());
    }
    assertThat(sink.eventCount).isEqualTo(binary.eventCount);
    assertThat(difference(sink.texts, binary.texts, false)).isEmpty();
    String cut = NS_TIME.matcher(new String(bytes, StandardCharsets.UTF_8)).replaceAll("$1:");
    TextSink micros = Reading.read(cut.getBytes(StandardCharsets.UTF_8));
    assertThat(difference(micros.texts, binary.texts, true)).isEmpty();
    assertThat(micros.info.facts).containsEntry("time_resolution_ns", "1000");
  }

  /** What differs, a few lines; for a task that exits perf prints -1, which is no difference. */
  private static List<String> difference(List<String> texts, List<String> binary, boolean cut) {
    List<String[]> left = sorted(texts, cut);
    List<String[]> right = sorted(binary, cut);
    List<String> different = new ArrayList<>();
    for (int i = 0; i < Math.max(left.size(), right.size()) && different.size() < 10; i++) {
      String[] a = i < left.size() ? left.get(i) : new String[] {"nothing", ""};
      String[] b = i < right.size() ? right.get(i) : new String[] {"nothing", ""};
      boolean same = a[1].equals(b[1]) || a[1].equals("-1");
      if (!a[0].equals(b[0]) || !same) {
        different.add(a[0] + " by " + a[1] + " is " + b[0] + " by " + b[1]);
      }
    }
    return different;
  }

  /** Each event as its text without the tid, and the tid. */
  private static List<String[]> sorted(List<String> texts, boolean cut) {
    List<String[]> result = new ArrayList<>();
    for (String text : texts) {
      String[] parts = text.split(" ", 4);
      long ns = Long.parseLong(parts[0]);
      String rest = (cut ? ns / 1000 * 1000 : ns) + " " + parts[1] + " " + parts[3];
      result.add(new String[] {rest, parts[2]});
    }
    result.sort(Comparator.comparing((String[] event) -> event[0]).thenComparing(e -> e[1]));
    return result;
  }

  @ParameterizedTest
  @MethodSource("reports")
  void traceCmdReportIsReadWhole(String name) throws IOException {
    byte[] bytes = unpacked(corpus().resolve("kernels").resolve(name));
    if (name.contains("tsc")) {
      assertThatThrownBy(() -> Reading.read(bytes))
          .isInstanceOf(TraceFormatException.class)
          .hasMessageContaining("without a unit");
      return;
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Map<String, Integer> expected = counts(REPORT_LINE, text);
    if (expected.isEmpty()) {
      assertThatThrownBy(() -> Reading.read(bytes)).isInstanceOf(TraceFormatException.class);
      return;
    }
    TextSink sink = Reading.read(bytes);
    assertThat(sink.info.format).isEqualTo("trace-cmd report text");
    assertThat(counts(sink)).isEqualTo(expected);
    assertThat(sink.eventCount).isEqualTo(sink.texts.size());
    assertThat(sink.problemCodes()).isSubsetOf("lost_events");
    assertThat(sink.problemCodes().contains("lost_events")).isEqualTo(text.contains("DROPPED]"));
    assertThat(sink.info.facts).doesNotContainKey("time_resolution_ns");
  }

  @ParameterizedTest
  @MethodSource("published")
  void publishedTextsHoldTheCountedEvents(String name) throws IOException {
    Path counted = corpus().resolve("public").resolve(name);
    Assumptions.assumeFalse(name.contains(".html"), "for another importer");
    boolean tracer = name.contains("sched_switch-tracer"); // counted otherwise
    String json = Files.readString(counted);
    String path = counted.toString();
    byte[] bytes = Files.readAllBytes(Path.of(path.substring(0, path.length() - 15)));
    Map<String, Integer> expected = new TreeMap<>();
    Matcher matcher =
        Pattern.compile("\"(\\w+)\": (\\d+)")
            .matcher(json.substring(json.indexOf("\"events\""), json.indexOf("\"total\"")));
    while (matcher.find()) {
      if (matcher.group(1).startsWith("sched_")) {
        expected.put(matcher.group(1), Integer.parseInt(matcher.group(2)));
      }
    }
    TextSink sink;
    try {
      sink = Reading.read(bytes);
    } catch (TraceFormatException e) {
      assertThat(expected).as(e.getMessage()).isEmpty();
      return;
    }
    Map<String, Integer> found = counts(sink);
    found.keySet().removeIf(event -> !event.startsWith("sched_"));
    sink.problems.stream()
        .filter(problem -> problem.code().equals("wakeup_without_success"))
        .forEach(problem -> found.merge("sched_wakeup", (int) problem.count(), Integer::sum));
    assertThat(found).isEqualTo(tracer ? tracerCounts(bytes) : expected);
    boolean cut = name.contains("trace_idle_unsorted"); // ends within a line
    assertThat(sink.problemCodes().contains("unreadable_fields")).isEqualTo(cut);
  }

  private static Map<String, Integer> tracerCounts(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Map<String, Integer> counts = new TreeMap<>();
    counts.put("sched_switch", (text.length() - text.replace("==>", "").length()) / 3);
    counts.put("sched_wakeup", (text.length() - text.replace(" + ", "").length()) / 3);
    return counts;
  }
}

package dev.counterbalance.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Files of many recorders, published by others. Each is read with as many events as perf prints for
 * it, or ends in the sentence given here.
 */
class PublicPerfDataTest {
  private static final String CYCLES = only("cycles");
  private static final String SIX =
      only("cycles, instructions, cache-references, cache-misses, branches, branch-misses");
  private static final String SIMPLEPERF =
      "was recorded by simpleperf (Android), which is not read yet. Record with perf sched record,"
          + " or with ftrace.";
  private static final String NO_PLACE =
      "holds no scheduler events but switches that do not tell time and CPU. Record with: perf sched"
          + " record.";

  private static final Map<String, String> SENTENCES =
      Map.ofEntries(
          Map.entry("debug_unwind_small_map_range.data", SIMPLEPERF),
          Map.entry("generated_by_linux_perf.data", CYCLES),
          Map.entry("perf_sched_stat_runtime.data", SIMPLEPERF),
          Map.entry("perf_with_big_trace_data.data", SIMPLEPERF),
          Map.entry("perf_with_trace_offcpu.data", SIMPLEPERF),
          Map.entry("perf_with_tracepoint_event.data", SIMPLEPERF),
          Map.entry("perf_with_tracepoint_event_dynamic_field.data", SIMPLEPERF),
          Map.entry("perf.data.PerfFormatLost", only("cycles, instructions")),
          Map.entry("perfCompressed.data", only("hw-cpu-cycles")),
          Map.entry("perf.data.armv7-3.4", SIX),
          Map.entry("perf.data.armv7.perf_3.14-3.8", CYCLES),
          Map.entry("perf.data.branch-4.14", only("cycles:ppp")),
          Map.entry("perf.data.ctx_switch_namespaces-4.14", NO_PLACE),
          Map.entry("perf.data.forkexit-3.4", SIX),
          Map.entry(
              "perf.data.hybrid_topology",
              only("cpu_core/cycles:ppp/, cpu_atom/cycles:ppp/, dummy:HG")),
          Map.entry("perf.data.i686-3.4", SIX),
          Map.entry(
              "perf.data.lost_samples-4.4",
              only("cycles:pp, instructions:pp, branch-instructions:pp")),
          Map.entry("perf.data.numatopology-3.2", CYCLES),
          Map.entry("perf.data.piped.corrupted.zero_size_sample-3.2", CYCLES),
          Map.entry("perf.data.piped.ctx_switch_namespaces-4.14", NO_PLACE),
          Map.entry("perf.data.piped.header_features-4.16", only("cpu-clock")),
          Map.entry("perf.data.piped.header_features_aligned-6.12", only("cycles:u")),
          Map.entry(
              "perf.data.piped.header_feautres_group_desc-6.8", only("cycles:u, instructions:u")),
          Map.entry("perf.data.piped.lost_samples-4.4", only("cycles, instructions, branches")),
          Map.entry("perf.data.piped.no_attr_ids-4.14", CYCLES),
          Map.entry("perf.data.piped.target.throttled-3.4", CYCLES),
          Map.entry("perf.data.proc.map.timeout-3.18", CYCLES),
          Map.entry("perf.data.raw-3.4", CYCLES),
          Map.entry("sleep.compressed.data", only("cycles:P")),
          Map.entry("sleep.compressed.pipe.data", only("cycles:P")),
          Map.entry("sleep.compressed2.data", only("cycles:Pu")),
          Map.entry("sleep.compressed2.pipe.data", only("cycles:P")),
          Map.entry("sleep.data", only("cycles:Pu")),
          // Found by fuzzers; nothing in them makes sense.
          Map.entry(
              "poc-2c02c3aa9fb2a613b65097e26fd182d748b0c81b9359a012b09cbe7a358d3ca2",
              only("type 0 config 0x35333400ff5a4580")),
          Map.entry(
              "poc-4a52fdd4e9d5adcda85329e1f5fb6f425788e63cef41209f83bfd6edcfae4ff3",
              "at offset 0x10: event descriptions of 6 bytes each, expected 80 or more."),
          Map.entry(
              "poc-fd76c99f4c02a1e3bc42ef962111a3b9991b8a0798746475e894185642eb6679",
              "at offset 0x10: event descriptions of 11263797533986196766 bytes each, expected 80 or more."));

  private static String only(String events) {
    return "holds no scheduler events, only " + events + ". Record with: perf sched record.";
  }

  @TestFactory
  Stream<DynamicTest> eachFile() throws IOException {
    String corpus = System.getProperty("corpus", "");
    Path folder = Path.of(corpus).resolve("public");
    if (corpus.isEmpty() || !Files.isDirectory(folder)) {
      return Stream.of(
          DynamicTest.dynamicTest(
              "public files",
              () -> Assumptions.abort("needs the folder of large recordings: -Dcorpus=FOLDER")));
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(PublicPerfDataTest::isPerfData).sorted().toList();
    }
    assertThat(files).isNotEmpty();
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
  }

  private static boolean isPerfData(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (TraceInput in = TraceInput.ofFile(file)) {
      return Importers.load().byName("perf.data").sniff(in.head()) > 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void check(Path file) throws IOException {
    String expected = SENTENCES.get(file.getFileName().toString());
    try {
      TextSink sink = GoldenPerfDataTest.read(file);
      assertThat(expected).as("it was read").isNull();
      assertThat(counts(sink.texts))
          .isEqualTo(counts(PerfScript.read(file.resolveSibling(script(file)))));
    } catch (TraceFormatException e) {
      assertThat(e).hasMessage(file + ": " + expected);
    }
  }

  private static String script(Path file) {
    String plain = file.getFileName() + ".perf-script.out";
    return Files.exists(file.resolveSibling(plain)) ? plain : plain + ".gz";
  }

  private static Map<String, Integer> counts(List<String> texts) {
    Map<String, Integer> counts = new TreeMap<>();
    texts.forEach(text -> counts.merge(text.split(" ", 5)[3], 1, Integer::sum));
    return counts;
  }
}

package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports in a process of their own, which dies or finds the disk full. */
class ImportCrashTest {
  private static final String SAMPLES =
      Path.of(System.getProperty("repo.root", ".."), "sample-traces").toAbsolutePath().toString();
  private static final String SMALL = SAMPLES + "/hackbench8/perfpipe.data";
  private static final String LARGER = SAMPLES + "/mixed_k612/perf.data";
  private static final int ROUNDS = 6;
  private static final int SECONDS = 60;

  @TempDir Path folder;
  private Path store;
  private String before;

  @BeforeEach
  void importOne() {
    store = folder.resolve("lab.duckdb");
    InProcess first = InProcess.run("trace-import", SMALL, "-o", store.toString(), "--name", "a");
    assertThat(first.exitCode()).as(first.err()).isZero();
    before = figures("a");
  }

  private String figures(String trace) {
    InProcess report =
        InProcess.run("trace-report", store.toString(), "--trace", trace, "--format", "json");
    assertThat(report.exitCode()).as(report.err()).isZero();
    return report.out();
  }

  private List<String> traces() {
    InProcess list =
        InProcess.run("trace-sql", store.toString(), "SELECT name FROM trace", "--format", "csv");
    assertThat(list.exitCode()).as(list.err()).isZero();
    return list.out().lines().skip(1).toList();
  }

  private static List<String> java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  private Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  @Test
  void aKilledImportLeavesWhatWasThere() throws Exception {
    long seed = Long.getLong("seed", 0) == 0 ? System.nanoTime() : Long.getLong("seed");
    Random random = new Random(seed);
    long whole = System.nanoTime();
    Process probe =
        start(java("trace-import", LARGER, "-o", folder.resolve("p.duckdb").toString()));
    assertThat(probe.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - whole);
    int killed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String name = "b" + round;
      Process importer =
          start(java("trace-import", LARGER, "-o", store.toString(), "--name", name));
      boolean ended = importer.waitFor(random.nextLong(millis), TimeUnit.MILLISECONDS);
      importer.destroyForcibly().waitFor();
      killed += ended ? 0 : 1;
      String where = "seed " + seed + ", round " + round;
      assertThat(traces()).as(where).contains("a");
      assertThat(figures("a")).as(where).isEqualTo(before);
      if (traces().contains(name)) {
        assertThat(figures(name)).as(where).contains("\"event_count\": 6312");
      }
    }
    assertThat(killed).as("seed " + seed).isPositive();
    InProcess again = InProcess.run("trace-import", LARGER, "-o", store.toString(), "--name", "z");
    assertThat(again.exitCode()).as(again.err()).isZero();
  }

  @Test
  void aKilledFirstImportLeavesNoStore() throws Exception {
    Path fresh = folder.resolve("fresh.duckdb");
    Process importer = start(java("trace-import", LARGER, "-o", fresh.toString()));
    Path part = null;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (part == null && importer.isAlive() && System.nanoTime() < end) {
      part = partFile();
    }
    importer.destroyForcibly().waitFor();
    assumeTrue(part != null && !Files.exists(fresh), "the import was over before it was seen");
    InProcess again = InProcess.run("trace-import", LARGER, "-o", fresh.toString());
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(partFile()).as("a dead import's file is removed by the next").isNull();
  }

  private Path partFile() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(f -> f.toString().contains("fresh.duckdb.part-"))
          .findFirst()
          .orElse(null);
    }
  }

  @Test
  void aFullDiskIsSaidAndNothingIsLost() throws Exception {
    // DuckDB unpacks its library into a file of 70 MB first, which must fit.
    InProcess pad =
        InProcess.run(
            "trace-sql",
            store.toString(),
            "--allow-writes",
            "CREATE TABLE pad AS SELECT random() AS r FROM range(14000000)");
    assertThat(pad.exitCode()).as(pad.err()).isZero();
    assertThat(Files.size(store)).isGreaterThan(80L << 20);
    long blocks = Files.size(store) / 512 + 100;
    List<String> command =
        List.of("sh", "-c", "ulimit -f " + blocks + " || exit 9; exec \"$@\"", "sh");
    List<String> all = new ArrayList<>(command);
    all.addAll(java("trace-import", LARGER, "-o", store.toString(), "--name", "b"));
    Process importer = start(all);
    assertThat(importer.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
    String output = Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
    assumeTrue(importer.exitValue() != 9, "no ulimit -f here");
    assertThat(importer.exitValue()).as(output).isEqualTo(1);
    assertThat(output).doesNotContain("\tat ");
    assertThat(output.lines().count()).as(output).isEqualTo(1);
    // What was committed before the disk was full stays, and is said; else the store is as it was.
    if (output.contains("what was imported is in the store, but only in its log")) {
      assertThat(traces()).containsExactly("a", "b");
      assertThat(figures("b")).contains("\"event_count\": 6312");
    } else {
      assertThat(output).contains("the store is as it was before");
      assertThat(traces()).containsExactly("a");
    }
    assertThat(figures("a")).isEqualTo(before);
  }
}

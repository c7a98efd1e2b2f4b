package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an import with filters keeps is what SQL would choose from the whole import. */
class ImportFilterTest {
  private static final String SAMPLE =
      Path.of(System.getProperty("repo.root", ".."), "sample-traces/mixed_k612/perf.data")
          .toString();

  @TempDir Path folder;
  private String store;

  @BeforeEach
  void importAll() {
    store = folder.resolve("s.duckdb").toString();
    run("trace-import", SAMPLE, "-o", store, "--name", "all");
  }

  private static String run(String... args) {
    InProcess result = InProcess.run(args);
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result.out();
  }

  private String sql(String query) {
    return run("trace-sql", store, query, "--format", "csv");
  }

  /** Rows of trace 2 must be these of trace 1. */
  private void same(String table, String columns, String condition) {
    String kept = sql("SELECT " + columns + " FROM " + table + " WHERE trace_id = 2 ORDER BY ALL");
    String chosen =
        sql(
            "SELECT "
                + columns
                + " FROM (SELECT x.*, t.tid, n.name AS comm FROM "
                + table
                + " x JOIN thread t USING (trace_id, utid)"
                + " ASOF LEFT JOIN thread_name n ON n.trace_id = x.trace_id AND n.utid = x.utid"
                + " AND n.ts <= x.ts + x.dur WHERE x.trace_id = 1) WHERE "
                + condition
                + " ORDER BY ALL");
    assertThat(kept.lines().count()).as(table).isGreaterThan(1);
    assertThat(kept).as(table).isEqualTo(chosen);
  }

  static Stream<Arguments> choices() {
    return Stream.of(
        Arguments.of(List.of("--comm", "hackb?nch"), "comm = 'hackbench'"),
        Arguments.of(List.of("--comm", "hack*", "--tid", "0"), "comm = 'hackbench' OR tid = 0"),
        Arguments.of(List.of("--cpus", "1,3-4"), "cpu IN (1, 3, 4)"));
  }

  @ParameterizedTest
  @MethodSource("choices")
  void keepsRowsWhole(List<String> options, String condition) {
    run(
        Stream.concat(
                Stream.of("trace-import", SAMPLE, "-o", store, "--name", "part"), options.stream())
            .toArray(String[]::new));
    same("sched_slice", "ts, dur, cpu, utid, end_state, next_utid, censored", condition);
    same("waiting", "ts, dur, cpu, utid, state_code, waker_utid, censored, suspect", condition);
  }

  @Test
  void cutsIntervalsToTheWindow() {
    run("trace-import", SAMPLE, "-o", store, "--name", "p", "--since", "1s", "--until", "1500ms");
    String start = "(SELECT start_ns FROM trace WHERE trace_id = 1)";
    String clip =
        "greatest(ts, %1$s + 1000000000) AS ts, least(ts + dur, %1$s + 1500000000)"
            + " - greatest(ts, %1$s + 1000000000) AS dur";
    for (String table : List.of("sched_slice", "waiting")) {
      assertThat(sql("SELECT utid, ts, dur FROM " + table + " WHERE trace_id = 2 ORDER BY ALL"))
          .isEqualTo(
              sql(
                  String.format(
                      "SELECT utid, "
                          + clip
                          + " FROM "
                          + table
                          + " WHERE trace_id = 1"
                          + " AND ts < %1$s + 1500000000"
                          + " AND (ts >= %1$s + 1000000000 OR ts + dur > %1$s + 1000000000)"
                          + " ORDER BY ALL",
                      start)));
    }
    String window = "since := %1$s + 1000000000, until := %1$s + 1500000000".formatted(start);
    assertThat(sql("SELECT * EXCLUDE (trace_id) FROM cpu_time(trace := 2)"))
        .isEqualTo(sql("SELECT * EXCLUDE (trace_id) FROM cpu_time(trace := 1, " + window + ")"));
    // "allowed" counts a wait from its second ms on, and a wait that is cut begins at the cut.
    String others = " WHERE definition <> 'allowed'";
    assertThat(sql("SELECT definition, ns FROM idle_while_waiting(trace := 2)" + others))
        .isEqualTo(
            sql(
                "SELECT definition, ns FROM idle_while_waiting(trace := 1, "
                    + window
                    + ")"
                    + others));
  }

  @Test
  void refusesWhatIsNoLongerRight() {
    run("trace-import", SAMPLE, "-o", store, "--name", "c", "--cpus", "0");
    run("trace-import", SAMPLE, "-o", store, "--name", "t", "--tid", "276,277");
    assertThat(run("trace-report", store, "--trace", "c"))
        .contains("needs every CPU, the import left some out ({\"cpus\":\"0\"})");
    refused("cpu_time(trace := 3)", "cpu_time is not applicable to trace 3: it needs every task");
    refused("thread_time(trace := 2)", "it needs every CPU, and the import left some out");
    refused("idle_while_waiting", "it needs every");
    assertThat(sql("SELECT count(*) > 0 FROM cpu_time(trace := 2)")).contains("true");
  }

  private void refused(String entry, String sentence) {
    InProcess result = InProcess.run("trace-sql", store, "SELECT * FROM " + entry);
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains(sentence);
  }

  @Test
  void whereNothingIsLeftTheFiltersAreNamed() {
    InProcess result =
        InProcess.run("trace-import", SAMPLE, "-o", store, "--name", "n", "--comm", "nobody");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("no switch of tasks is left by --comm nobody");
  }

  @Test
  void optionsThatMakeNoSenseAreUsageErrors() {
    for (List<String> options :
        List.of(
            List.of("--since", "2", "--until", "1"),
            List.of("--cpus", "x"),
            List.of("--cpus", ""),
            List.of("--tid", "-4"))) {
      InProcess result =
          InProcess.run(
              Stream.concat(Stream.of("trace-import", SAMPLE, "-o", store), options.stream())
                  .toArray(String[]::new));
      assertThat(result.exitCode()).as(options + result.err()).isEqualTo(2);
    }
  }
}

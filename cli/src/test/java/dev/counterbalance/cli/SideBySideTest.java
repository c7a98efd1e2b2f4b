package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.analysis.Catalogue;
import dev.counterbalance.analysis.CatalogueEntry;
import dev.counterbalance.trace.store.TraceStore;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A recording and a simulated run in one store are read by the same SQL and the same report. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SideBySideTest {
  private static final Path SAMPLES =
      Path.of(System.getProperty("repo.root", "..")).resolve("sample-traces");
  private static final String RECORDED = "perfpipe";

  private Path file;
  private String simulated;

  @BeforeAll
  void fill(@TempDir Path folder) throws SQLException {
    file = folder.resolve("both.duckdb");
    run("trace-import", SAMPLES.resolve("hackbench8/perfpipe.data").toString(), "-o", file + "");
    run(
        "trace-whatif --workload hackbench:groups=1 --topology 2s2c --rule v2.6.36 --seeds 1"
            + " --horizon 300ms --warmup 0 -o "
            + file);
    simulated = text("SELECT name FROM trace WHERE kind = 'simulated'").get(0);
  }

  private static String run(String commandLine) {
    return run(commandLine.split(" "));
  }

  private static String run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false,
            false,
            false,
            true);
    int exitCode = Main.run(console, arguments);
    assertThat(exitCode).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(Main.EXIT_OK);
    return out.toString(StandardCharsets.UTF_8);
  }

  private List<String> text(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (TraceStore store = TraceStore.openReadOnly(file);
        Statement sql = store.connection().createStatement();
        ResultSet found = sql.executeQuery(query)) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  private long number(String query) throws SQLException {
    return Long.parseLong(text(query).get(0));
  }

  /** SQL for the id of the trace. */
  private static String id(String trace) {
    return "(SELECT trace_id FROM trace WHERE name = '" + trace.replace("'", "''") + "')";
  }

  static List<String> entries() {
    return Catalogue.load().list().stream()
        .filter(e -> e.kind() == CatalogueEntry.Kind.TABLE && !e.name().startsWith("_"))
        .map(CatalogueEntry::name)
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @MethodSource("entries")
  void anEntryAnswersForBoth(String entry) throws SQLException {
    for (String trace : List.of(RECORDED, simulated)) {
      assertThat(number("SELECT count(*) FROM " + entry + " WHERE trace_id = " + id(trace)))
          .as("rows of %s for %s", entry, trace)
          .isPositive();
    }
  }

  @Test
  void timeAddsUpInBoth() throws SQLException {
    for (String trace : List.of(RECORDED, simulated)) {
      String of = " WHERE trace_id = " + id(trace);
      assertThat(
              number(
                  "SELECT sum(abs(observed_ns - busy_ns - idle_ns - lost_ns)) FROM cpu_time" + of))
          .isZero();
      assertThat(number("SELECT sum(run_ns) FROM thread_time" + of))
          .as("CPU time of all threads of %s", trace)
          .isEqualTo(number("SELECT sum(busy_ns) FROM cpu_time" + of));
    }
    assertThat(number("SELECT sum(observed_ns) FROM cpu_time WHERE trace_id = " + id(simulated)))
        .as("four CPUs until hackbench is done")
        .isEqualTo(
            4 * number("SELECT value::BIGINT FROM run_metric WHERE metric = 'simulation.end_ns'"));
  }

  @Test
  void figuresOfTheRunAreThoseOfTheCatalogue() throws SQLException {
    String differing =
        """
        WITH said AS (
            SELECT metric, subject, value FROM run_metric WHERE scope = 'machine' AND trace_id = %1$s
        ), found AS (
            SELECT 'cpu_time.busy_ns' AS metric, NULL AS subject, sum(busy_ns) AS value
            FROM cpu_time WHERE trace_id = %1$s
            UNION ALL
            SELECT 'cpu_time.idle_ns', NULL, sum(idle_ns) FROM cpu_time WHERE trace_id = %1$s
            UNION ALL
            SELECT 'idle_while_waiting.ns', definition, ns
            FROM idle_while_waiting WHERE trace_id = %1$s
            UNION ALL
            SELECT 'latency_by_kind.count', kind, count
            FROM latency_by_kind WHERE trace_id = %1$s
            UNION ALL
            SELECT 'latency_by_kind.p99_ns', kind, p99_ns
            FROM latency_by_kind WHERE trace_id = %1$s
            UNION ALL
            SELECT 'latency_by_kind.max_ns', kind, max_ns
            FROM latency_by_kind WHERE trace_id = %1$s
            UNION ALL
            SELECT 'thread_time.run_ns', NULL, sum(run_ns) FROM thread_time WHERE trace_id = %1$s
        )
        SELECT concat_ws(' ', metric, found.subject, found.value, 'but', said.value)
        FROM found LEFT JOIN said USING (metric)
        WHERE said.subject IS NOT DISTINCT FROM found.subject
            AND said.value IS DISTINCT FROM found.value::DOUBLE
        """
            .formatted(id(simulated));
    assertThat(text(differing)).isEmpty();
    assertThat(
            number(
                "SELECT count(*) FROM run_metric WHERE metric = 'idle_while_waiting.ns'"
                    + " AND value > 0"))
        .as("definitions that see work wait beside idle CPUs")
        .isPositive();
  }

  @Test
  void theReportHasTheSameSections() {
    assertThat(sections(simulated))
        .containsAll(sections(RECORDED))
        .contains("CPU time", "Idle CPUs while tasks waited", "Tasks by CPU time");
  }

  private List<String> sections(String trace) {
    List<String> lines =
        run("trace-report", file.toString(), "--trace", trace).lines().collect(Collectors.toList());
    List<String> titles = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      boolean first = i == 0 || lines.get(i - 1).isEmpty();
      if (first && !lines.get(i).isEmpty() && !lines.get(i).startsWith(" ")) {
        titles.add(lines.get(i));
      }
    }
    return titles;
  }
}

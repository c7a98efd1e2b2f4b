package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.analysis.Catalogue;
import dev.counterbalance.analysis.CatalogueEntry;
import dev.counterbalance.trace.store.TraceStore;
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
    InProcess command = InProcess.run(arguments);
    assertThat(command.exitCode()).as(command.err()).isEqualTo(Main.EXIT_OK);
    return command.out();
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
        WITH found AS (
            UNPIVOT (
                SELECT NULL::VARCHAR AS subject, sum(busy_ns) AS "cpu_time.busy_ns",
                    sum(idle_ns) AS "cpu_time.idle_ns"
                FROM cpu_time WHERE trace_id = %1$s
            ) ON COLUMNS(* EXCLUDE subject) INTO NAME metric VALUE value
            UNION ALL BY NAME
            UNPIVOT (
                SELECT kind AS subject, count::HUGEINT AS "latency_by_kind.count",
                    p99_ns::HUGEINT AS "latency_by_kind.p99_ns",
                    max_ns::HUGEINT AS "latency_by_kind.max_ns"
                FROM latency_by_kind WHERE trace_id = %1$s
            ) ON COLUMNS(* EXCLUDE subject) INTO NAME metric VALUE value
            UNION ALL BY NAME
            SELECT definition AS subject, 'idle_while_waiting.ns' AS metric, ns AS value
            FROM idle_while_waiting WHERE trace_id = %1$s
            UNION ALL BY NAME
            SELECT NULL AS subject, 'thread_time.run_ns' AS metric, sum(run_ns) AS value
            FROM thread_time WHERE trace_id = %1$s
        )
        SELECT concat_ws(' ', f.metric, f.subject, f.value, 'but', m.value)
        FROM found f LEFT JOIN run_metric m
            ON m.trace_id = %1$s AND m.scope = 'machine' AND m.metric = f.metric
                AND m.subject IS NOT DISTINCT FROM f.subject
        WHERE m.value IS DISTINCT FROM f.value::DOUBLE
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

package dev.counterbalance.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.store.TableSpec;
import dev.counterbalance.trace.store.Tables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Asking one trace of a store must not read the others: in the physical plan every scan of a trace
 * table carries the filter on trace_id itself, so that it lies below each window and join.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlanTest {
  private static final Pattern SCAN =
      Pattern.compile("\\{\\s*\"name\": \"([A-Z_ ]*SCAN[A-Z_ ]*)\"");
  private static final Pattern TABLE = Pattern.compile("\"Table\": \"[^\"]*?([^.\"]+)\"");
  private static final Pattern FILTER = Pattern.compile("\\btrace_id ?= ?1\\b");

  private Connection connection;

  static List<CatalogueEntry> tables() {
    return CatalogueTest.tables();
  }

  @BeforeAll
  void storeWithThreeTraces() throws SQLException {
    connection = TestStore.empty();
    for (TableSpec table : Tables.ALL) {
      StringBuilder columns = new StringBuilder();
      table.columns().forEach(column -> columns.append(", NULL"));
      TestStore.execute(
          connection,
          "INSERT INTO \"%s\" SELECT r %% 3 + 1%s FROM range(9000) t(r)"
              .formatted(table.storedName(), columns));
    }
    // Values such that the optimizer cannot prove a branch of a plan empty.
    set("_sched_slice", "ts = v, dur = v, cpu = c, utid = c, end_kind = c");
    set("run_queue", "ts = v, dur = v, cpu = c, m_dur = v, nr_running = c, nr_waiting = c");
    set("run_queue", "m_idle = c, m_waiting = c, m_overloaded = c");
    set("_waiting", "ts = v, dur = v, cpu = c, utid = c, state_code = c");
    set("_irq", "ts = v, dur = v, cpu = c");
    set("data_loss", "ts = v, dur = v, cpu = c");
    set("_cpu", "cpu = c, first_ns = v, last_ns = 2 * v, coverage = c");
    set("_trace", "start_ns = v, end_ns = 2 * v");
    set("thread", "utid = c, affinity = '1', is_idle = c = 0");
    set("_sched_migrate_task", "ts = v, utid = c");
    set("_trace_fact", "key = 'event'");
    set("prev_state", "raw = c, state = 'R'");
    set("task_state", "state_code = c, state = 'R'");
  }

  /** Sets columns; c is 0, 1 or 2, v up to 9 s. */
  private void set(String table, String columns) throws SQLException {
    TestStore.execute(
        connection,
        "UPDATE \"%s\" SET %s"
            .formatted(
                table,
                columns
                    .replaceAll("\\bc\\b", "(rowid % 3)")
                    .replaceAll("\\bv\\b", "(rowid * 1000000)")));
  }

  @AfterAll
  void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void everyScanFiltersByTrace(CatalogueEntry entry) throws SQLException {
    String plan = plan("SELECT * FROM \"%s\"(trace := 1)".formatted(entry.name()));
    assertThat(unfiltered(plan)).as(plan).isEmpty();
    assertThat(scannedTables(plan)).isNotEmpty();
  }

  @Test
  void aFilterAboveAWindowIsFound() throws SQLException {
    TestStore.execute(
        connection,
        "CREATE MACRO bad_window(trace := NULL) AS TABLE SELECT * FROM (SELECT trace_id, ts,"
            + " lead(ts) OVER (PARTITION BY cpu ORDER BY ts) AS next FROM _sched_slice)"
            + " WHERE trace IS NULL OR trace_id = trace");
    assertThat(unfiltered(plan("SELECT * FROM bad_window(trace := 1)")))
        .containsExactly("_sched_slice");
  }

  @Test
  void aFilterAboveAJoinIsFound() throws SQLException {
    TestStore.execute(
        connection,
        "CREATE MACRO bad_join(trace := NULL) AS TABLE SELECT s.trace_id, w.ts"
            + " FROM _sched_slice s JOIN _waiting w ON w.utid = s.utid AND w.ts = s.ts"
            + " WHERE trace IS NULL OR s.trace_id = trace");
    assertThat(unfiltered(plan("SELECT * FROM bad_join(trace := 1)"))).containsExactly("_waiting");
  }

  private String plan(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("EXPLAIN (FORMAT json) " + query)) {
      rows.next();
      return rows.getString(2);
    }
  }

  private static List<String> scannedTables(String plan) {
    List<String> tables = new ArrayList<>();
    for (String scan : scans(plan)) {
      tables.add(tableOf(scan));
    }
    return tables;
  }

  /** Scanned tables without a filter on the trace. */
  private static List<String> unfiltered(String plan) {
    List<String> tables = new ArrayList<>();
    for (String scan : scans(plan)) {
      if (!FILTER.matcher(scan).find()) {
        tables.add(tableOf(scan));
      }
    }
    return tables;
  }

  private static String tableOf(String scan) {
    Matcher table = TABLE.matcher(scan);
    return table.find() ? table.group(1).toLowerCase(Locale.ROOT) : "";
  }

  /** The text of each plan node that scans a stored table. */
  private static List<String> scans(String plan) {
    List<String> scans = new ArrayList<>();
    Matcher matcher = SCAN.matcher(plan);
    while (matcher.find()) {
      String node = node(plan, matcher.start());
      if (TABLE.matcher(node).find()) {
        scans.add(node);
      }
    }
    return scans;
  }

  private static String node(String plan, int start) {
    int depth = 0;
    for (int i = start; i < plan.length(); i++) {
      if (plan.charAt(i) == '{') {
        depth++;
      } else if (plan.charAt(i) == '}' && --depth == 0) {
        return plan.substring(start, i + 1);
      }
    }
    throw new IllegalStateException("plan ends inside a node");
  }
}

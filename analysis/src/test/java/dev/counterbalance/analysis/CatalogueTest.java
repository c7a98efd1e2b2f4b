package dev.counterbalance.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.analysis.CatalogueEntry.Column;
import dev.counterbalance.analysis.CatalogueEntry.Kind;
import dev.counterbalance.analysis.CatalogueEntry.Parameter;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueTest {
  private static final String RUN =
      "SELECT trace_id, cpu, busy_ns FROM cpu_time WHERE trace_id = 1 AND busy_ns > 0";

  @TempDir Path folder;

  static List<CatalogueEntry> entries() {
    return Catalogue.load().all();
  }

  static List<CatalogueEntry> tables() {
    return entries().stream().filter(e -> e.kind() == Kind.TABLE).toList();
  }

  @Test
  void listHasTheEntriesAndNoHelper() {
    assertThat(Catalogue.load().list().stream().map(CatalogueEntry::name))
        .contains(
            "cpu_time",
            "cpu_time_by_second",
            "cpulist",
            "idle_episode",
            "idle_while_waiting",
            "latency",
            "machine_load",
            "progress",
            "sched_switch",
            "thread_state",
            "thread_time",
            "wait")
        .noneMatch(name -> name.startsWith("_"));
    assertThat(Catalogue.load().describe("no_such_entry")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void headerNamesTheColumnsAndTypes(CatalogueEntry entry) throws SQLException {
    try (Connection connection = TestStore.empty()) {
      List<String> described =
          TestStore.csv(
              connection,
              "SELECT column_name || ' ' || column_type FROM (DESCRIBE SELECT * FROM \"%s\"())"
                  .formatted(entry.name()));
      assertThat(entry.columns().stream().map(c -> c.name() + " " + c.type()))
          .containsExactlyElementsOf(described.subList(1, described.size()));
      assertThat(entry.columns().get(0).name()).isEqualTo("trace_id");
    }
  }

  @ParameterizedTest
  @MethodSource("entries")
  void headerIsComplete(CatalogueEntry entry) {
    assertThat(entry.question()).endsWith("?");
    assertThat(entry.title()).isNotBlank();
    assertThat(entry.notes()).allMatch(note -> note.endsWith("."));
    for (Column column : entry.columns()) {
      assertThat(column.doc()).as(column.name()).endsWith(".");
      assertThat(column.source()).as(column.name()).isNotBlank();
      assertThat(column.unit().equals("ns"))
          .as(column.name())
          .isEqualTo(column.name().endsWith("_ns") || isTime(column.name()));
      assertThat(column.unit().equals("%")).isEqualTo(column.name().endsWith("pct"));
    }
    for (Parameter parameter : entry.parameters()) {
      assertThat(parameter.doc()).as(parameter.name()).endsWith(".");
    }
    if (entry.hasView()) {
      assertThat(entry.needs()).isNotEmpty();
      assertThat(entry.parameters().stream().map(Parameter::name))
          .startsWith("trace", "since", "until");
    }
  }

  private static boolean isTime(String column) {
    return List.of("ts", "te", "dur", "ns", "waking_ts", "lo", "hi").contains(column);
  }

  @Test
  void viewsShowEveryTrace() throws SQLException, IOException {
    try (Connection connection = TestStore.golden("losses-and-silent-cpus")) {
      for (CatalogueEntry entry : Catalogue.load().list()) {
        if (entry.hasView()) {
          List<String> all = TestStore.csv(connection, "SELECT * FROM " + entry.name());
          List<String> each =
              new ArrayList<>(TestStore.csv(connection, "FROM " + entry.name() + "(trace := 1)"));
          List<String> other = TestStore.csv(connection, "FROM " + entry.name() + "(trace := 2)");
          each.addAll(other.subList(1, other.size()));
          assertThat(all).as(entry.name()).containsExactlyInAnyOrderElementsOf(each);
        }
      }
    }
  }

  @Test
  void windowsAddUp() throws SQLException, IOException {
    String sums =
        "SELECT sum(observed_ns)::BIGINT, sum(busy_ns)::BIGINT, sum(idle_ns)::BIGINT,"
            + " sum(irq_ns)::BIGINT, sum(lost_ns)::BIGINT FROM ";
    StringBuilder parts = new StringBuilder("(FROM cpu_time(trace := 1, until := 1000000007)");
    for (long ts = 1_000_000_007; ts < 4_000_000_000L; ts += 130_000_001) {
      parts.append(" UNION ALL FROM cpu_time(trace := 1, since := ").append(ts);
      parts.append(", until := ").append(ts + 130_000_001).append(")");
    }
    parts.append(")");
    try (Connection connection = TestStore.golden("losses-and-silent-cpus")) {
      assertThat(TestStore.csv(connection, sums + parts))
          .isEqualTo(TestStore.csv(connection, sums + "cpu_time(trace := 1)"));
    }
  }

  @Test
  void installIsIdempotentAndShadowWinsOnAReadOnlyStore() throws SQLException, IOException {
    String url = "jdbc:duckdb:" + folder.resolve("store.duckdb");
    try (Connection connection =
        DriverManager.getConnection(url + ";storage_compatibility_version=v1.0.0")) {
      TestStore.createTables(connection);
      Catalogue.load().install(connection);
      Catalogue.load().install(connection);
      TestStore.execute(connection, TestStore.resource("/golden/work-waits-while-idle/store.sql"));
      // An old version of an entry, as an earlier program would have left it.
      TestStore.execute(
          connection,
          "CREATE OR REPLACE MACRO cpu_time(trace := NULL) AS TABLE"
              + " SELECT 1 AS trace_id, 7 AS cpu, 8::BIGINT AS busy_ns");
      TestStore.execute(connection, "CREATE OR REPLACE VIEW cpu_time AS SELECT * FROM cpu_time()");
    }
    try (Connection connection = DriverManager.getConnection(url + ";access_mode=READ_ONLY")) {
      assertThat(TestStore.csv(connection, RUN)).contains("1,7,8");
      Catalogue.load().shadow(connection);
      Catalogue.load().shadow(connection);
      assertThat(TestStore.csv(connection, RUN)).contains("1,2,232170000", "1,3,332400000");
    }
    try (Connection connection = DriverManager.getConnection(url + ";access_mode=READ_ONLY")) {
      Catalogue.load().shadow(connection, RUN);
      assertThat(TestStore.csv(connection, RUN)).contains("1,2,232170000", "1,3,332400000");
      assertThat(
              TestStore.csv(
                  connection,
                  "SELECT DISTINCT function_name FROM duckdb_functions()"
                      + " WHERE function_name IN ('_observed', 'latency', 'cpu_time')"
                      + " AND database_name = 'temp' ORDER BY ALL"))
          .containsExactly("function_name", "_observed", "cpu_time");
    }
    try (Connection connection = DriverManager.getConnection(url + ";access_mode=READ_ONLY")) {
      assertThat(TestStore.csv(connection, RUN)).contains("1,7,8");
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "1111 | 0-3",
        "100001111 | 0-3,8",
        "1 | 0",
        "10101 | 0,2,4",
        "11011 | 0-1,3-4",
        "0000 | ''",
        "10000000000000000000000000000000000000000000000000000000000000000110 | 1-2,67"
      },
      delimiter = '|')
  void cpulistIsTheKernelsNotation(String bits, String list) throws SQLException {
    try (Connection connection = TestStore.empty()) {
      assertThat(TestStore.csv(connection, "SELECT cpulist('" + bits + "'::BIT) AS list"))
          .containsExactly("list", list);
      assertThat(TestStore.csv(connection, "SELECT cpulist(NULL::BIT) IS NULL AS list"))
          .containsExactly("list", "true");
    }
  }

  /** DuckDB 2.0 stores lag and lead with more than one argument such that 1.5 cannot bind them. */
  @ParameterizedTest
  @MethodSource("entries")
  void storedFormIsReadByOlderDuckDb(CatalogueEntry entry) {
    assertThat(entry.body()).doesNotContainPattern("(?i)\\b(lag|lead)\\([^()]*,");
  }

  @Test
  void brokenHeadersAreNamed() {
    assertThatThrownBy(() -> EntryParser.parse("x", "-- titel: A\nSELECT 1"))
        .hasMessage("catalogue entry x: unknown header key: titel: A");
    assertThatThrownBy(() -> EntryParser.parse("x", "-- title: A\n-- column: a | b\nSELECT 1"))
        .hasMessage("catalogue entry x: expected 5 fields, found 2: column: a | b");
    assertThatThrownBy(() -> EntryParser.parse("x", "-- title: A\nSELECT 1"))
        .hasMessageContaining("required");
  }
}

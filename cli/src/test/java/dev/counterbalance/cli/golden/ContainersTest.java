package dev.counterbalance.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.counterbalance.trace.store.TraceStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One recording, through several containers, gives equal rows wherever the container carries the
 * fact. Tasks are compared by tid, for utids count in the order of first sight.
 *
 * <p>What a text does not carry, so that it is not compared:
 *
 * <ul>
 *   <li>perf script: {@code context} and {@code irq_context} (no flags are printed), thread groups
 *       and affinity (records beside the events), the waker where it exits (perf prints -1);
 *   <li>trace-cmd report: {@code context} without {@code -l}, the whole name of a line's task with
 *       it; times without {@code -t} are rounded to µs, so only events are compared, no lengths.
 * </ul>
 */
class ContainersTest {
  private static final Path TRACE_DAT = Corpus.samples().resolve("q6600/trace.dat");
  private static final String ROUNDED = "(ts + 500) // 1000 * 1000";
  private static final String SWITCHES =
      "(SELECT * REPLACE (ts + dur AS ts) FROM sched_slice WHERE end_kind = 'switch')";

  /** Of a trace.dat, threads that only its saved names tell of have rows, too; texts lack these. */
  private static final String RAN =
      "(FROM thread t WHERE EXISTS (FROM sched_slice s WHERE s.utid = t.utid))";

  private static final String TASK = "(SELECT tid FROM thread t WHERE t.utid = x.";

  private static final Map<String, String> TABLES =
      new TreeMap<>(
          Map.of(
              "sched_slice",
              "ts, dur, cpu, "
                  + TASK
                  + "utid), priority, (SELECT state FROM prev_state p WHERE p.raw = x.end_state),"
                  + " end_prio, "
                  + TASK
                  + "next_utid), next_prio, end_kind, censored",
              "waiting",
              "ts, dur, "
                  + TASK
                  + "utid), (SELECT state FROM task_state s WHERE s.state_code = x.state_code), cpu,"
                  + " cpu_source, "
                  + TASK
                  + "waker_utid), waking_ts, censored, suspect",
              "run_queue",
              "ts, dur, cpu, nr_running, nr_waiting, m_running, m_waiting, m_idle, m_overloaded,"
                  + " m_dur",
              "sched_waking",
              "ts, cpu, " + TASK + "waker_utid), " + TASK + "utid), prio, target_cpu",
              "sched_wakeup",
              "ts, cpu, " + TASK + "waker_utid), " + TASK + "utid), prio, target_cpu, is_new",
              "sched_migrate_task",
              "ts, cpu, " + TASK + "utid), prio, orig_cpu, dest_cpu",
              "sched_stat",
              "ts, cpu, " + TASK + "utid), kind, ns, vruntime"));

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> perfScriptOfTheSamples() throws IOException {
    return scripts(Corpus.samples());
  }

  @TestFactory
  Stream<DynamicTest> perfScriptOfTheLargeCorpus() throws IOException {
    return Corpus.large(this::scripts);
  }

  private Stream<DynamicTest> scripts(Path root) throws IOException {
    return Corpus.recordings(root).stream()
        .filter(Recordings::hasTracepoints)
        .map(
            file ->
                DynamicTest.dynamicTest(
                    root.relativize(file).toString(),
                    () -> {
                      Path script = Corpus.scriptOf(file);
                      Map<String, String> tables = withoutExitingWakers(script);
                      Map<String, List<String>> binary = read(file, tables);
                      Map<String, List<String>> text = read(script, tables);
                      assertThat(binary.get("sched_slice")).isNotEmpty();
                      compare(text, binary);
                    }));
  }

  /** The tables, without the waker where the text says -1. */
  private Map<String, String> withoutExitingWakers(Path script) throws IOException, SQLException {
    String without;
    try (TraceStore store = Recordings.importInto(folder.resolve("s.duckdb"), script)) {
      without =
          String.join(
              ", ",
              rows(
                  store.connection(),
                  "SELECT ts FROM sched_waking WHERE waker_utid IS NULL UNION SELECT ts FROM"
                      + " sched_wakeup WHERE waker_utid IS NULL UNION SELECT -1"));
    }
    Map<String, String> tables = new TreeMap<>(TABLES);
    tables.replaceAll(
        (table, columns) ->
            columns.replace(
                TASK + "waker_utid)",
                (table.equals("waiting") ? "if(coalesce(x.waking_ts, x.ts)" : "if(x.ts")
                    + " IN ("
                    + without
                    + "), NULL, "
                    + TASK
                    + "waker_utid))"));
    return tables;
  }

  /** The rows of each table, in order. */
  private Map<String, List<String>> read(Path recording, Map<String, String> tables)
      throws IOException, SQLException {
    Map<String, List<String>> result = new TreeMap<>();
    try (TraceStore store = Recordings.importInto(folder.resolve("s.duckdb"), recording)) {
      for (Map.Entry<String, String> table : tables.entrySet()) {
        result.put(
            table.getKey(),
            rows(
                store.connection(),
                "SELECT " + table.getValue() + " FROM " + table.getKey() + " x ORDER BY ALL"));
      }
    }
    return result;
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(i == 1 ? "" : " ").append(result.getString(i));
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  private static void compare(
      Map<String, List<String>> actual, Map<String, List<String>> expected) {
    List<String> differences = new ArrayList<>();
    expected.forEach(
        (table, rows) -> {
          Map<String, Integer> count = new TreeMap<>();
          rows.forEach(row -> count.merge(row, 1, Integer::sum));
          actual.get(table).forEach(row -> count.merge(row, -1, Integer::sum));
          count.forEach(
              (row, n) -> {
                if (n != 0) {
                  differences.add(table + (n > 0 ? " misses " : " has ") + row);
                }
              });
        });
    assertThat(differences.stream().limit(20)).as(differences.size() + " differences").isEmpty();
  }

  /** Every byte order gives every row, also of the tables that no text carries. */
  @TestFactory
  Stream<DynamicTest> bigEndianTwin() throws IOException {
    return Corpus.large(
        root ->
            Stream.of(
                DynamicTest.dynamicTest(
                    "variants/bigendian.perf.data",
                    () -> {
                      Path big = root.resolve("variants/bigendian.perf.data");
                      assumeThat(big).exists();
                      Map<String, List<String>> one = allTables(big);
                      Map<String, List<String>> other =
                          allTables(root.resolve("variants/full.perf.data"));
                      assertThat(one.keySet()).isEqualTo(other.keySet());
                      compare(one, other);
                    })));
  }

  private Map<String, List<String>> allTables(Path recording) throws IOException, SQLException {
    Map<String, String> tables = new TreeMap<>();
    try (TraceStore store = Recordings.importInto(folder.resolve("s.duckdb"), recording)) {
      for (String table :
          rows(
              store.connection(),
              "SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE'")) {
        tables.put(table, "*");
      }
    }
    // The file's name, and the random identity of a trace.
    tables.put("_trace", "* EXCLUDE (uuid, name, source)");
    tables.remove("store_info");
    return read(recording, tables);
  }

  /** perf cuts times to µs: the ns text cut, against its rows cut. */
  @Test
  void microsecondsOfPerfAreNanosecondsCut() throws Exception {
    Path script = Corpus.scriptOf(Corpus.samples().resolve("pinned4/perf.data"));
    StringBuilder cut = new StringBuilder();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(Corpus.open(script), StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        cut.append(line.replaceFirst("(\\d\\.\\d{6})\\d{3}:", "$1:")).append('\n');
      }
    }
    Path micros = folder.resolve("us.txt");
    Files.writeString(micros, cut, StandardCharsets.ISO_8859_1);
    compare(read(micros, events("ts")), read(script, events("ts // 1000 * 1000")));
  }

  /** The tables of events, with another expression for the time; slices by their switch. */
  private static Map<String, String> events(String ts) {
    Map<String, String> events = new TreeMap<>(TABLES);
    events.keySet().removeAll(List.of("waiting", "run_queue", "sched_slice"));
    events.replaceAll((table, columns) -> columns.replaceFirst("^ts", ts));
    events.put(
        SWITCHES,
        ts
            + ", cpu, "
            + TASK
            + "utid), end_prio, (SELECT state FROM prev_state p WHERE p.raw = x.end_state), "
            + TASK
            + "next_utid), next_prio");
    return events;
  }

  /** What trace-cmd prints of a trace.dat in ns is what the file holds. */
  @ParameterizedTest
  @ValueSource(strings = {"trace-cmd-report-R-t", "trace-cmd-report-N-t"})
  void reportInNanoseconds(String report) throws Exception {
    Map<String, String> tables = new TreeMap<>(TABLES);
    tables.put(RAN, "tid, name, is_idle");
    Map<String, List<String>> binary = read(TRACE_DAT, tables);
    assertThat(binary.get("sched_slice")).isNotEmpty();
    compare(read(report(report), tables), binary);
  }

  /** Without -t trace-cmd rounds to µs. */
  @ParameterizedTest
  @ValueSource(strings = {"trace-cmd-report", "trace-cmd-report-l"})
  void reportInMicroseconds(String report) throws Exception {
    // trace-cmd's plugin has the letters of old kernels, which the importer knows, but no R+.
    compare(
        read(report(report), oldLetters(events("ts"))),
        read(TRACE_DAT, oldLetters(events(ROUNDED))));
  }

  private static Map<String, String> oldLetters(Map<String, String> events) {
    events.computeIfPresent(
        SWITCHES,
        (table, columns) ->
            columns.replace(
                "SELECT state FROM", "SELECT CASE WHEN state = 'R+' THEN 'R' ELSE state END FROM"));
    return events;
  }

  /** The latency format cuts the names of the lines, and is the only one with flags. */
  @Test
  void latencyReportHasShortNamesAndContexts() throws Exception {
    Map<String, String> contexts = new TreeMap<>();
    for (String table : List.of("sched_waking", "sched_wakeup", "sched_migrate_task")) {
      contexts.put(table, "%s, cpu, " + TASK + "utid), context");
    }
    Map<String, String> rounded = new TreeMap<>(contexts);
    rounded.replaceAll((table, columns) -> String.format(columns, ROUNDED));
    contexts.replaceAll((table, columns) -> String.format(columns, "ts"));
    contexts.put(RAN, "tid, left(name, 8)");
    rounded.put(RAN, "tid, left(name, 8)");
    compare(read(report("trace-cmd-report-l"), contexts), read(TRACE_DAT, rounded));
  }

  private static Path report(String name) {
    return TRACE_DAT.resolveSibling("trace.dat.expected").resolve(name + ".txt.gz");
  }

  /** An ftrace text against what a few lines make of its switches. */
  @Test
  void ftraceTextAgainstItsOwnLines() throws Exception {
    Path file = Corpus.samples().resolve("workers4smt/ftrace.txt.gz");
    Pattern event = Pattern.compile(".*-[0-9]+ +\\[(...)] \\S+ +([0-9]+)\\.([0-9]+): (\\w+): (.*)");
    Pattern pids = Pattern.compile(".* prev_pid=([0-9]+) .* next_pid=([0-9]+) .*");
    Map<String, Integer> counts = new TreeMap<>();
    Map<Integer, Long> last = new TreeMap<>();
    Map<Integer, Long> busy = new TreeMap<>();
    Map<Integer, Long> idle = new TreeMap<>();
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(Corpus.open(file), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Matcher m = event.matcher(line);
        if (!m.matches()) {
          assertThat(line).startsWith("#");
          continue;
        }
        counts.merge(m.group(4), 1, Integer::sum);
        Matcher pid = pids.matcher(m.group(5));
        if (m.group(4).equals("sched_switch") && pid.matches()) {
          int cpu = Integer.parseInt(m.group(1));
          long ns = Long.parseLong(m.group(2) + m.group(3)) * 1000;
          Long before = last.put(cpu, ns);
          if (before != null) {
            (pid.group(1).equals("0") ? idle : busy).merge(cpu, ns - before, Long::sum);
          }
        }
      }
    }
    try (TraceStore store = Recordings.importInto(folder.resolve("s.duckdb"), file)) {
      Connection connection = store.connection();
      assertThat(rows(connection, "SELECT event_count, lost_events FROM trace"))
          .containsExactly(counts.values().stream().mapToInt(n -> n).sum() + " 0");
      for (String name : List.of("sched_waking", "sched_migrate_task")) {
        assertThat(rows(connection, "SELECT count(*) FROM " + name))
            .containsExactly(counts.getOrDefault(name, 0).toString());
      }
      assertThat(rows(connection, "SELECT count(*) FROM sched_slice WHERE end_kind = 'switch'"))
          .containsExactly(counts.get("sched_switch").toString());
      for (Map.Entry<Integer, Long> cpu : last.entrySet()) {
        assertThat(
                rows(
                    connection,
                    "WITH w AS (SELECT min(ts + dur) a, max(ts + dur) b FROM sched_slice WHERE cpu ="
                        + cpu.getKey()
                        + " AND end_kind = 'switch') SELECT sum(if(is_idle, 0, dur)),"
                        + " sum(if(is_idle, dur, 0)) FROM sched_slice JOIN thread USING (utid), w"
                        + " WHERE cpu = "
                        + cpu.getKey()
                        + " AND ts >= a AND ts + dur <= b"))
            .as("busy and idle of CPU " + cpu.getKey())
            .containsExactly(
                busy.getOrDefault(cpu.getKey(), 0L) + " " + idle.getOrDefault(cpu.getKey(), 0L));
      }
    }
  }
}

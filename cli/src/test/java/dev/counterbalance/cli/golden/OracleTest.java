package dev.counterbalance.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.counterbalance.trace.store.TraceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Figures of each recording against {@code expected.json}, which a small independent script made
 * from perf script's output.
 */
class OracleTest {
  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> shippedRecordings() throws IOException {
    return tests(Corpus.samples());
  }

  @TestFactory
  Stream<DynamicTest> largeCorpus() throws IOException {
    return Corpus.large(this::tests);
  }

  private Stream<DynamicTest> tests(Path root) throws IOException {
    return Corpus.recordings(root).stream()
        .filter(Recordings::hasTracepoints)
        .map(
            file -> DynamicTest.dynamicTest(root.relativize(file).toString(), () -> compare(file)));
  }

  private void compare(Path recording) throws Exception {
    Map<String, Long> expected =
        flatten(
            recording.resolveSibling("expected.json"), "/files/" + recording.getFileName() + "/");
    assertThat(expected).as("expected.json of %s", recording).isNotEmpty();
    try (TraceStore store = Recordings.importInto(folder.resolve("s.duckdb"), recording);
        Statement sql = store.connection().createStatement()) {
      Map<String, Long> ours = new TreeMap<>();
      events(sql, ours);
      cpus(sql, ours);
      runs(sql, ours);
      waits(sql, ours);
      WaitReference reference = WaitReference.read(Corpus.scriptOf(recording));
      SoftAssertions softly = new SoftAssertions();
      expected.forEach(
          (key, value) -> {
            if (key.contains("/p50") || key.contains("/p9") || key.contains("mismatch")) {
              return;
            }
            if (key.startsWith("oracle/wakeup_wait/")) {
              Long byItsRule = reference.theirs().get(key.substring(key.lastIndexOf('/') + 1));
              softly.assertThat(byItsRule).as(key + " by the oracle's rule").isEqualTo(value);
            } else {
              softly.assertThat(ours.get(key)).as(key).isEqualTo(value);
            }
          });
      reference
          .ours()
          .forEach(
              (key, value) ->
                  softly
                      .assertThat(ours.get("oracle/wakeup_wait/" + key))
                      .as(key + " of wakeup waits by our rule")
                      .isEqualTo(value));
      softly.assertAll();
    }
  }

  private static void events(Statement sql, Map<String, Long> ours) throws SQLException {
    put(
        sql,
        ours,
        "SELECT 'events/sched_switch', count(*) FROM sched_slice WHERE end_kind = 'switch'");
    put(sql, ours, "SELECT 'events/sched_waking', count(*) FROM sched_waking HAVING count(*) > 0");
    put(
        sql,
        ours,
        "SELECT CASE WHEN is_new THEN 'events/sched_wakeup_new' ELSE 'events/sched_wakeup' END,"
            + " count(*) FROM sched_wakeup GROUP BY ALL");
    put(sql, ours, "SELECT 'events/sched_migrate_task', count(*) FROM sched_migrate_task");
    put(sql, ours, "SELECT 'oracle/migrate_events', count(*) FROM sched_migrate_task");
    put(sql, ours, "SELECT 'events/sched_stat_' || kind, count(*) FROM sched_stat GROUP BY ALL");
    put(
        sql,
        ours,
        "SELECT 'events/sched_process_' || kind, count(*) FROM sched_process GROUP BY ALL");
    put(sql, ours, "SELECT 'events/cpu_idle', count(*) FROM cpu_idle");
    put(
        sql,
        ours,
        "SELECT 'events/' || CASE kind WHEN 'soft' THEN 'softirq' ELSE 'irq_handler' END"
            + " || '_entry', count(*) FROM irq GROUP BY kind");
    put(
        sql,
        ours,
        "SELECT 'events/' || CASE kind WHEN 'soft' THEN 'softirq' ELSE 'irq_handler' END"
            + " || '_exit', count(dur) FROM irq GROUP BY kind");
  }

  /**
   * The oracle books the time between two switches of a CPU on the prev of the second; in a broken
   * chain (per-task recordings) we book it, censored, on the next of the first.
   */
  private static final String BROKEN_CHAIN =
      "WITH s AS (SELECT s.cpu, t.tid, t.is_idle, s.ts + s.dur u, lag(s.ts + s.dur, 1, s.ts + s.dur)"
          + " OVER (PARTITION BY s.cpu ORDER BY s.ts + s.dur, s.rowid) f, count(*) OVER c n, min(s.ts"
          + " + s.dur) OVER c a, max(s.ts + s.dur) OVER c b FROM _sched_slice s JOIN thread t USING"
          + " (trace_id, utid) WHERE end_kind = 0 WINDOW c AS (PARTITION BY s.cpu)) ";

  private static final String CHAIN =
      "WITH w AS (SELECT cpu, min(ts + dur) a, max(ts + dur) b, count(*) n FROM sched_slice"
          + " WHERE end_kind = 'switch' GROUP BY cpu), s AS (SELECT s.*, t.is_idle, t.tid, w.n,"
          + " greatest(s.ts, a) f, least(s.ts + s.dur, b) u, a, b FROM sched_slice s"
          + " JOIN thread t USING (trace_id, utid) JOIN w USING (cpu)) ";

  private static String switches(Statement sql) throws SQLException {
    try (ResultSet row =
        sql.executeQuery("SELECT count(*) FROM sched_slice WHERE end_kind = 'mismatch'")) {
      row.next();
      return row.getLong(1) == 0 ? CHAIN : BROKEN_CHAIN;
    }
  }

  /** Between the first and the last switch of each CPU, as the oracle counts. */
  private static void cpus(Statement sql, Map<String, Long> ours) throws SQLException {
    String switches = switches(sql);
    String cpu = "'oracle/cpu/' || cpu || '/";
    put(sql, ours, switches + "SELECT " + cpu + "switches', any_value(n) FROM s GROUP BY cpu");
    put(
        sql,
        ours,
        switches + "SELECT " + cpu + "observed_ns', any_value(b - a) FROM s GROUP BY cpu");
    put(
        sql,
        ours,
        switches
            + "SELECT "
            + cpu
            + "idle_ns', coalesce(sum(greatest(u - f, 0)) FILTER (is_idle), 0)::BIGINT FROM s GROUP BY cpu");
    put(
        sql,
        ours,
        switches
            + "SELECT "
            + cpu
            + "busy_ns', coalesce(sum(greatest(u - f, 0)) FILTER (NOT is_idle), 0)::BIGINT FROM s"
            + " GROUP BY cpu");
  }

  private static void runs(Statement sql, Map<String, Long> ours) throws SQLException {
    String switches = switches(sql);
    put(
        sql,
        ours,
        switches
            + "SELECT 'oracle/run_ns_by_tid/' || tid, sum(greatest(u - f, 0))::BIGINT FROM s"
            + " WHERE NOT is_idle GROUP BY tid");
  }

  private static void waits(Statement sql, Map<String, Long> ours) throws SQLException {
    for (String kind : new String[] {"wakeup", "preempt"}) {
      boolean preempt = kind.equals("preempt");
      String where =
          " FROM waiting WHERE state_code IN (0, 1) AND NOT censored AND NOT suspect AND cpu_source "
              + (preempt ? "= 'switch_out'" : "<> 'switch_out'");
      String dur = preempt ? "dur" : "ts + dur - coalesce(waking_ts, ts)";
      String key = "SELECT 'oracle/" + kind + "_wait/";
      put(sql, ours, key + "count', count(*)" + where);
      put(sql, ours, key + "sum_ns', coalesce(sum(" + dur + "), 0)::BIGINT" + where);
      put(sql, ours, key + "max_ns', coalesce(max(" + dur + "), 0)" + where);
    }
  }

  private static void put(Statement sql, Map<String, Long> ours, String query) throws SQLException {
    try (ResultSet rows = sql.executeQuery(query)) {
      while (rows.next()) {
        ours.put(rows.getString(1), rows.getLong(2));
      }
    }
  }

  /** The whole numbers below a path, by the rest of their path. */
  private static Map<String, Long> flatten(Path json, String prefix) throws IOException {
    Map<String, Long> numbers = new TreeMap<>();
    Deque<String> path = new ArrayDeque<>();
    try (JsonParser parser = new JsonFactory().createParser(Files.readAllBytes(json))) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          path.addLast(parser.currentName());
        } else if (token == JsonToken.VALUE_NUMBER_INT) {
          String key = "/" + String.join("/", path);
          if (key.startsWith(prefix)) {
            numbers.put(key.substring(prefix.length()), parser.getLongValue());
          }
          path.removeLast();
        } else if (token == JsonToken.END_OBJECT || token.isScalarValue()) {
          path.pollLast();
        }
      }
    }
    return numbers;
  }
}

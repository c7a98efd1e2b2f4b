package dev.counterbalance.cli.golden;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.trace.store.TraceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One input of a fault that was reported against another tool, in a store with the catalogue. */
final class BugCase implements AutoCloseable {
  static final String WAKES =
      "WITH wake AS (SELECT utid, ts FROM sched_wakeup UNION ALL SELECT utid, ts FROM sched_waking"
          + " WHERE NOT EXISTS (FROM sched_wakeup)), switch_in AS (SELECT cpu, next_utid AS utid, ts"
          + " + dur AS ts FROM sched_slice WHERE end_kind = 'switch'), latency AS (SELECT i.utid,"
          + " i.cpu, w.ts AS wake, i.ts FROM switch_in i ASOF JOIN wake w ON w.utid = i.utid AND i.ts"
          + " >= w.ts QUALIFY row_number() OVER (PARTITION BY i.utid, w.ts ORDER BY i.ts) = 1) ";

  /** Nothing may span lost events. */
  static final String LATENCIES =
      WAKES
          + "SELECT tid, (l.ts - l.wake) / 1e3 FROM latency l JOIN thread USING (utid) WHERE NOT"
          + " EXISTS (FROM data_loss d WHERE d.lost > 0 AND d.cpu = l.cpu AND l.wake < d.ts + d.dur"
          + " AND l.ts > d.ts) ORDER BY l.ts";

  static final String WAITS =
      "SELECT tid, dur / 1e3 FROM wait JOIN thread USING (utid) WHERE kind IN ('wakeup', 'new') AND"
          + " NOT censored AND NOT suspect ORDER BY ts";

  static final String RUNS =
      "SELECT tid, sum(dur) / 1e3 FROM sched_slice JOIN thread USING (utid) WHERE NOT is_idle GROUP"
          + " BY tid";

  /** First and last event of each CPU. */
  static final String OWN_EVENTS =
      "SELECT cpu, min(ts) AS a, max(ts) AS b FROM (SELECT cpu, ts + dur AS ts FROM sched_slice"
          + " WHERE end_kind = 'switch' UNION ALL SELECT cpu, ts FROM sched_wakeup UNION ALL SELECT"
          + " cpu, ts FROM sched_migrate_task) GROUP BY cpu";

  static final String PROBLEMS = "SELECT code, count FROM import_problem ORDER BY code";

  private final TraceStore store;
  private final Statement statement;
  private final Map<String, Object> expected;

  private BugCase(TraceStore store, Statement statement, Map<String, Object> expected) {
    this.store = store;
    this.statement = statement;
    this.expected = expected;
  }

  static Path file(String name) {
    return Path.of(System.getProperty("repo.root", ".."))
        .resolve("ingest/src/test/resources/bugs")
        .resolve(name);
  }

  /** Imports an input; the expected.json beside it has the answers. */
  static BugCase open(Path store, String name) throws IOException, SQLException {
    return open(store, file(name));
  }

  static BugCase open(Path file, Path input) throws IOException, SQLException {
    Map<String, Object> expected = Map.of();
    Path json = input.resolveSibling("expected.json");
    if (Files.exists(json)) {
      try (JsonParser parser = new JsonFactory().createParser(Files.readAllBytes(json))) {
        expected = object(value(parser, parser.nextToken()));
      }
    }
    TraceStore store = Recordings.importInto(file, input);
    Entries.shadow(store);
    return new BugCase(store, store.connection().createStatement(), expected);
  }

  /** What expected.json says at a path of keys; null if nothing. */
  Object expected(String... path) {
    Object at = expected;
    for (String key : path) {
      at = object(at).get(key);
    }
    return at;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  /** Rows, their columns parted by blanks. */
  List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(sql)) {
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

  /** Numbers, a list of them for each key of the first column, as in expected.json. */
  Map<String, Object> lists(String sql) throws SQLException {
    Map<String, Object> lists = new TreeMap<>();
    try (ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        list(lists.computeIfAbsent(result.getString(1), k -> new ArrayList<>()))
            .add(result.getDouble(2));
      }
    }
    return lists;
  }

  /** A number for each key of the first column, as in expected.json. */
  Map<String, Object> numbers(String sql) throws SQLException {
    Map<String, Object> numbers = new TreeMap<>();
    try (ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        numbers.put(result.getString(1), result.getDouble(2));
      }
    }
    return numbers;
  }

  @Override
  public void close() throws SQLException {
    statement.close();
    store.close();
  }

  private static Object value(JsonParser in, JsonToken token) throws IOException {
    switch (token) {
      case START_OBJECT -> {
        Map<String, Object> object = new TreeMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
          String key = in.currentName();
          object.put(key, value(in, in.nextToken()));
        }
        return object;
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        for (JsonToken next = in.nextToken(); next != JsonToken.END_ARRAY; next = in.nextToken()) {
          list.add(value(in, next));
        }
        return list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        return in.getDoubleValue();
      }
      case VALUE_TRUE, VALUE_FALSE -> {
        return token == JsonToken.VALUE_TRUE;
      }
      default -> {
        return in.getText();
      }
    }
  }
}

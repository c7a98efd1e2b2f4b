package dev.counterbalance.analysis.query;

import dev.counterbalance.analysis.CatalogueEntry;
import dev.counterbalance.trace.store.TraceStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of runs, read from the catalogue: what the table {@code run_metric} holds. Every
 * metric is named {@code entry.column} after the column it is read from, or summed over.
 */
public final class RunFigures {
  /**
   * One figure.
   *
   * @param metric catalogue entry and column
   * @param scope machine, cpu, task or group
   * @param subject which one; null for the whole machine
   * @param value null if the run does not have it
   * @param unit its unit; empty for counts
   */
  public record Figure(String metric, String scope, String subject, Double value, String unit) {}

  /** Scopes. */
  public static final String MACHINE = "machine";

  public static final String CPU = "cpu";
  public static final String TASK = "task";
  public static final String GROUP = "group";

  /** Stands for the end of the warm-up: written into the query, DuckDB plans for it. */
  private static final String SINCE = "{since}";

  private static final String WINDOW = "(trace := NULL, since := " + SINCE + ")";

  private static final String TASKS =
      "SELECT e.trace_id, coalesce(t.name, '?') || ':' || t.tid AS subject, t.name,"
          + " coalesce(t.is_kernel, false) AS kernel, e.run_ns, e.wait_ns, e.cpu_pct, e.switches,"
          + " e.migrations FROM thread_time"
          + WINDOW
          + " e JOIN thread t ON t.trace_id = e.trace_id AND t.utid = e.utid"
          + " ORDER BY e.trace_id, e.utid";

  private static final String WAITS =
      "SELECT t.trace_id, count(w.dur) AS count, avg(w.dur) AS mean_ns,"
          + " quantile_disc(w.dur, 0.99) AS p99_ns, max(w.dur) AS max_ns FROM _trace t"
          + " LEFT JOIN (SELECT trace_id, dur FROM wait"
          + WINDOW
          + " WHERE NOT censored AND NOT suspect) w ON w.trace_id = t.trace_id"
          + " GROUP BY t.trace_id ORDER BY t.trace_id";

  /** The smallest level that holds both CPUs. */
  private static final String MIGRATIONS =
      "SELECT m.trace_id, CASE WHEN a.core_id = b.core_id THEN 'SMT' WHEN a.llc_id = b.llc_id THEN"
          + " 'LLC' WHEN a.node_id = b.node_id THEN 'NODE' ELSE 'MACHINE' END AS level,"
          + " count(*) AS count FROM sched_migrate_task m"
          + " LEFT JOIN cpu a ON a.trace_id = m.trace_id AND a.cpu = m.orig_cpu"
          + " LEFT JOIN cpu b ON b.trace_id = m.trace_id AND b.cpu = m.dest_cpu"
          + " WHERE m.ts >= "
          + SINCE
          + " GROUP BY m.trace_id, level ORDER BY m.trace_id, level";

  private static final List<String> SUMMED = List.of("run_ns", "wait_ns", "switches", "migrations");

  private final Query query;
  private final Map<String, String> units = new HashMap<>();
  private final long sinceNs;
  private final SortedMap<Integer, List<Figure>> figures = new TreeMap<>();

  private RunFigures(TraceStore store, Entries entries, long sinceNs) {
    query = new Query(store);
    this.sinceNs = sinceNs;
    store.traces().forEach(trace -> figures.put(trace.traceId(), new ArrayList<>()));
    for (CatalogueEntry entry : entries.list()) {
      entry.columns().forEach(c -> units.put(entry.name() + "." + c.name(), c.unit()));
    }
  }

  /**
   * Reads the figures of every trace of a store, all with the same warm-up. Most of what one short
   * trace costs is planning the catalogue's queries, and many share that.
   *
   * <p>Kernel threads are part of the figures of the whole machine and have none of their own.
   *
   * @param entries the catalogue on the store's connection
   * @param sinceNs end of the warm-up, in the traces' clocks
   * @return by trace_id
   */
  public static SortedMap<Integer, List<Figure>> read(
      TraceStore store, Entries entries, long sinceNs) {
    RunFigures figures = new RunFigures(store, entries, sinceNs);
    figures.cpus();
    figures.idle();
    figures.waits();
    figures.progress(figures.tasks());
    figures.migrations();
    return figures.figures;
  }

  private void cpus() {
    byTrace("SELECT * FROM cpu_time" + WINDOW).forEach(this::cpus);
  }

  private void cpus(int trace, List<Map<String, Object>> rows) {
    double observed = 0;
    double busy = 0;
    double idle = 0;
    for (Map<String, Object> row : rows) {
      if (row.get("observed_ns") == null) {
        continue;
      }
      String cpu = String.valueOf(row.get("cpu"));
      add(trace, "cpu_time", "busy_ns", CPU, cpu, row.get("busy_ns"));
      add(trace, "cpu_time", "idle_pct", CPU, cpu, row.get("idle_pct"));
      observed += number(row, "observed_ns");
      busy += number(row, "busy_ns");
      idle += number(row, "idle_ns");
    }
    add(trace, "cpu_time", "observed_ns", MACHINE, null, observed);
    add(trace, "cpu_time", "busy_ns", MACHINE, null, busy);
    add(trace, "cpu_time", "idle_ns", MACHINE, null, idle);
    add(trace, "cpu_time", "idle_pct", MACHINE, null, observed > 0 ? 100 * idle / observed : null);
  }

  private void idle() {
    for (Map<String, Object> row : rows("SELECT * FROM idle_while_waiting" + WINDOW)) {
      String definition = String.valueOf(row.get("definition"));
      add(trace(row), "idle_while_waiting", "ns", MACHINE, definition, row.get("ns"));
      add(trace(row), "idle_while_waiting", "pct", MACHINE, definition, row.get("pct"));
    }
  }

  private void waits() {
    for (Map<String, Object> row : rows(WAITS)) {
      for (String column : List.of("count", "mean_ns", "p99_ns", "max_ns")) {
        figures
            .get(trace(row))
            .add(
                new Figure(
                    "wait." + column, MACHINE, null, value(row.get(column)), unitOf(column)));
      }
    }
    for (Map<String, Object> row : rows("SELECT * FROM latency_by_kind" + WINDOW)) {
      String kind = String.valueOf(row.get("kind"));
      for (String column : List.of("count", "mean_ns", "p99_ns", "max_ns")) {
        add(trace(row), "latency_by_kind", column, MACHINE, kind, row.get(column));
      }
    }
  }

  /** Adds the figures of tasks; returns the names of each trace's kernel threads. */
  private Map<Integer, Set<String>> tasks() {
    Map<Integer, Set<String>> kernelThreads = new HashMap<>();
    byTrace(TASKS).forEach((trace, rows) -> kernelThreads.put(trace, tasks(trace, rows)));
    return kernelThreads;
  }

  private Set<String> tasks(int trace, List<Map<String, Object>> rows) {
    Set<String> kernelThreads = new HashSet<>();
    double[] sums = new double[SUMMED.size()];
    for (Map<String, Object> row : rows) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += number(row, SUMMED.get(i));
      }
      if (Boolean.TRUE.equals(row.get("kernel"))) {
        kernelThreads.add(String.valueOf(row.get("name")));
        continue;
      }
      String subject = String.valueOf(row.get("subject"));
      add(trace, "thread_time", "cpu_pct", TASK, subject, row.get("cpu_pct"));
      for (String column : SUMMED) {
        add(trace, "thread_time", column, TASK, subject, row.get(column));
      }
    }
    for (int i = 0; i < sums.length; i++) {
      add(trace, "thread_time", SUMMED.get(i), MACHINE, null, sums[i]);
    }
    return kernelThreads;
  }

  private void progress(Map<Integer, Set<String>> kernelThreads) {
    for (Map<String, Object> row : rows("SELECT * FROM progress" + WINDOW)) {
      String name = String.valueOf(row.get("name"));
      if (kernelThreads.get(trace(row)).contains(name)) {
        continue;
      }
      for (String column : List.of("threads", "run_ns", "finish_ns", "cycles", "cycles_per_s")) {
        add(trace(row), "progress", column, GROUP, name, row.get(column));
      }
    }
  }

  private void migrations() {
    for (Map<String, Object> row : rows(MIGRATIONS)) {
      figures
          .get(trace(row))
          .add(
              new Figure(
                  "sched_migrate_task.count",
                  MACHINE,
                  String.valueOf(row.get("level")),
                  value(row.get("count")),
                  ""));
    }
  }

  private List<Map<String, Object>> rows(String sql) {
    return query.rowsOf(sql.replace(SINCE, String.valueOf(sinceNs)));
  }

  /** The rows of each trace, also of those that have none. */
  private SortedMap<Integer, List<Map<String, Object>>> byTrace(String sql) {
    SortedMap<Integer, List<Map<String, Object>>> byTrace = new TreeMap<>();
    figures.keySet().forEach(trace -> byTrace.put(trace, new ArrayList<>()));
    for (Map<String, Object> row : rows(sql)) {
      byTrace.get(trace(row)).add(row);
    }
    return byTrace;
  }

  private void add(
      int trace, String entry, String column, String scope, String subject, Object value) {
    String metric = entry + "." + column;
    String unit = units.get(metric);
    if (unit == null) {
      throw new IllegalStateException("the catalogue has no column " + metric);
    }
    figures.get(trace).add(new Figure(metric, scope, subject, value(value), unit));
  }

  private static int trace(Map<String, Object> row) {
    return ((Number) row.get("trace_id")).intValue();
  }

  private static String unitOf(String column) {
    return column.endsWith("_ns") ? "ns" : "";
  }

  private static Double value(Object number) {
    return number == null ? null : ((Number) number).doubleValue();
  }

  private static double number(Map<String, Object> row, String column) {
    Object value = row.get(column);
    return value == null ? 0 : ((Number) value).doubleValue();
  }
}

package dev.counterbalance.analysis.query;

import dev.counterbalance.analysis.CatalogueEntry;
import dev.counterbalance.trace.store.TraceStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The figures of a run, read from the catalogue: what the table {@code run_metric} holds. Every
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

  private static final String WINDOW = "(trace := ?::INTEGER, since := ?::BIGINT)";

  private static final String TASKS =
      "SELECT coalesce(t.name, '?') || ':' || t.tid AS subject, t.name, coalesce(t.is_kernel, false) AS"
          + " kernel, e.run_ns, e.wait_ns, e.cpu_pct, e.switches, e.migrations FROM thread_time"
          + WINDOW
          + " e JOIN thread t ON t.trace_id = e.trace_id AND t.utid = e.utid ORDER BY e.utid";

  private static final String WAITS =
      "SELECT count(*) AS count, avg(dur) AS mean_ns, quantile_disc(dur, 0.99) AS p99_ns,"
          + " max(dur) AS max_ns FROM wait"
          + WINDOW
          + " WHERE NOT censored AND NOT suspect";

  /** The smallest level that holds both CPUs. */
  private static final String MIGRATIONS =
      "SELECT CASE WHEN a.core_id = b.core_id THEN 'SMT' WHEN a.llc_id = b.llc_id THEN 'LLC'"
          + " WHEN a.node_id = b.node_id THEN 'NODE' ELSE 'MACHINE' END AS level,"
          + " count(*) AS count FROM sched_migrate_task m"
          + " LEFT JOIN cpu a ON a.trace_id = m.trace_id AND a.cpu = m.orig_cpu"
          + " LEFT JOIN cpu b ON b.trace_id = m.trace_id AND b.cpu = m.dest_cpu"
          + " WHERE m.trace_id = ?::INTEGER AND m.ts >= ?::BIGINT GROUP BY level ORDER BY level";

  private static final List<String> SUMMED = List.of("run_ns", "wait_ns", "switches", "migrations");

  private final Query query;
  private final Map<String, String> units = new HashMap<>();
  private final int traceId;
  private final long sinceNs;
  private final List<Figure> figures = new ArrayList<>();
  private final Set<String> kernelThreads = new HashSet<>();

  private RunFigures(TraceStore store, Entries entries, int traceId, long sinceNs) {
    query = new Query(store);
    this.traceId = traceId;
    this.sinceNs = sinceNs;
    for (CatalogueEntry entry : entries.list()) {
      entry.columns().forEach(c -> units.put(entry.name() + "." + c.name(), c.unit()));
    }
  }

  /**
   * Reads the figures of a trace.
   *
   * <p>Kernel threads are part of the figures of the whole machine and have none of their own.
   *
   * @param entries the catalogue on the store's connection
   * @param sinceNs end of the warm-up, in the trace's clock
   */
  public static List<Figure> read(TraceStore store, Entries entries, int traceId, long sinceNs) {
    RunFigures figures = new RunFigures(store, entries, traceId, sinceNs);
    figures.cpus();
    figures.idle();
    figures.waits();
    figures.tasks();
    figures.progress();
    figures.migrations();
    return figures.figures;
  }

  private void cpus() {
    double observed = 0;
    double busy = 0;
    double idle = 0;
    for (Map<String, Object> row : rows("SELECT * FROM cpu_time" + WINDOW)) {
      if (row.get("observed_ns") == null) {
        continue;
      }
      String cpu = String.valueOf(row.get("cpu"));
      add("cpu_time", "busy_ns", CPU, cpu, row.get("busy_ns"));
      add("cpu_time", "idle_pct", CPU, cpu, row.get("idle_pct"));
      observed += number(row, "observed_ns");
      busy += number(row, "busy_ns");
      idle += number(row, "idle_ns");
    }
    add("cpu_time", "observed_ns", MACHINE, null, observed);
    add("cpu_time", "busy_ns", MACHINE, null, busy);
    add("cpu_time", "idle_ns", MACHINE, null, idle);
    add("cpu_time", "idle_pct", MACHINE, null, observed > 0 ? 100 * idle / observed : null);
  }

  private void idle() {
    for (Map<String, Object> row : rows("SELECT * FROM idle_while_waiting" + WINDOW)) {
      String definition = String.valueOf(row.get("definition"));
      add("idle_while_waiting", "ns", MACHINE, definition, row.get("ns"));
      add("idle_while_waiting", "pct", MACHINE, definition, row.get("pct"));
    }
  }

  private void waits() {
    Map<String, Object> all = rows(WAITS).get(0);
    for (String column : List.of("count", "mean_ns", "p99_ns", "max_ns")) {
      figures.add(
          new Figure("wait." + column, MACHINE, null, value(all.get(column)), unitOf(column)));
    }
    for (Map<String, Object> row : rows("SELECT * FROM latency_by_kind" + WINDOW)) {
      String kind = String.valueOf(row.get("kind"));
      for (String column : List.of("count", "mean_ns", "p99_ns", "max_ns")) {
        add("latency_by_kind", column, MACHINE, kind, row.get(column));
      }
    }
  }

  private void tasks() {
    double[] sums = new double[SUMMED.size()];
    for (Map<String, Object> row : rows(TASKS)) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += number(row, SUMMED.get(i));
      }
      if (Boolean.TRUE.equals(row.get("kernel"))) {
        kernelThreads.add(String.valueOf(row.get("name")));
        continue;
      }
      String subject = String.valueOf(row.get("subject"));
      add("thread_time", "cpu_pct", TASK, subject, row.get("cpu_pct"));
      for (String column : SUMMED) {
        add("thread_time", column, TASK, subject, row.get(column));
      }
    }
    for (int i = 0; i < sums.length; i++) {
      add("thread_time", SUMMED.get(i), MACHINE, null, sums[i]);
    }
  }

  private void progress() {
    for (Map<String, Object> row : rows("SELECT * FROM progress" + WINDOW)) {
      String name = String.valueOf(row.get("name"));
      if (kernelThreads.contains(name)) {
        continue;
      }
      for (String column : List.of("threads", "run_ns", "finish_ns", "cycles", "cycles_per_s")) {
        add("progress", column, GROUP, name, row.get(column));
      }
    }
  }

  private void migrations() {
    for (Map<String, Object> row : rows(MIGRATIONS)) {
      figures.add(
          new Figure(
              "sched_migrate_task.count",
              MACHINE,
              String.valueOf(row.get("level")),
              value(row.get("count")),
              ""));
    }
  }

  private List<Map<String, Object>> rows(String sql) {
    return query.rows(sql, traceId, sinceNs);
  }

  private void add(String entry, String column, String scope, String subject, Object value) {
    String metric = entry + "." + column;
    String unit = units.get(metric);
    if (unit == null) {
      throw new IllegalStateException("the catalogue has no column " + metric);
    }
    figures.add(new Figure(metric, scope, subject, value(value), unit));
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

package dev.counterbalance.cli.report;

import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.Units;
import dev.counterbalance.trace.store.TraceStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What runs came to, rule by rule: mean and spread over seeds, read from {@code run_metric}. */
public final class RunReport {
  /**
   * The runs of one rule.
   *
   * @param label the rule and what was set on it
   * @param hash tells it apart from other machines, workloads and settings
   * @param traceIds its runs, one a seed
   */
  public record RuleRuns(String label, String hash, List<Integer> traceIds) {
    public RuleRuns {
      traceIds = List.copyOf(traceIds);
    }
  }

  /**
   * Tasks that are shown as one.
   *
   * @param label how people know them
   * @param subjects as {@code run_metric} names them
   */
  public record TaskGroup(String label, List<String> subjects) {
    public TaskGroup {
      subjects = List.copyOf(subjects);
    }
  }

  private record Measure(String key, String title, String metric, String subject, Kind kind) {}

  private static final List<Measure> CPU =
      List.of(
          new Measure("idle_pct", "idle", "cpu_time.idle_pct", null, Kind.PERCENT),
          new Measure(
              "idle_while_waiting_allowed_pct",
              "work waits",
              "idle_while_waiting.pct",
              "allowed",
              Kind.PERCENT),
          new Measure(
              "idle_while_waiting_wall_pct", "", "idle_while_waiting.pct", "wall", Kind.PERCENT),
          new Measure(
              "idle_while_waiting_per_cpu_pct",
              "",
              "idle_while_waiting.pct",
              "per_cpu",
              Kind.PERCENT),
          new Measure(
              "idle_while_waiting_per_thread_pct",
              "",
              "idle_while_waiting.pct",
              "per_thread",
              Kind.PERCENT),
          new Measure("migrations", "migrations", "thread_time.migrations", null, Kind.COUNT),
          new Measure("switches", "switches", "thread_time.switches", null, Kind.COUNT));

  private static final Measure MAKESPAN =
      new Measure("makespan_ns", "all done", "simulation.makespan_ns", null, Kind.DURATION);

  private static final List<Measure> WAITS =
      List.of(
          new Measure("wait_total_ns", "total", "thread_time.wait_ns", null, Kind.DURATION),
          new Measure("wait_count", "waits", "wait.count", null, Kind.COUNT),
          new Measure("wait_mean_ns", "mean", "wait.mean_ns", null, Kind.DURATION),
          new Measure("wait_p99_ns", "99 %", "wait.p99_ns", null, Kind.DURATION),
          new Measure("wait_max_ns", "longest", "wait.max_ns", null, Kind.DURATION));

  private static final String OBSERVED = "cpu_time.observed_ns";

  private final Map<Integer, Map<String, Double>> figures = new HashMap<>();
  private final List<RuleRuns> rules;
  private final boolean unicode;
  private int unmeasured;

  private RunReport(TraceStore store, List<RuleRuns> rules, boolean unicode) {
    this.rules = rules;
    this.unicode = unicode;
    String ids =
        rules.stream()
            .flatMap(r -> r.traceIds().stream())
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    String sql =
        "SELECT trace_id, metric, subject, value FROM run_metric WHERE trace_id IN ("
            + ids
            + ") AND (scope = 'machine' OR metric = 'thread_time.cpu_pct')";
    for (Map<String, Object> row : new Query(store).rows(sql)) {
      Object value = row.get("value");
      figures
          .computeIfAbsent(((Number) row.get("trace_id")).intValue(), id -> new HashMap<>())
          .put(
              key((String) row.get("metric"), (String) row.get("subject")),
              value == null ? null : Double.valueOf(((Number) value).doubleValue()));
    }
    for (Map<String, Double> run : figures.values()) {
      Double observed = run.get(OBSERVED);
      if (observed == null || observed == 0) {
        // It was over within the warm-up: what it has are sums over nothing.
        run.keySet().retainAll(List.of(key(MAKESPAN.metric, MAKESPAN.subject)));
        unmeasured++;
      }
    }
  }

  /** The sections for people: rules, waits, tasks. */
  public static List<Section> forPeople(
      TraceStore store, List<RuleRuns> rules, List<TaskGroup> groups, boolean unicode) {
    RunReport report = new RunReport(store, rules, unicode);
    return List.of(report.rules(), report.waits(), report.tasks(groups));
  }

  /** The sections for machines: one row a rule with every figure, then tasks. */
  public static List<Section> forMachines(
      TraceStore store, List<RuleRuns> rules, List<TaskGroup> groups) {
    RunReport report = new RunReport(store, rules, true);
    return List.of(report.flat(), report.tasks(groups));
  }

  private Section rules() {
    boolean finite = rules.stream().anyMatch(r -> spread(r, MAKESPAN).n() > 0);
    List<Measure> shown = new ArrayList<>(CPU.stream().filter(m -> !m.title.isEmpty()).toList());
    if (finite) {
      shown.add(MAKESPAN);
    }
    boolean several = rules.stream().anyMatch(r -> r.traceIds().size() > 1);
    Section section = table("rule", "CPU time by rule", shown);
    if (unmeasured > 0) {
      section.note(
          Units.counted(unmeasured, "run", "runs")
              + " ended within the warm-up and left nothing to measure. Use --horizon work, or a"
              + " shorter --warmup.");
    }
    return section.note(
        "idle: of all CPU time. work waits: CPU time idle while a task that may run there waits"
            + " elsewhere, after the first 1 ms of its wait."
            + (several ? " ±: standard deviation over the runs." : "")
            + " spec: which runs these are, seeds apart.");
  }

  private Section waits() {
    return table("wait", "Waits for a CPU by rule", WAITS)
        .note(
            "total: of all tasks, also waits that the start or end cuts. Mean, 99 % and longest are"
                + " of complete waits.");
  }

  private Section table(String key, String title, List<Measure> measures) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("rule", "rule", Kind.TEXT));
    boolean withSpec = key.equals("rule");
    if (withSpec) {
      columns.add(new Column("spec", "spec", Kind.TEXT));
      columns.add(new Column("runs", "runs", Kind.NUMBER));
    }
    measures.forEach(m -> columns.add(new Column(m.key, m.title, Kind.NUMBER)));
    Section section = Section.table(key, title, columns);
    for (RuleRuns rule : rules) {
      List<Object> cells = new ArrayList<>();
      cells.add(rule.label());
      if (withSpec) {
        cells.add(rule.hash());
        cells.add(rule.traceIds().size());
      }
      measures.forEach(m -> cells.add(spread(rule, m).text(m.kind, unicode)));
      section.row(cells.toArray());
    }
    return section;
  }

  private Section flat() {
    List<Measure> measures = new ArrayList<>(CPU);
    measures.addAll(WAITS);
    measures.add(MAKESPAN);
    List<Column> columns = new ArrayList<>();
    columns.add(Column.of("rule", Kind.TEXT));
    columns.add(Column.of("spec", Kind.TEXT));
    columns.add(Column.of("runs", Kind.NUMBER));
    for (Measure measure : measures) {
      columns.add(Column.of(measure.key + "_mean", Kind.NUMBER));
      columns.add(Column.of(measure.key + "_std", Kind.NUMBER));
    }
    Section section = Section.table("rule", "CPU time by rule", columns);
    for (RuleRuns rule : rules) {
      List<Object> cells = new ArrayList<>();
      cells.add(rule.label());
      cells.add(rule.hash());
      cells.add(rule.traceIds().size());
      for (Measure measure : measures) {
        Spread spread = spread(rule, measure);
        cells.add(spread.mean());
        cells.add(spread.std());
      }
      section.row(cells.toArray());
    }
    return section;
  }

  private Section tasks(List<TaskGroup> groups) {
    Section section =
        Section.table(
            "task",
            "CPU time by task",
            List.of(
                new Column("rule", "rule", Kind.TEXT),
                new Column("task", "task", Kind.TEXT),
                new Column("tasks", "", Kind.NUMBER),
                new Column("cpu_pct_mean", "of a CPU", Kind.PERCENT),
                new Column("cpu_pct_min", "", Kind.NUMBER),
                new Column("cpu_pct_max", "", Kind.NUMBER),
                new Column("", "least to most", Kind.NUMBER)));
    for (RuleRuns rule : rules) {
      for (TaskGroup group : groups) {
        Spread spread = Spread.of(shares(rule, group));
        int n = group.subjects().size();
        section.row(
            rule.label(),
            group.label() + (n > 1 ? (unicode ? " ×" : " x") + n : ""),
            n,
            spread.mean(),
            spread.min(),
            spread.max(),
            spread.range(unicode));
      }
    }
    return section.note(
        "Mean over the tasks of that name and the runs; 100 % is one CPU all the time.");
  }

  /** The share of each task in each run; a task without a figure did not run. */
  private List<Double> shares(RuleRuns rule, TaskGroup group) {
    List<Double> shares = new ArrayList<>();
    for (int traceId : rule.traceIds()) {
      Map<String, Double> run = figures.getOrDefault(traceId, Map.of());
      if (!run.containsKey(OBSERVED)) {
        continue;
      }
      for (String subject : group.subjects()) {
        Double share = run.get(key("thread_time.cpu_pct", subject));
        shares.add(share == null ? Double.valueOf(0) : share);
      }
    }
    return shares;
  }

  private Spread spread(RuleRuns rule, Measure measure) {
    List<Double> values = new ArrayList<>();
    for (int traceId : rule.traceIds()) {
      values.add(figures.getOrDefault(traceId, Map.of()).get(key(measure.metric, measure.subject)));
    }
    return Spread.of(values);
  }

  private static String key(String metric, String subject) {
    return subject == null ? metric : metric + '/' + subject;
  }
}

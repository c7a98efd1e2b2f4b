package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How long tasks waited for a CPU: overall by kind of wait, and the tasks that waited longest. */
final class LatencySections {
  /** How many tasks are shown. */
  static final int WORST = 10;

  private static final List<String> SHOWN =
      List.of("count", "mean_ns", "p50_ns", "p95_ns", "p99_ns", "p999_ns", "max_ns");

  private LatencySections() {}

  static Section overall(List<Map<String, Object>> rows) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("kind", "after", Kind.TEXT));
    columns.addAll(percentiles(true));
    columns.add(new Column("censored", "censored", Kind.COUNT));
    columns.add(new Column("suspect", "suspect", Kind.COUNT));
    Section section = Section.table("latency", "Scheduling latency, all tasks", columns);
    for (Map<String, Object> row : rows) {
      List<Object> cells = new ArrayList<>();
      cells.add(row.get("kind"));
      SHOWN.forEach(column -> cells.add(row.get(column)));
      cells.add(row.get("censored"));
      cells.add(row.get("suspect"));
      section.row(cells.toArray());
    }
    return section.note(
        "Until the task runs: after a wakeup, a preemption (or yield), or its fork (new). Censored"
            + " and suspect waits are left out: their ends were not recorded, or they touch a loss.");
  }

  static Section worst(List<Map<String, Object>> rows) {
    List<Column> columns = new ArrayList<>(Tasks.COLUMNS);
    columns.add(new Column("kind", "after", Kind.TEXT));
    columns.addAll(percentiles(false));
    Section section =
        Section.table(
            "latency_by_task", "Scheduling latency, tasks with the longest wait", columns);
    for (Map<String, Object> row : rows) {
      List<Object> cells = new ArrayList<>(Arrays.asList(Tasks.cells(row, "utid")));
      cells.add(row.get("kind"));
      SHOWN.forEach(column -> cells.add(row.get(column)));
      section.row(cells.toArray());
    }
    return section;
  }

  private static List<Column> percentiles(boolean all) {
    return List.of(
        new Column("count", "waits", Kind.COUNT),
        new Column("mean_ns", "mean", Kind.DURATION),
        new Column("p50_ns", "p50", Kind.DURATION),
        new Column("p95_ns", "p95", Kind.DURATION),
        new Column("p99_ns", "p99", Kind.DURATION),
        new Column("p999_ns", all ? "p99.9" : "", Kind.DURATION),
        new Column("max_ns", "max", Kind.DURATION));
  }
}

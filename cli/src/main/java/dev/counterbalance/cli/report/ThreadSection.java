package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The tasks that used the most CPU time. */
final class ThreadSection {
  /** How many tasks are shown. */
  static final int TOP = 10;

  private ThreadSection() {}

  static Section of(List<Map<String, Object>> rows) {
    List<Column> columns = new ArrayList<>(Tasks.COLUMNS);
    columns.add(new Column("run_ns", "ran", Kind.DURATION));
    columns.add(new Column("cpu_pct", "of a CPU", Kind.PERCENT));
    columns.add(new Column("wait_ns", "waited", Kind.DURATION));
    columns.add(new Column("sleep_ns", "slept", Kind.DURATION));
    columns.add(new Column("blocked_ns", "blocked", Kind.DURATION));
    columns.add(new Column("switches", "switches", Kind.COUNT));
    columns.add(new Column("switched_runnable", "runnable", Kind.COUNT));
    columns.add(new Column("migrations", "migr.", Kind.COUNT));
    Section section = Section.table("thread_time", "Tasks by CPU time", columns);
    for (Map<String, Object> row : rows) {
      List<Object> cells = new ArrayList<>(Arrays.asList(Tasks.cells(row, "utid")));
      cells.addAll(
          Arrays.asList(
              row.get("run_ns"),
              row.get("cpu_pct"),
              row.get("wait_ns"),
              row.get("sleep_ns"),
              row.get("blocked_ns"),
              row.get("switches"),
              row.get("switched_runnable"),
              row.get("migrations")));
      section.row(cells.toArray());
    }
    return section.note(
        "waited: runnable on a runqueue. blocked: uninterruptible (D). runnable: switches that left"
            + " the task runnable, preempted or after sched_yield.");
  }
}

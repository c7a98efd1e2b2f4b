package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** CPU time left on the table: idle CPUs beside waiting tasks, and the worst cases. */
final class IdleSections {
  /** How many episodes are shown. */
  static final int WORST = 10;

  /** How many tasks there are, and of how many the affinity is not known. */
  static final String AFFINITY =
      "SELECT count(*) AS tasks, count(*) FILTER (WHERE affinity IS NULL) AS unknown FROM thread"
          + " WHERE trace_id = ? AND NOT is_idle";

  private static final List<Column> COLUMNS =
      List.of(
          new Column("definition", "definition", Kind.TEXT),
          new Column("ns", "time", Kind.DURATION),
          new Column("pct", "share", Kind.PERCENT),
          new Column("", "what it counts", Kind.TEXT));

  private IdleSections() {}

  static Section whileWaiting(List<Map<String, Object>> rows, Map<String, Object> affinity) {
    Section section = Section.table("idle_while_waiting", "Idle CPUs while tasks waited", COLUMNS);
    for (Map<String, Object> row : rows) {
      String definition = Figures.text(row, "definition");
      section.row(definition, row.get("ns"), row.get("pct"), meaning(definition));
    }
    return section.note(
        "Shares are of the time (wall) or the CPU time (others) for which all CPUs are known. A CPU"
            + " that is idle and has a waiter of its own, about to run, counts as neither."
            + pinned(affinity));
  }

  private static String pinned(Map<String, Object> affinity) {
    long unknown = Figures.number(affinity, "unknown");
    return unknown == 0
        ? ""
        : String.format(
            " The affinity of %,d of %,d tasks was not recorded: they count as free to run on any"
                + " CPU, also if they were pinned.",
            unknown, Figures.number(affinity, "tasks"));
  }

  private static String meaning(String definition) {
    return switch (definition) {
      case "wall" -> "wall time: a CPU idle while another has a waiter";
      case "per_cpu" -> "CPU time: min(idle CPUs, CPUs with waiters)";
      case "per_thread" -> "CPU time: min(idle CPUs, waiting tasks)";
      case "allowed" -> "per_thread, if affinity allows it, after the first 1 ms of a wait";
      default -> "";
    };
  }

  static Section episodes(
      List<Map<String, Object>> rows, long startNs, Map<String, Object> affinity) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("", "at", Kind.OFFSET));
    columns.add(new Column("ts", "", Kind.NUMBER));
    columns.add(new Column("dur_ns", "waited", Kind.DURATION));
    columns.addAll(Tasks.COLUMNS);
    columns.add(new Column("waiting_cpu", "on CPU", Kind.NUMBER));
    columns.add(new Column("idle_cpu", "idle CPU", Kind.NUMBER));
    columns.add(new Column("level", "share", Kind.TEXT));
    columns.add(new Column("ended_by", "ended by", Kind.TEXT));
    Section section = Section.table("idle_episode", "Longest waits beside an idle CPU", columns);
    for (Map<String, Object> row : rows) {
      List<Object> cells = new ArrayList<>();
      cells.add(Figures.number(row, "ts") - startNs);
      cells.add(row.get("ts"));
      cells.add(row.get("dur"));
      cells.addAll(Arrays.asList(Tasks.cells(row, "waiting_utid")));
      cells.add(row.get("waiting_cpu"));
      cells.add(row.get("idle_cpu"));
      cells.add(row.get("level"));
      cells.add(row.get("ended_by"));
      section.row(cells.toArray());
    }
    return section.note(
        rows.isEmpty()
            ? "None."
            : "share: the nearest level that holds both CPUs."
                + (Figures.number(affinity, "unknown") == 0
                    ? " The idle CPU is one the task may use."
                    : ""));
  }
}

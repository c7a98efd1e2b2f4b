package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Bars;
import dev.counterbalance.cli.render.Bars.Part;
import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import java.util.List;
import java.util.Map;

/** What each CPU did with its time. */
final class CpuSection {
  private static final int BAR_WIDTH = 32;

  private static final List<Column> COLUMNS =
      List.of(
          new Column("", "CPU", Kind.NUMBER),
          new Column("cpu", "", Kind.NUMBER),
          new Column("", "of its time", Kind.TEXT),
          new Column("observed_ns", "observed", Kind.DURATION),
          new Column("busy_ns", "", Kind.DURATION),
          new Column("idle_ns", "", Kind.DURATION),
          new Column("irq_ns", "", Kind.DURATION),
          new Column("", "busy", Kind.PERCENT),
          new Column("idle_pct", "idle", Kind.PERCENT),
          new Column("", "irq", Kind.PERCENT),
          new Column("lost_ns", "lost", Kind.DURATION),
          new Column("coverage", "", Kind.TEXT));

  private CpuSection() {}

  static Section of(List<Map<String, Object>> rows, boolean unicode) {
    Section section = Section.table("cpu_time", "CPU time", COLUMNS);
    for (Map<String, Object> row : rows) {
      row(section, row, unicode);
    }
    Map<String, Object> all = CpuTotals.of(rows);
    if (rows.size() > 1) {
      section.row(cells("all", null, bar(all, unicode), all));
    }
    String legend = unicode ? "█ busy  ░ idle  ? lost." : "# busy  . idle  ? lost.";
    section.note(
        all.get("irq_ns") == null
            ? legend + " Interrupts were not recorded; their time is part of both."
            : legend + " irq: time in interrupt and softirq handlers, part of both.");
    return section;
  }

  private static void row(Section section, Map<String, Object> row, boolean unicode) {
    Object cpu = row.get("cpu");
    boolean known = row.get("observed_ns") != null;
    String coverage = Figures.text(row, "coverage");
    String shown = known ? bar(row, unicode) : coverage + ": not known";
    section.row(cells(String.valueOf(cpu), cpu, shown, row));
  }

  private static Object[] cells(String label, Object cpu, String bar, Map<String, Object> row) {
    return new Object[] {
      label,
      cpu,
      bar,
      row.get("observed_ns"),
      row.get("busy_ns"),
      row.get("idle_ns"),
      row.get("irq_ns"),
      CpuTotals.percent(row, "busy_ns"),
      row.get("idle_pct"),
      CpuTotals.percent(row, "irq_ns"),
      row.get("lost_ns"),
      row.get("coverage")
    };
  }

  private static String bar(Map<String, Object> row, boolean unicode) {
    return Bars.of(
        List.of(
            new Part(Figures.number(row, "busy_ns"), '█', '#'),
            new Part(Figures.number(row, "idle_ns"), '░', '.'),
            new Part(Figures.number(row, "lost_ns"), '?', '?')),
        BAR_WIDTH,
        unicode);
  }
}

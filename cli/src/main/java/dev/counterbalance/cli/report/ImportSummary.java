package dev.counterbalance.cli.report;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.Units;
import dev.counterbalance.trace.store.TraceStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an import ends with: six lines on what the trace is and what it shows at first sight. */
public final class ImportSummary {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("", "trace", Kind.TEXT),
          new Column("", "machine", Kind.TEXT),
          new Column("", "span", Kind.TEXT),
          new Column("", "CPU time", Kind.TEXT),
          new Column("", "left idle", Kind.TEXT),
          new Column("", "kept only", Kind.TEXT),
          new Column("", "quality", Kind.TEXT),
          new Column("name", "", Kind.TEXT),
          new Column("trace_id", "", Kind.NUMBER),
          new Column("format", "", Kind.TEXT),
          new Column("os_release", "", Kind.TEXT),
          new Column("span_ns", "", Kind.NUMBER),
          new Column("filters", "", Kind.TEXT),
          new Column("event_count", "", Kind.NUMBER),
          new Column("lost_events", "", Kind.NUMBER),
          new Column("busy_ns", "", Kind.NUMBER),
          new Column("idle_ns", "", Kind.NUMBER),
          new Column("idle_while_waiting_wall_ns", "", Kind.NUMBER),
          new Column("idle_while_waiting_wall_pct", "", Kind.NUMBER),
          new Column("problems", "", Kind.NUMBER));

  private ImportSummary() {}

  /** Reads the summary of a trace; its catalogue must be there. */
  public static Section of(TraceStore store, Entries entries, int traceId) {
    Figures figures = new Figures(new Query(store), traceId, null, null);
    Map<String, Object> trace = MachineSection.read(figures);
    Optional<String> noTime = entries.missing("cpu_time", traceId).map(m -> m.message());
    Map<String, Object> cpu =
        noTime.isPresent() ? Map.of() : CpuTotals.of(figures.rows("cpu_time"));
    List<Map<String, Object>> problems = QualitySection.problems(figures);
    Optional<String> missing = entries.missing("idle_while_waiting", traceId).map(m -> m.message());
    Map<String, Object> wall =
        missing.isPresent()
            ? Map.of()
            : figures.rows("idle_while_waiting", "WHERE e.definition = 'wall'").get(0);
    return Section.facts("import", "Imported", COLUMNS)
        .row(
            MachineSection.trace(trace),
            MachineSection.kernel(trace) + "; " + MachineSection.cpus(trace),
            MachineSection.span(trace),
            noTime.orElseGet(() -> cpuTime(cpu)),
            missing.orElseGet(() -> leftIdle(wall)),
            trace.get("filters"),
            QualitySection.brief(trace, problems),
            trace.get("name"),
            traceId,
            trace.get("format"),
            trace.get("os_release"),
            Figures.number(trace, "end_ns") - Figures.number(trace, "start_ns"),
            trace.get("filters"),
            trace.get("event_count"),
            trace.get("lost_events"),
            cpu.get("busy_ns"),
            cpu.get("idle_ns"),
            wall.get("ns"),
            wall.get("pct"),
            problems.size());
  }

  private static String cpuTime(Map<String, Object> cpu) {
    Double busy = CpuTotals.percent(cpu, "busy_ns");
    Double idle = CpuTotals.percent(cpu, "idle_ns");
    return busy == null
        ? "not known"
        : String.format(
            "%s busy, %s idle%s", Units.percent(busy), Units.percent(idle), notKnown(cpu));
  }

  /** Says so if a percent or more of the CPUs' time is not known. */
  private static String notKnown(Map<String, Object> cpu) {
    double lost = Figures.number(cpu, "lost_ns");
    double all = lost + Figures.number(cpu, "observed_ns");
    return lost * 100 < all
        ? ""
        : String.format(" of what is known; %s is not known", Units.percent(100 * lost / all));
  }

  private static String leftIdle(Map<String, Object> wall) {
    return String.format(
        "a CPU idle while a task waited on another for %s, %s of the time%s",
        Units.duration((double) Figures.number(wall, "ns"), false),
        Units.percent(wall.get("pct") == null ? 0 : ((Number) wall.get("pct")).doubleValue()),
        partly(wall));
  }

  /** The time in which every CPU is known, if that is less than 99 % of the trace's. */
  private static String partly(Map<String, Object> wall) {
    double known = Figures.number(wall, "of_ns");
    double unknown = Figures.number(wall, "unknown_ns");
    return unknown * 100 < known + unknown
        ? ""
        : String.format(" (%s) in which all CPUs are known", Units.duration(known, false));
  }
}

package dev.counterbalance.cli.report;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.cli.render.Units;
import dev.counterbalance.trace.store.TraceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The report on one trace. Every figure is a catalogue entry's. */
public final class Report {
  private final Query query;
  private final Entries entries;
  private final int traceId;
  private final Map<String, Object> trace;

  /**
   * A part of the trace, in its own clock.
   *
   * @param sinceNs null for the start
   * @param untilNs null for the end
   */
  public record Window(Long sinceNs, Long untilNs) {
    /** The whole trace. */
    public static final Window ALL = new Window(null, null);
  }

  private Report(Query query, Entries entries, int traceId) {
    this.query = query;
    this.entries = entries;
    this.traceId = traceId;
    trace = MachineSection.read(figures(Window.ALL));
  }

  /** Makes a report on a trace of an open store. */
  public static Report open(TraceStore store, int traceId) {
    return new Report(new Query(store), Entries.shadow(store), traceId);
  }

  /** The trace's length. */
  public long spanNs() {
    return Figures.number(trace, "end_ns") - startNs();
  }

  /** The trace's length as text. */
  public String spanText() {
    return Units.duration((double) spanNs(), false);
  }

  /** The window between two offsets from the trace's start; null for its start or end. */
  public Window window(Long sinceOffsetNs, Long untilOffsetNs) {
    return new Window(
        sinceOffsetNs == null ? null : Long.valueOf(startNs() + sinceOffsetNs),
        untilOffsetNs == null ? null : Long.valueOf(startNs() + untilOffsetNs));
  }

  /** All sections. */
  public List<Section> sections(Window window, boolean unicode) {
    Figures figures = figures(window);
    List<Map<String, Object>> cpus =
        entries.missing("cpu_time", traceId).isPresent() ? List.of() : figures.rows("cpu_time");
    List<Map<String, Object>> waits =
        entries.missing("latency_by_kind", traceId).isPresent()
            ? List.of()
            : figures.rows("latency_by_kind");
    Map<String, Object> affinity = figures.stored(IdleSections.AFFINITY).get(0);
    List<Section> sections = new ArrayList<>();
    sections.add(MachineSection.of(trace, window.sinceNs(), window.untilNs()));
    sections.add(entry("cpu_time", "CPU time", () -> CpuSection.of(cpus, unicode)));
    sections.add(
        entry(
            "idle_while_waiting",
            "Idle CPUs while tasks waited",
            () -> IdleSections.whileWaiting(figures.rows("idle_while_waiting"), affinity)));
    sections.add(
        entry(
            "idle_episode",
            "Longest waits beside an idle CPU",
            () -> IdleSections.episodes(episodes(figures), startNs(), affinity)));
    sections.add(
        entry("latency_by_kind", "Scheduling latency", () -> LatencySections.overall(waits)));
    sections.add(
        entry(
            "latency",
            "Scheduling latency by task",
            () -> LatencySections.worst(latency(figures))));
    sections.add(
        entry("thread_time", "Tasks by CPU time", () -> ThreadSection.of(threads(figures))));
    sections.add(QualitySection.of(trace, QualitySection.problems(figures), cpus, waits));
    return sections;
  }

  private Section entry(String name, String title, Supplier<Section> section) {
    return entries
        .missing(name, traceId)
        .map(m -> Section.table(name, title, List.of()).note(m.message() + "."))
        .orElseGet(section);
  }

  private static List<Map<String, Object>> episodes(Figures figures) {
    return figures.select(
        "e.*, t.name, t.tid",
        "idle_episode",
        Tasks.join("waiting_utid") + "ORDER BY e.dur DESC, e.ts LIMIT " + IdleSections.WORST);
  }

  private static List<Map<String, Object>> latency(Figures figures) {
    return figures.select(
        "e.*, t.tid",
        "latency",
        Tasks.join("utid")
            + "WHERE e.max_ns IS NOT NULL ORDER BY e.max_ns DESC, e.utid, e.kind LIMIT "
            + LatencySections.WORST);
  }

  private static List<Map<String, Object>> threads(Figures figures) {
    return figures.select(
        "e.*, t.tid",
        "thread_time",
        Tasks.join("utid")
            + "WHERE e.run_ns > 0 ORDER BY e.run_ns DESC, e.utid LIMIT "
            + ThreadSection.TOP);
  }

  private Figures figures(Window window) {
    return new Figures(query, traceId, window.sinceNs(), window.untilNs());
  }

  private long startNs() {
    return Figures.number(trace, "start_ns");
  }
}

package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was recorded, on what machine, for how long. */
final class MachineSection {
  private static final int LONGEST_LINE = 86;

  private static final String SQL =
      "SELECT name, kind, source, format, clock, hostname, os_release, arch, cpus_available,"
          + " cpus_online, cpu_count, package_count, node_count, llc_count, core_count,"
          + " start_ns, end_ns, event_count, lost_events, filters, cmdline, rule, seed,"
          + " EXISTS (SELECT 1 FROM trace_fact WHERE trace_id = $1 AND key = 'event'"
          + " AND value = 'none') AS events_dropped"
          + " FROM trace, (SELECT count(*) AS cpu_count,"
          + " count(DISTINCT package_id) AS package_count, count(DISTINCT node_id) AS node_count,"
          + " count(DISTINCT llc_id) AS llc_count, count(DISTINCT core_id) AS core_count"
          + " FROM cpu WHERE trace_id = $1) WHERE trace_id = $1";

  private static final List<Column> COLUMNS =
      List.of(
          new Column("", "trace", Kind.TEXT),
          new Column("", "kernel", Kind.TEXT),
          new Column("", "machine", Kind.TEXT),
          new Column("", "span", Kind.TEXT),
          new Column("", "window", Kind.TEXT),
          new Column("", "kept only", Kind.TEXT),
          new Column("", "recorder", Kind.TEXT),
          new Column("", "rule", Kind.TEXT),
          new Column("name", "", Kind.TEXT),
          new Column("kind", "", Kind.TEXT),
          new Column("source", "", Kind.TEXT),
          new Column("format", "", Kind.TEXT),
          new Column("clock", "", Kind.TEXT),
          new Column("hostname", "", Kind.TEXT),
          new Column("os_release", "", Kind.TEXT),
          new Column("arch", "", Kind.TEXT),
          new Column("cpus_available", "", Kind.NUMBER),
          new Column("cpus_online", "", Kind.NUMBER),
          new Column("packages", "", Kind.NUMBER),
          new Column("nodes", "", Kind.NUMBER),
          new Column("llcs", "", Kind.NUMBER),
          new Column("cores", "", Kind.NUMBER),
          new Column("start_ns", "", Kind.NUMBER),
          new Column("end_ns", "", Kind.NUMBER),
          new Column("since_ns", "", Kind.NUMBER),
          new Column("until_ns", "", Kind.NUMBER),
          new Column("event_count", "", Kind.NUMBER),
          new Column("lost_events", "", Kind.NUMBER),
          new Column("cmdline", "", Kind.TEXT),
          new Column("filters", "", Kind.TEXT),
          new Column("rule", "", Kind.TEXT),
          new Column("seed", "", Kind.NUMBER));

  private MachineSection() {}

  static Map<String, Object> read(Figures figures) {
    return figures.stored(SQL).get(0);
  }

  static Section of(Map<String, Object> row, Long sinceNs, Long untilNs) {
    String rule = Figures.text(row, "rule");
    return Section.facts("trace", "Trace", COLUMNS)
        .row(
            cut(trace(row)),
            rule == null ? cut(kernel(row)) : null,
            cpus(row),
            span(row),
            window(row, sinceNs, untilNs),
            cut(Figures.text(row, "filters")),
            cut(Figures.text(row, "cmdline")),
            rule == null ? null : rule(row),
            row.get("name"),
            row.get("kind"),
            row.get("source"),
            row.get("format"),
            row.get("clock"),
            row.get("hostname"),
            row.get("os_release"),
            row.get("arch"),
            row.get("cpus_available"),
            row.get("cpus_online"),
            row.get("package_count"),
            row.get("node_count"),
            row.get("llc_count"),
            row.get("core_count"),
            row.get("start_ns"),
            row.get("end_ns"),
            sinceNs,
            untilNs,
            row.get("event_count"),
            row.get("lost_events"),
            row.get("cmdline"),
            row.get("filters"),
            rule,
            row.get("seed"));
  }

  private static String rule(Map<String, Object> row) {
    return row.get("rule")
        + ", seed "
        + row.get("seed")
        + (Boolean.TRUE.equals(row.get("events_dropped"))
            ? "; only its figures were kept (run_metric), not its events"
            : "");
  }

  static String trace(Map<String, Object> row) {
    return String.format(
        "%s, %s, from %s (%s)",
        row.get("name"), row.get("kind"), row.get("source"), row.get("format"));
  }

  static String kernel(Map<String, Object> row) {
    String release = Figures.text(row, "os_release");
    String arch = Figures.text(row, "arch");
    String host = Figures.text(row, "hostname");
    StringBuilder text = new StringBuilder(release == null ? "not recorded" : "Linux " + release);
    if (arch != null) {
      text.append(", ").append(arch);
    }
    if (host != null) {
      text.append(", host ").append(host);
    }
    return text.toString();
  }

  static String cpus(Map<String, Object> row) {
    long known = Figures.number(row, "cpu_count");
    Object online = row.get("cpus_online");
    StringBuilder text =
        new StringBuilder(
            online == null
                ? Units.counted(known, "CPU", "CPUs") + " seen"
                : Units.counted(((Number) online).longValue(), "CPU", "CPUs") + " online");
    List<String> parts = new ArrayList<>();
    long packages = Figures.number(row, "package_count");
    add(parts, packages, "socket", "sockets");
    long nodes = Figures.number(row, "node_count");
    add(parts, nodes > 1 ? nodes : 0, "NUMA node", "NUMA nodes");
    add(parts, Figures.number(row, "llc_count"), "LLC", "LLCs");
    long cores = Figures.number(row, "core_count");
    add(parts, cores, "core", "cores");
    if (parts.isEmpty()) {
      return text.append(", topology not recorded").toString();
    }
    text.append(": ").append(String.join(", ", parts));
    if (cores > 0 && known > cores) {
      text.append(String.format(Locale.ROOT, ", SMT%d", Math.round((double) known / cores)));
    }
    return text.toString();
  }

  static String span(Map<String, Object> row) {
    long span = Figures.number(row, "end_ns") - Figures.number(row, "start_ns");
    long lost = Figures.number(row, "lost_events");
    return String.format(
        "%s, %s, %s lost",
        Units.duration((double) span, false),
        Units.counted(Figures.number(row, "event_count"), "event", "events"),
        lost == 0 ? "none" : Units.count(lost));
  }

  private static String window(Map<String, Object> row, Long sinceNs, Long untilNs) {
    if (sinceNs == null && untilNs == null) {
      return null;
    }
    long start = Figures.number(row, "start_ns");
    long from = sinceNs == null ? start : sinceNs;
    long to = untilNs == null ? Figures.number(row, "end_ns") : untilNs;
    return String.format(
        "%s to %s after its start; every figure below is for this window",
        Units.offset(from - start), Units.offset(to - start));
  }

  private static void add(List<String> parts, long count, String singular, String plural) {
    if (count > 0) {
      parts.add(Units.counted(count, singular, plural));
    }
  }

  private static String cut(String text) {
    return text == null || text.length() <= LONGEST_LINE
        ? text
        : text.substring(0, LONGEST_LINE - 3) + "...";
  }
}

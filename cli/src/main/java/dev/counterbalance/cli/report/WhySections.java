package dev.counterbalance.cli.report;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.Units;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.whatif.rule.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Why a CPU of a simulated run did what it did at one moment, from its log of decisions. */
public final class WhySections {
  private static final int WAITERS = 10;

  /** What ran there at that moment. */
  private static final String RAN =
      "SELECT s.ts, s.ts + s.dur AS te, t.is_idle, t.name, t.tid FROM sched_slice s"
          + " JOIN thread t ON t.trace_id = s.trace_id AND t.utid = s.utid"
          + " WHERE s.trace_id = $1 AND s.cpu = $2 AND s.ts <= $3 AND s.ts + s.dur > $3"
          + " ORDER BY s.ts DESC LIMIT 1";

  private static final String WAITED =
      "SELECT t.name, t.tid, w.cpu, w.ts, w.ts + w.dur AS te, t.policy, t.nice,"
          + " t.affinity IS NULL OR get_bit(t.affinity, (bit_length(t.affinity) - 1 - $2)::INTEGER)"
          + " = 1 AS allowed FROM waiting w"
          + " JOIN thread t ON t.trace_id = w.trace_id AND t.utid = w.utid"
          + " WHERE w.trace_id = $1 AND w.cpu <> $2 AND w.state_code IN (0, 1) AND w.ts <= $3"
          + " AND w.ts + w.dur > $3 ORDER BY w.ts, t.tid";

  /** A group is what the lower level of its first CPU spans. */
  private static final String NAMED =
      "SELECT d.*, s.name AS level_name, cpulist(s.span) AS span,"
          + " coalesce(cpulist(g.span), d.looked_group::VARCHAR) AS looked,"
          + " coalesce(cpulist(o.span), d.cpu::VARCHAR) AS own, s.imbalance_pct FROM last d"
          + " LEFT JOIN sched_domain s"
          + " ON s.trace_id = d.trace_id AND s.cpu = d.cpu AND s.level = d.level"
          + " LEFT JOIN sched_domain g"
          + " ON g.trace_id = d.trace_id AND g.cpu = d.looked_group AND g.level = d.level - 1"
          + " LEFT JOIN sched_domain o"
          + " ON o.trace_id = d.trace_id AND o.cpu = d.cpu AND o.level = d.level - 1"
          + " ORDER BY d.level, d.ts DESC, d.idle_type";

  /** The CPU's last attempt of each kind at each level; of an idle CPU only those of idle ones. */
  private static final String ATTEMPTS =
      "WITH last AS (SELECT *, row_number() OVER (PARTITION BY level, idle_type ORDER BY ts DESC)"
          + " AS place FROM balance_decision WHERE trace_id = $1 AND cpu = $2 AND ts <= $3"
          + " AND ($4 OR idle_type <> 'busy') QUALIFY place = 1) "
          + NAMED;

  /** Where another CPU balances for this one's group: that group's last attempt at each level. */
  private static final String OF_GROUP =
      "WITH last AS (SELECT d.*, row_number() OVER (PARTITION BY d.level ORDER BY d.ts DESC)"
          + " AS place FROM balance_decision d"
          + " JOIN sched_domain m ON m.trace_id = $1 AND m.cpu = $2 AND m.level = d.level - 1"
          + " AND get_bit(m.span, (bit_length(m.span) - 1 - d.cpu)::INTEGER) = 1"
          + " WHERE d.trace_id = $1 AND d.cpu <> $2 AND d.ts <= $3 AND d.reason <> 'not_balancer'"
          + " AND d.idle_type <> 'newidle' QUALIFY place = 1) "
          + NAMED;

  private static final List<Column> COLUMNS =
      List.of(
          new Column("level", "level", Kind.TEXT),
          new Column("cpu", "CPU", Kind.NUMBER),
          new Column("ts", "at", Kind.OFFSET),
          new Column("idle_type", "pass", Kind.TEXT),
          new Column("looked_cpus", "looked at", Kind.TEXT),
          new Column("looked_nr", "tasks", Kind.NUMBER),
          new Column("looked_capacity", "of", Kind.NUMBER),
          new Column("looked_load", "load", Kind.NUMBER),
          new Column("local_cpus", "", Kind.TEXT),
          new Column("local_nr", "own", Kind.NUMBER),
          new Column("local_capacity", "of", Kind.NUMBER),
          new Column("local_load", "load", Kind.NUMBER),
          new Column("average_load", "", Kind.NUMBER),
          new Column("amount", "", Kind.NUMBER),
          new Column("queue", "from", Kind.NUMBER),
          new Column("moved", "moved", Kind.NUMBER),
          new Column("reason", "ended by", Kind.TEXT));

  private final Query query;
  private final int traceId;
  private final int cpu;
  private final long tsNs;
  private boolean busy;

  private WhySections(Query query, int traceId, int cpu, long tsNs) {
    this.query = query;
    this.traceId = traceId;
    this.cpu = cpu;
    this.tsNs = tsNs;
  }

  /**
   * The answer.
   *
   * @param title names the run
   * @param tsNs time since the run's start, which is 0
   */
  public static List<Section> of(
      TraceStore store, String title, int traceId, int cpu, long tsNs, boolean unicode) {
    Entries.shadowFor(store, "cpulist");
    WhySections why = new WhySections(new Query(store), traceId, cpu, tsNs);
    Section what = why.what(title, unicode);
    return List.of(what, why.attempts(unicode));
  }

  private Section what(String title, boolean unicode) {
    List<Map<String, Object>> rows = query.rows(RAN, traceId, cpu, tsNs);
    Section section =
        Section.table(
            "waiting",
            String.format(Locale.ROOT, "CPU %d at %s of %s", cpu, Units.offset(tsNs), title),
            List.of(
                new Column("task", "waited", Kind.TEXT),
                new Column("tid", "", Kind.NUMBER),
                new Column("cpu", "on CPU", Kind.NUMBER),
                new Column("ts", "since", Kind.OFFSET),
                new Column("end_ts", "until", Kind.OFFSET),
                new Column("allowed", "may run here", Kind.TEXT)));
    if (rows.isEmpty()) {
      return section.note("The CPU was off line, or the run did not last that long.");
    }
    Map<String, Object> ran = rows.get(0);
    String span =
        String.format(
            Locale.ROOT,
            "from %s to %s (%s)",
            Units.offset(Figures.number(ran, "ts")),
            Units.offset(Figures.number(ran, "te")),
            Units.duration(
                (double) (Figures.number(ran, "te") - Figures.number(ran, "ts")), unicode));
    busy = !Boolean.TRUE.equals(ran.get("is_idle"));
    if (busy) {
      return section.note(
          String.format(Locale.ROOT, "It ran %s:%s %s.", ran.get("name"), ran.get("tid"), span));
    }
    List<Map<String, Object>> waiters = query.rows(WAITED, traceId, cpu, tsNs);
    for (Map<String, Object> w : waiters.subList(0, Math.min(WAITERS, waiters.size()))) {
      section.row(
          w.get("name") + ":" + w.get("tid"),
          w.get("tid"),
          w.get("cpu"),
          w.get("ts"),
          w.get("te"),
          Boolean.TRUE.equals(w.get("allowed")) ? "yes" : "no");
    }
    int more = waiters.size() - WAITERS;
    return section.note(
        "It was idle "
            + span
            + (waiters.isEmpty()
                ? "; no task waited on another CPU."
                : "; meanwhile "
                    + Units.counted(waiters.size(), "task", "tasks")
                    + " waited on other CPUs"
                    + (more > 0 ? ", " + WAITERS + " are shown" : "")
                    + "."));
  }

  private Section attempts(boolean unicode) {
    Section section =
        Section.table(
            "balance_decision", "Its last balance attempts, and those of its group", COLUMNS);
    List<Map<String, Object>> rows =
        new ArrayList<>(query.rows(ATTEMPTS, traceId, cpu, tsNs, busy));
    rows.addAll(query.rows(OF_GROUP, traceId, cpu, tsNs));
    for (Map<String, Object> row : rows) {
      section.row(
          level(row),
          row.get("cpu"),
          row.get("ts"),
          row.get("idle_type"),
          row.get("looked"),
          row.get("looked_nr"),
          row.get("looked_capacity"),
          row.get("looked_load"),
          row.get("own"),
          row.get("local_nr"),
          row.get("local_capacity"),
          row.get("local_load"),
          row.get("average_load"),
          row.get("amount"),
          row.get("queue"),
          row.get("moved"),
          row.get("reason"));
    }
    if (rows.isEmpty()) {
      return section.note("It made none until then: it is isolated, off line, or just started.");
    }
    rows.forEach(row -> section.note(sentence(row, unicode)));
    return section;
  }

  private static String level(Map<String, Object> row) {
    String name = Figures.text(row, "level_name");
    return name == null ? String.valueOf(row.get("level")) : name;
  }

  private String sentence(Map<String, Object> row, boolean unicode) {
    long ago = tsNs - Figures.number(row, "ts");
    StringBuilder text = new StringBuilder(level(row));
    text.append(" (").append(cpus(row, "span")).append("), ");
    long by = Figures.number(row, "cpu");
    text.append(by == cpu ? "" : "CPU " + by + " for the group, ").append(pass(row));
    text.append(", ").append(Units.duration((double) ago, unicode)).append(" before: ");
    if (row.get("looked_nr") != null) {
      text.append("looked at ").append(cpus(row, "looked")).append(" with ");
      text.append(tasks(row, "looked"))
          .append(Boolean.TRUE.equals(row.get("looked_imbalanced")) ? ", imbalanced within" : "");
      text.append("; its own group, ").append(cpus(row, "own")).append(", had ");
      text.append(tasks(row, "local"));
      if (row.get("average_load") != null) {
        text.append("; the average load was ").append(row.get("average_load"));
      }
      text.append(". ");
    }
    Reason reason = Reason.valueOf(Figures.text(row, "reason").toUpperCase(Locale.ROOT));
    switch (reason) {
      case MOVED ->
          text.append("It took ")
              .append(Units.counted(Figures.number(row, "moved"), "task", "tasks"))
              .append(" from CPU ")
              .append(row.get("queue"));
      case ACTIVE_STARTED ->
          text.append("From CPU ").append(row.get("queue")).append(", ").append(reason.words);
      case NOT_BALANCER -> text.append(reason.words);
      default -> text.append("Nothing moved: ").append(reason.words);
    }
    if (reason == Reason.WITHIN_PCT && row.get("imbalance_pct") != null) {
      text.append(" (").append(row.get("imbalance_pct")).append(" %)");
    }
    return text.append('.').toString();
  }

  private static String cpus(Map<String, Object> row, String column) {
    String list = Figures.text(row, column);
    boolean several = list != null && (list.indexOf('-') >= 0 || list.indexOf(',') >= 0);
    return (several ? "CPUs " : "CPU ") + list;
  }

  private static String tasks(Map<String, Object> row, String group) {
    return Units.counted(Figures.number(row, group + "_nr"), "task", "tasks")
        + " for a capacity of "
        + row.get(group + "_capacity")
        + " and load "
        + row.get(group + "_load");
  }

  private static String pass(Map<String, Object> row) {
    return switch (Figures.text(row, "idle_type")) {
      case "newidle" -> "as it went idle";
      case "idle" -> "while idle";
      default -> "while busy";
    };
  }
}

package dev.counterbalance.cli.report;

import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Format;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.MarkdownWriter;
import dev.counterbalance.cli.render.TableWriter;
import dev.counterbalance.cli.render.TextWriter;
import dev.counterbalance.trace.store.TraceStore;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;

/** The traces of a store, one a line. */
public final class TraceList {
  private static final String SQL =
      "SELECT name, kind, format, os_release, cpus_online, end_ns - start_ns AS span_ns,"
          + " event_count, lost_events, source, rule, seed FROM trace ORDER BY trace_id";

  private static final Column RULE = new Column("rule", "rule", Kind.TEXT);
  private static final Column SEED = new Column("seed", "seed", Kind.NUMBER);

  private static final List<Column> COLUMNS =
      List.of(
          new Column("name", "trace", Kind.TEXT),
          new Column("kind", "kind", Kind.TEXT),
          new Column("os_release", "kernel", Kind.TEXT),
          new Column("cpus_online", "CPUs", Kind.NUMBER),
          new Column("span_ns", "span", Kind.DURATION),
          new Column("event_count", "events", Kind.COUNT),
          new Column("lost_events", "lost", Kind.COUNT),
          new Column("format", "format", Kind.TEXT),
          new Column("source", "source", Kind.TEXT),
          RULE,
          SEED);

  private TraceList() {}

  /** Writes the list: units for people (text, Markdown), raw values for machines. */
  public static void write(TraceStore store, Format format, Writer out, boolean unicode)
      throws IOException {
    TableWriter writer =
        switch (format) {
          case TEXT -> new TextWriter(out, unicode, true);
          case MARKDOWN -> new MarkdownWriter(out, true);
          case CSV, JSON -> format.writer(out, unicode);
        };
    List<Map<String, Object>> rows = new Query(store).rows(SQL);
    boolean simulated = rows.stream().anyMatch(row -> row.get("rule") != null);
    boolean people = format == Format.TEXT || format == Format.MARKDOWN;
    List<Column> columns =
        people && !simulated
            ? COLUMNS.stream().filter(c -> !c.equals(RULE) && !c.equals(SEED)).toList()
            : COLUMNS;
    writer.begin(columns);
    for (Map<String, Object> row : rows) {
      writer.row(columns.stream().map(c -> row.get(c.key())).toArray());
    }
    writer.end();
  }
}

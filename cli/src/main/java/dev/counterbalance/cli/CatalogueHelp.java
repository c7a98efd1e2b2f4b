package dev.counterbalance.cli;

import dev.counterbalance.analysis.CatalogueEntry;
import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Format;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.TableWriter;
import dev.counterbalance.trace.store.ColumnSpec;
import dev.counterbalance.trace.store.TableSpec;
import dev.counterbalance.trace.store.Tables;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What {@code trace-sql --list} and {@code --describe} tell: the catalogue's and schema's docs. */
final class CatalogueHelp {
  private static final List<Column> LIST =
      List.of(
          Column.of("name", Kind.TEXT),
          Column.of("kind", Kind.TEXT),
          Column.of("about", Kind.TEXT));
  private static final List<Column> COLUMNS =
      List.of(
          Column.of("column", Kind.TEXT),
          Column.of("type", Kind.TEXT),
          Column.of("unit", Kind.TEXT),
          Column.of("about", Kind.TEXT));

  private final Entries entries;

  CatalogueHelp(Entries entries) {
    this.entries = entries;
  }

  void list(Console console, OutputOptions output) {
    output.write(
        console,
        (out, unicode) -> {
          TableWriter writer = output.format.writer(out, unicode);
          writer.begin(LIST);
          for (CatalogueEntry entry : entries.list()) {
            String kind = entry.kind() == CatalogueEntry.Kind.SCALAR ? "function" : "entry";
            writer.row(entry.name(), kind, entry.question());
          }
          for (TableSpec table : Tables.ALL) {
            writer.row(table.name(), "table", table.doc());
          }
          writer.end();
        });
  }

  void describe(String name, Console console, OutputOptions output) {
    Optional<CatalogueEntry> entry =
        entries.list().stream().filter(e -> e.name().equals(name)).findFirst();
    Optional<TableSpec> table = Tables.ALL.stream().filter(t -> t.name().equals(name)).findFirst();
    if (entry.isEmpty() && table.isEmpty()) {
      throw Refusal.data(
          "There is no entry or table named '" + name + "'. --list names what there is.");
    }
    output.write(
        console,
        (out, unicode) -> {
          if (output.format == Format.TEXT) {
            if (entry.isPresent()) {
              head(entry.get(), out);
            } else {
              out.append(table.get().doc()).append("\n\n");
            }
          }
          TableWriter writer = output.format.writer(out, unicode);
          writer.begin(COLUMNS);
          if (entry.isPresent()) {
            for (CatalogueEntry.Column column : entry.get().columns()) {
              writer.row(column.name(), column.type(), column.unit(), column.doc());
            }
          } else {
            writer.row("trace_id", "INTEGER", "", "Trace.");
            for (ColumnSpec column : table.get().columns()) {
              writer.row(column.name(), type(column), column.unit(), column.doc());
            }
          }
          writer.end();
        });
  }

  private static void head(CatalogueEntry entry, Writer out) throws IOException {
    out.append(entry.title()).append(": ").append(entry.question()).append('\n');
    String call =
        entry.parameters().stream()
            .map(p -> p.defaultValue().isEmpty() ? p.name() : p.name() + " := " + p.defaultValue())
            .collect(Collectors.joining(", "));
    out.append("\n  ").append(entry.name()).append('(').append(call).append(")\n");
    for (CatalogueEntry.Parameter parameter : entry.parameters()) {
      String unit = parameter.unit().isEmpty() ? "" : " (" + parameter.unit() + ")";
      out.append("    ").append(parameter.name()).append(unit).append(": ");
      out.append(parameter.doc()).append('\n');
    }
    if (!entry.needs().isEmpty()) {
      String needs =
          entry.needs().stream()
              .map(oneOf -> String.join(" or ", oneOf))
              .collect(Collectors.joining(", "));
      out.append("\nNeeds the events: ").append(needs).append('\n');
    }
    for (CatalogueEntry.Without without : entry.without()) {
      out.append("Without ").append(String.join(" or ", without.events())).append(": ");
      out.append(without.missing()).append('\n');
    }
    for (String note : entry.notes()) {
      out.append('\n').append(note).append('\n');
    }
    out.append('\n');
  }

  private static String type(ColumnSpec column) {
    return column.codes().isEmpty() ? column.type().sql() : "VARCHAR";
  }
}

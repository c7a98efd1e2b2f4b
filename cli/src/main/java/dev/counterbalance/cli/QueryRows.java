package dev.counterbalance.cli;

import dev.counterbalance.analysis.query.RowSink;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.TableWriter;
import java.io.IOException;
import java.util.List;

/** Writes a query's rows as a table. */
final class QueryRows implements RowSink {
  private final TableWriter writer;

  QueryRows(TableWriter writer) {
    this.writer = writer;
  }

  @Override
  public void begin(List<Column> columns) throws IOException {
    writer.begin(
        columns.stream()
            .map(
                c ->
                    dev.counterbalance.cli.render.Column.of(
                        c.name(), c.isNumber() ? Kind.NUMBER : Kind.TEXT))
            .toList());
  }

  @Override
  public void row(Object[] cells) throws IOException {
    writer.row(cells);
  }

  @Override
  public void end() throws IOException {
    writer.end();
  }
}

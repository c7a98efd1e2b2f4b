package dev.counterbalance.cli.render;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

/**
 * CSV by RFC 4180 with a header line; NULL is an empty cell, an empty text is {@code ""}. Only text
 * is kept from being taken for a formula: {@code -1} stays a number.
 */
public final class CsvWriter implements TableWriter {
  private final Writer out;
  private final StringBuilder line = new StringBuilder();

  public CsvWriter(Writer out) {
    this.out = out;
  }

  @Override
  public void begin(List<Column> columns) throws IOException {
    Object[] titles = columns.stream().map(Column::key).toArray();
    row(titles);
  }

  @Override
  public void row(Object... cells) throws IOException {
    line.setLength(0);
    for (int i = 0; i < cells.length; i++) {
      if (i > 0) {
        line.append(',');
      }
      if (cells[i] instanceof Number number) {
        line.append(Units.plain(number));
      } else if (cells[i] != null) {
        line.append(Escape.csvText(cells[i].toString()));
      }
    }
    out.append(line.append('\n'));
  }

  @Override
  public void end() throws IOException {
    out.flush();
  }
}

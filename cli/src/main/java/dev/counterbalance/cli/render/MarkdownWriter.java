package dev.counterbalance.cli.render;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** A GitHub Markdown table. */
public final class MarkdownWriter implements TableWriter {
  private final Writer out;
  private final boolean human;
  private List<Column> columns = List.of();

  /**
   * Makes a writer.
   *
   * @param human true for rounded numbers with units, false for raw values
   */
  public MarkdownWriter(Writer out, boolean human) {
    this.out = out;
    this.human = human;
  }

  @Override
  public void begin(List<Column> columns) throws IOException {
    this.columns = List.copyOf(columns);
    if (columns.isEmpty()) {
      return;
    }
    StringBuilder titles = new StringBuilder("|");
    StringBuilder rules = new StringBuilder("|");
    for (Column column : columns) {
      String title = human ? column.title() : column.key();
      titles.append(' ').append(Escape.markdown(title)).append(" |");
      rules.append(column.kind().alignsRight() ? "---:|" : "---|");
    }
    out.append(titles.append('\n')).append(rules.append('\n'));
  }

  @Override
  public void row(Object... cells) throws IOException {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < cells.length; i++) {
      line.append(' ').append(Escape.markdown(format(columns.get(i), cells[i]))).append(" |");
    }
    out.append(line.append('\n'));
  }

  @Override
  public void end() throws IOException {
    out.flush();
  }

  private String format(Column column, Object cell) {
    if (human) {
      return column.human(cell, true);
    }
    if (cell == null) {
      return "NULL";
    }
    return cell instanceof Number number ? Units.plain(number) : cell.toString();
  }
}

package dev.counterbalance.cli.render;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Aligned columns. The first rows decide the widths; a wider cell that comes later pushes its own
 * row to the right.
 */
public final class TextWriter implements TableWriter {
  private static final int ROWS_TO_MEASURE = 1000;
  private static final String GAP = "  ";

  private final Writer out;
  private final boolean unicode;
  private final boolean human;
  private final List<String[]> waiting = new ArrayList<>();
  private List<Column> columns = List.of();
  private boolean measured;
  private int[] widths = {};
  private String indent = "";

  /**
   * Makes a writer.
   *
   * @param human true for rounded numbers with units, false for raw values
   */
  public TextWriter(Writer out, boolean unicode, boolean human) {
    this.out = out;
    this.unicode = unicode;
    this.human = human;
  }

  /** Starts every line with this. */
  public TextWriter indent(String indent) {
    this.indent = indent;
    return this;
  }

  @Override
  public void begin(List<Column> columns) {
    this.columns = List.copyOf(columns);
    widths = new int[columns.size()];
    measured = false;
    waiting.clear();
  }

  @Override
  public void row(Object... cells) throws IOException {
    String[] texts = new String[columns.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = Escape.text(format(columns.get(i), cells[i]), unicode);
    }
    if (measured) {
      line(texts);
      return;
    }
    waiting.add(texts);
    if (waiting.size() == ROWS_TO_MEASURE) {
      writeWaiting();
    }
  }

  @Override
  public void end() throws IOException {
    if (!measured) {
      writeWaiting();
    }
    out.flush();
  }

  private String format(Column column, Object cell) {
    if (human) {
      return column.human(cell, unicode);
    }
    if (cell == null) {
      return "NULL";
    }
    return cell instanceof Number number ? Units.plain(number) : cell.toString();
  }

  private void writeWaiting() throws IOException {
    String[] titles = new String[columns.size()];
    for (int i = 0; i < titles.length; i++) {
      Column column = columns.get(i);
      titles[i] = Escape.text(human ? column.title() : column.key(), unicode);
      widths[i] = Width.of(titles[i]);
      for (String[] row : waiting) {
        widths[i] = Math.max(widths[i], Width.of(row[i]));
      }
    }
    measured = true;
    if (titles.length > 0) {
      line(titles);
      String[] rules = new String[titles.length];
      for (int i = 0; i < rules.length; i++) {
        rules[i] = String.join("", Collections.nCopies(widths[i], "-"));
      }
      line(rules);
    }
    for (String[] row : waiting) {
      line(row);
    }
    waiting.clear();
  }

  private void line(String[] texts) throws IOException {
    StringBuilder line = new StringBuilder(indent);
    for (int i = 0; i < texts.length; i++) {
      String pad = " ".repeat(Math.max(0, widths[i] - Width.of(texts[i])));
      if (i > 0) {
        line.append(GAP);
      }
      if (columns.get(i).kind().alignsRight()) {
        line.append(pad).append(texts[i]);
      } else {
        line.append(texts[i]).append(pad);
      }
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }
}

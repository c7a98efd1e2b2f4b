package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import java.util.ArrayList;
import java.util.List;

/**
 * One part of a report: a table with notes below it. A column without a key is for people only (a
 * bar), one without a title for machines only (an id).
 */
public final class Section {
  private final String key;
  private final String title;
  private final boolean upright;
  private final List<Column> columns;
  private final List<Object[]> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private Section(String key, String title, boolean upright, List<Column> columns) {
    this.key = key;
    this.title = title;
    this.upright = upright;
    this.columns = List.copyOf(columns);
  }

  /**
   * A section without rows.
   *
   * @param key its name for machines
   * @param title its heading for people
   */
  public static Section table(String key, String title, List<Column> columns) {
    return new Section(key, title, false, columns);
  }

  /** A section of one row, which people read from top to bottom: one line a column. */
  public static Section facts(String key, String title, List<Column> columns) {
    return new Section(key, title, true, columns);
  }

  /** Adds a row; as many cells as columns. */
  public Section row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "must be " + columns.size() + " cells in " + key + ": cells=" + cells.length);
    }
    rows.add(cells);
    return this;
  }

  /** Adds a sentence for people. */
  public Section note(String sentence) {
    notes.add(sentence);
    return this;
  }

  String key() {
    return key;
  }

  String title() {
    return title;
  }

  boolean isUpright() {
    return upright;
  }

  List<String> notes() {
    return notes;
  }

  List<Object[]> rows() {
    return rows;
  }

  /** The columns that people see. */
  List<Column> shown() {
    return columns.stream().filter(c -> !c.title().isEmpty()).toList();
  }

  /** The columns that machines read. */
  List<Column> stored() {
    return columns.stream().filter(c -> !c.key().isEmpty()).toList();
  }

  /** The cells of a row that belong to a choice of columns. */
  Object[] cells(Object[] row, List<Column> choice) {
    Object[] cells = new Object[choice.size()];
    int n = 0;
    for (int i = 0; i < row.length; i++) {
      if (choice.contains(columns.get(i))) {
        cells[n++] = row[i];
      }
    }
    return cells;
  }
}

package dev.counterbalance.trace.store;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A stored table: one source of its DDL, its documentation and its writer. Every table starts with
 * {@code trace_id INTEGER}, which is not listed.
 *
 * <p>A table with {@link ColumnType#CODE} columns is stored under {@code _name} and shown by the
 * view {@code name}, which turns the numbers into words.
 *
 * @param name the name users see
 * @param doc what a row is, one sentence
 * @param columns the columns after trace_id
 */
public record TableSpec(String name, String doc, List<ColumnSpec> columns) {

  public TableSpec {
    columns = List.copyOf(columns);
  }

  /** The name of the stored table. */
  public String storedName() {
    return hasView() ? "_" + name : name;
  }

  /** True if the stored table has a view that shows it with words instead of codes. */
  public boolean hasView() {
    return columns.stream().anyMatch(c -> c.type() == ColumnType.CODE);
  }

  /** The position of a column after trace_id. */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no such column in " + name + ": column=" + column);
  }

  /** {@code CREATE TABLE} for the stored table. */
  public String createTable() {
    return columns.stream()
        .map(c -> "\"" + c.name() + "\" " + c.type().sql())
        .collect(
            Collectors.joining(
                ", ", "CREATE TABLE \"" + storedName() + "\" (trace_id INTEGER, ", ")"));
  }

  /** The same, in the place of the table that is there. */
  String replaceTable() {
    return createTable().replaceFirst("CREATE TABLE", "CREATE OR REPLACE TABLE");
  }

  /** {@code CREATE VIEW} over the stored table; only where {@link #hasView}. */
  public String createView() {
    return columns.stream()
        .map(ColumnSpec::viewExpression)
        .collect(
            Collectors.joining(
                ", ",
                "CREATE OR REPLACE VIEW \"" + name + "\" AS SELECT trace_id, ",
                " FROM \"" + storedName() + "\""));
  }
}

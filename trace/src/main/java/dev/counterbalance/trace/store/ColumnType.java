package dev.counterbalance.trace.store;

/** How a column is stored. */
public enum ColumnType {
  BIGINT("BIGINT"),
  INTEGER("INTEGER"),
  SMALLINT("SMALLINT"),
  /** Ordinal of an enum constant, 0 to 127, or NULL; the table's view shows the constant's name. */
  CODE("TINYINT"),
  BOOLEAN("BOOLEAN"),
  DOUBLE("DOUBLE"),
  VARCHAR("VARCHAR"),
  /** A CPU set; written as a text of 0 and 1, highest CPU first. */
  BIT("BIT");

  private final String sql;

  ColumnType(String sql) {
    this.sql = sql;
  }

  /** The DuckDB type. */
  public String sql() {
    return sql;
  }
}

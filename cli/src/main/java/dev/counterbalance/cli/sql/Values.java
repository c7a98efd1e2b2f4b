package dev.counterbalance.cli.sql;

import dev.counterbalance.cli.render.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;

/** JDBC values as what the table writers take: numbers, booleans, texts and null. */
final class Values {
  private Values() {}

  /** What a column of that JDBC type holds. */
  static Kind kind(int sqlType, String typeName) {
    return switch (sqlType) {
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.REAL,
          Types.FLOAT,
          Types.DOUBLE,
          Types.DECIMAL,
          Types.NUMERIC ->
          Kind.NUMBER;
      default -> isNumber(typeName) ? Kind.NUMBER : Kind.TEXT;
    };
  }

  /** The value of a column in the current row. */
  static Object get(ResultSet rows, int column, Kind kind) throws SQLException {
    Object value = rows.getObject(column);
    if (value == null || value instanceof Boolean || value instanceof String) {
      return value;
    }
    if (kind == Kind.NUMBER && value instanceof Number) {
      return value;
    }
    return rows.getString(column);
  }

  private static boolean isNumber(String typeName) {
    return typeName.equals("HUGEINT")
        || typeName.equals("UHUGEINT")
        || (typeName.startsWith("U") && typeName.endsWith("INT"));
  }
}

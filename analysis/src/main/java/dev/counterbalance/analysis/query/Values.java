package dev.counterbalance.analysis.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;

/** JDBC values as what row sinks take: numbers, booleans, texts and null. */
final class Values {
  private Values() {}

  /** Whether a column of that JDBC type holds numbers. */
  static boolean isNumber(int sqlType, String typeName) {
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
          true;
      default -> isDuckNumber(typeName);
    };
  }

  /** The value of a column in the current row. */
  static Object get(ResultSet rows, int column, boolean isNumber) throws SQLException {
    Object value = rows.getObject(column);
    if (value == null || value instanceof Boolean || value instanceof String) {
      return value;
    }
    if (isNumber && value instanceof Number) {
      return value;
    }
    return rows.getString(column);
  }

  private static boolean isDuckNumber(String typeName) {
    return typeName.equals("HUGEINT")
        || typeName.equals("UHUGEINT")
        || (typeName.startsWith("U") && typeName.endsWith("INT"));
  }
}

package dev.counterbalance.analysis.query;

import java.sql.SQLException;

/**
 * DuckDB refused a query. The message is for the person who wrote it: what is wrong, the line with
 * a mark under the place where DuckDB tells it. It may have several lines.
 */
public final class QueryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private QueryException(String message, SQLException cause) {
    super(message, cause);
  }

  static QueryException of(SQLException e) {
    String text = String.valueOf(e.getMessage()).strip();
    int place = text.indexOf("\nLINE ");
    String what = (place < 0 ? text : text.substring(0, place)).strip();
    StringBuilder message = new StringBuilder(what.replaceAll("\\s*\\n\\s*", " "));
    if (message.length() > 0 && ".!?".indexOf(message.charAt(message.length() - 1)) < 0) {
      message.append('.');
    }
    if (place >= 0) {
      message.append(text, place, text.length());
    }
    return new QueryException(message.toString(), e);
  }
}

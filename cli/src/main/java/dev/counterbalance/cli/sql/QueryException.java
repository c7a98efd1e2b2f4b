package dev.counterbalance.cli.sql;

import java.sql.SQLException;
import java.util.List;

/**
 * DuckDB refused a query. The message is for the person who wrote it: what is wrong, the line with
 * a mark under the place where DuckDB tells it, and what to do. It may have several lines.
 */
public final class QueryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A phrase of DuckDB's and the advice that goes with it. */
  private record Hint(String phrase, String advice) {}

  private static final List<Hint> HINTS =
      List.of(
          new Hint(
              "attached in read-only mode",
              "The store is open for reading. Give --allow-writes to change it."),
          new Hint(
              "disabled by configuration",
              "Queries reach the store only. Give --allow-external for other files and"
                  + " extensions."),
          new Hint(
              "configuration has been locked",
              "Give --allow-external to change DuckDB's settings."),
          new Hint("does not exist", "trace-sql STORE --list names what there is to ask."),
          new Hint(
              "not found in FROM clause", "trace-sql STORE --describe NAME shows the columns."));

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
    for (Hint hint : HINTS) {
      if (text.contains(hint.phrase())) {
        message.append(' ').append(hint.advice());
        break;
      }
    }
    if (place >= 0) {
      message.append(text, place, text.length());
    }
    return new QueryException(message.toString(), e);
  }
}

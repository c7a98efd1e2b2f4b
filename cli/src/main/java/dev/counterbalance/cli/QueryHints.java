package dev.counterbalance.cli;

import dev.counterbalance.analysis.query.QueryException;
import java.util.List;

/** What to do about a query that DuckDB refused, where an option or command of ours helps. */
final class QueryHints {
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

  private QueryHints() {}

  /** The message with the advice behind its first line, before the lines that show the place. */
  static String sentence(QueryException e) {
    String message = e.getMessage();
    for (Hint hint : HINTS) {
      if (message.contains(hint.phrase())) {
        int place = message.indexOf('\n');
        return place < 0
            ? message + ' ' + hint.advice()
            : message.substring(0, place) + ' ' + hint.advice() + message.substring(place);
      }
    }
    return message;
  }
}

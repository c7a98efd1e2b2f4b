package dev.counterbalance.cli.report;

import dev.counterbalance.analysis.query.Query;
import java.util.List;
import java.util.Map;

/** Reads the catalogue's entries for one trace and window. */
final class Figures {
  private final Query query;
  private final int traceId;
  private final Long sinceNs;
  private final Long untilNs;

  /**
   * Makes a reader.
   *
   * @param sinceNs start of the window in the trace's clock, null for the trace's start
   * @param untilNs end of the window, null for the trace's end
   */
  Figures(Query query, int traceId, Long sinceNs, Long untilNs) {
    this.query = query;
    this.traceId = traceId;
    this.sinceNs = sinceNs;
    this.untilNs = untilNs;
  }

  /** All rows of an entry. */
  List<Map<String, Object>> rows(String entry) {
    return rows(entry, "");
  }

  /**
   * Rows of an entry.
   *
   * @param rest SQL after the entry, under the name {@code e}: a join with names, an order, a limit
   */
  List<Map<String, Object>> rows(String entry, String rest) {
    return select("e.*", entry, rest);
  }

  /** Chosen columns of an entry, see {@link #rows(String, String)}. */
  List<Map<String, Object>> select(String columns, String entry, String rest) {
    return query.rows(
        String.format(
            "SELECT %s FROM %s(trace := ?::INTEGER, since := ?::BIGINT, until := ?::BIGINT) e %s",
            columns, entry, rest),
        traceId,
        sinceNs,
        untilNs);
  }

  /** Rows of a stored table; {@code ?} in the rest stands for the trace. */
  List<Map<String, Object>> stored(String sql) {
    return query.rows(sql, traceId);
  }

  /** A number, 0 for NULL. */
  static long number(Map<String, Object> row, String column) {
    Object value = row.get(column);
    return value == null ? 0 : ((Number) value).longValue();
  }

  /** A text, null for NULL. */
  static String text(Map<String, Object> row, String column) {
    Object value = row.get(column);
    return value == null ? null : value.toString();
  }
}

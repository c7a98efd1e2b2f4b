package dev.counterbalance.trace.store;

import dev.counterbalance.trace.interval.Coverage;
import java.util.Set;

/** Which rows of a trace are its events, and how a trace without them looks. */
final class EventRows {
  /** What stays: what the trace is, the machine, and figures. */
  private static final Set<TableSpec> STAY =
      Set.of(
          Tables.TRACE,
          Tables.TRACE_FACT,
          Tables.CPU,
          Tables.NODE_DISTANCE,
          Tables.SCHED_DOMAIN,
          Tables.SCHEDSTAT,
          Tables.IMPORT_PROBLEM,
          Tables.RUN_METRIC);

  private EventRows() {}

  /** Whether a trace without its events has no row of a table. */
  static boolean drops(TableSpec table) {
    return !STAY.contains(table);
  }

  /** What to select a table's columns from, to have a trace without its events. */
  static String without(TableSpec table, int traceId) {
    String rows = "\"" + table.storedName() + "\" WHERE trace_id = " + traceId;
    if (table.equals(Tables.TRACE_FACT)) {
      return String.format(
          "(SELECT * FROM %s AND key IS DISTINCT FROM 'event'"
              + " UNION ALL SELECT %d, 'event', 'none', %d)",
          rows, traceId, Tables.FactSource.DERIVED.ordinal());
    }
    if (table.equals(Tables.CPU)) {
      return String.format(
          "(SELECT * REPLACE (NULL::BIGINT AS first_ns, NULL::BIGINT AS last_ns,"
              + " %d::TINYINT AS coverage) FROM %s)",
          Coverage.UNRECORDED.ordinal(), rows);
    }
    return rows;
  }
}

package dev.counterbalance.trace.store;

import dev.counterbalance.trace.interval.Coverage;
import java.util.ArrayList;
import java.util.List;
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

  /** The statements that drop a trace's events. */
  static List<String> drop(int traceId) {
    String where = " WHERE trace_id = " + traceId;
    List<String> statements = new ArrayList<>();
    for (TableSpec table : Tables.ALL) {
      if (!STAY.contains(table)) {
        statements.add("DELETE FROM \"" + table.storedName() + "\"" + where);
      }
    }
    String facts = Tables.TRACE_FACT.storedName();
    statements.add("DELETE FROM " + facts + where + " AND key = 'event'");
    statements.add(
        "INSERT INTO "
            + facts
            + " (trace_id, key, value, source) VALUES ("
            + traceId
            + ", 'event', 'none', "
            + Tables.FactSource.DERIVED.ordinal()
            + ")");
    statements.add(
        "UPDATE "
            + Tables.CPU.storedName()
            + " SET first_ns = NULL, last_ns = NULL, coverage = "
            + Coverage.UNRECORDED.ordinal()
            + where);
    return statements;
  }
}

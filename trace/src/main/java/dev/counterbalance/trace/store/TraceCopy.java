package dev.counterbalance.trace.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

/**
 * Copies traces of one open store to another, in columns, without touching files. From when it is
 * made until it is closed, nothing may be written to the store it copies from.
 */
public final class TraceCopy implements AutoCloseable {
  private static final String VIEW = "_copied";

  private final Connection from;
  private final Set<String> filled;
  private final BufferAllocator allocator = new RootAllocator();

  /** Makes a copier of a store's traces. */
  public TraceCopy(TraceStore store) {
    from = store.connection();
    try {
      filled = filled(from);
    } catch (SQLException e) {
      throw StoreException.writing(e);
    }
  }

  /** The stored tables that have rows, and the one that gets rows in any case. */
  private static Set<String> filled(Connection from) throws SQLException {
    String sql =
        Tables.ALL.stream()
            .map(
                t ->
                    "SELECT '"
                        + t.storedName()
                        + "' FROM (FROM \""
                        + t.storedName()
                        + "\" LIMIT 1)")
            .collect(Collectors.joining(" UNION ALL "));
    Set<String> filled = new HashSet<>(Set.of(Tables.TRACE_FACT.storedName()));
    try (Statement select = from.createStatement();
        ResultSet rows = select.executeQuery(sql)) {
      while (rows.next()) {
        filled.add(rows.getString(1));
      }
    }
    return filled;
  }

  /** Copies a trace under another id. */
  void copy(TraceRef trace, boolean events, Connection to, int newTraceId) throws SQLException {
    for (TableSpec table : Tables.ALL) {
      if (filled.contains(table.storedName()) && (events || !EventRows.drops(table))) {
        String source =
            events
                ? "\"" + table.storedName() + "\" WHERE trace_id = " + trace.traceId()
                : EventRows.without(table, trace.traceId());
        copy(table, source, to, newTraceId);
      }
    }
  }

  private void copy(TableSpec table, String source, Connection to, int newTraceId)
      throws SQLException {
    try (Statement select = from.createStatement();
        ResultSet rows = select.executeQuery(select(table, source));
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      // The stream owns the reader from here on, and DuckDB releases both when it has read them.
      ArrowReader reader =
          (ArrowReader)
              rows.unwrap(DuckDBResultSet.class).arrowExportStream(allocator, Column.ROWS);
      Data.exportArrayStream(allocator, reader, stream);
      to.unwrap(DuckDBConnection.class).registerArrowStream(VIEW, stream);
      try (Statement insert = to.createStatement()) {
        insert.execute(insert(table, newTraceId));
        insert.execute("DROP VIEW " + VIEW);
      }
    }
  }

  @Override
  public void close() {
    allocator.close();
  }

  private static String select(TableSpec table, String source) {
    return table.columns().stream()
        .map(c -> '"' + c.name() + '"' + (c.type() == ColumnType.BIT ? "::VARCHAR AS x" : ""))
        .collect(Collectors.joining(", ", "SELECT ", " FROM " + source));
  }

  private static String insert(TableSpec table, int newTraceId) {
    return table.columns().stream()
        .map(c -> c.type() == ColumnType.BIT ? "x::BIT" : '"' + c.name() + '"')
        .collect(
            Collectors.joining(
                ", ",
                "INSERT INTO \"" + table.storedName() + "\" SELECT " + newTraceId + ", ",
                " FROM " + VIEW));
  }
}

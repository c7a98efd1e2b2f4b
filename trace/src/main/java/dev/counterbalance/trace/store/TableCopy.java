package dev.counterbalance.trace.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

/** Copies a trace's rows from one open database to another, in columns, without touching files. */
final class TableCopy implements AutoCloseable {
  private static final String VIEW = "_copied";

  private final Connection from;
  private final int traceId;
  private final BufferAllocator allocator = new RootAllocator();

  TableCopy(Connection from, int traceId) {
    this.from = from;
    this.traceId = traceId;
  }

  /** Copies the rows of a table; they get another trace_id. */
  void copy(TableSpec table, Connection to, int newTraceId) throws SQLException {
    try (Statement select = from.createStatement();
        ResultSet rows = select.executeQuery(select(table));
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

  private String select(TableSpec table) {
    return table.columns().stream()
        .map(c -> '"' + c.name() + '"' + (c.type() == ColumnType.BIT ? "::VARCHAR AS x" : ""))
        .collect(
            Collectors.joining(
                ", ",
                "SELECT ",
                " FROM \"" + table.storedName() + "\" WHERE trace_id = " + traceId));
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

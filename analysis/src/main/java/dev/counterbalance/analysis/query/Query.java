package dev.counterbalance.analysis.query;

import dev.counterbalance.trace.store.TraceStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Runs SQL and hands its rows on. */
public final class Query {
  private static final Pattern LINE = Pattern.compile("\nLINE (\\d{1,9}):");

  private final Connection connection;
  private volatile Statement running;
  private volatile boolean cancelled;

  public Query(TraceStore store) {
    connection = store.connection();
  }

  /**
   * Runs what a user wrote; several statements may stand behind each other, the last one's rows are
   * shown.
   */
  public void run(String sql, RowSink writer) throws IOException {
    try (Statement statement = connection.createStatement()) {
      cancelled = false;
      running = statement;
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          copy(rows, writer);
        }
      }
    } catch (SQLException e) {
      throw QueryException.of(reason(sql, e));
    } finally {
      running = null;
    }
  }

  /** Ends what {@link #run} is at, with an error there; any thread may call it. */
  public void cancel() {
    Statement statement = running;
    if (statement != null) {
      cancelled = true;
      try {
        statement.cancel();
      } catch (SQLException e) {
        throw QueryException.of(e);
      }
    }
  }

  /**
   * DuckDB's driver, streaming, tells of a failure in a result's first rows only that there is no
   * result. The same query under EXPLAIN ANALYZE says why.
   */
  private SQLException reason(String sql, SQLException e) {
    if (cancelled) {
      return new SQLException("The query was ended.", e);
    }
    if (!String.valueOf(e.getMessage()).contains("Invalid result set")) {
      return e;
    }
    try (Statement statement = connection.createStatement()) {
      running = statement;
      statement.execute("EXPLAIN ANALYZE\n" + sql);
      return e;
    } catch (SQLException told) {
      return new SQLException(
          LINE.matcher(String.valueOf(told.getMessage()))
              .replaceAll(m -> "\nLINE " + (Integer.parseInt(m.group(1)) - 1) + ":"),
          e);
    }
  }

  /** Runs a query of ours and returns its rows, each by column name. */
  public List<Map<String, Object>> rows(String sql, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return rows(rows);
      }
    } catch (SQLException e) {
      throw QueryException.of(e);
    }
  }

  /**
   * Does the same for a query without parameters at half of the planning: DuckDB plans a prepared
   * one when it is prepared and again whenever it runs.
   */
  public List<Map<String, Object>> rowsOf(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows(rows);
    } catch (SQLException e) {
      throw QueryException.of(e);
    }
  }

  private static List<Map<String, Object>> rows(ResultSet rows) throws SQLException {
    List<Map<String, Object>> result = new ArrayList<>();
    List<RowSink.Column> columns = columns(rows.getMetaData());
    while (rows.next()) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        RowSink.Column column = columns.get(i);
        row.put(column.name(), Values.get(rows, i + 1, column.isNumber()));
      }
      result.add(row);
    }
    return result;
  }

  private static void copy(ResultSet rows, RowSink writer) throws SQLException, IOException {
    List<RowSink.Column> columns = columns(rows.getMetaData());
    writer.begin(columns);
    Object[] cells = new Object[columns.size()];
    while (rows.next()) {
      for (int i = 0; i < cells.length; i++) {
        cells[i] = Values.get(rows, i + 1, columns.get(i).isNumber());
      }
      writer.row(cells);
    }
    writer.end();
  }

  private static List<RowSink.Column> columns(ResultSetMetaData meta) throws SQLException {
    List<RowSink.Column> columns = new ArrayList<>();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      boolean isNumber = Values.isNumber(meta.getColumnType(i), meta.getColumnTypeName(i));
      columns.add(new RowSink.Column(meta.getColumnLabel(i), isNumber));
    }
    return columns;
  }
}

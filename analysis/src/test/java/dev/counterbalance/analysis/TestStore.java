package dev.counterbalance.analysis;

import dev.counterbalance.trace.store.TableSpec;
import dev.counterbalance.trace.store.Tables;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Stores for tests: the schema, hand-made rows, and the catalogue. */
final class TestStore {
  private TestStore() {}

  /** An in-memory store with every table and the catalogue, without rows. */
  static Connection empty() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    createTables(connection);
    Catalogue.load().install(connection);
    return connection;
  }

  /** An in-memory store with the rows of a golden folder. */
  static Connection golden(String folder) throws SQLException, IOException {
    Connection connection = empty();
    execute(connection, resource("/golden/" + folder + "/store.sql"));
    return connection;
  }

  static void createTables(Connection connection) throws SQLException {
    for (TableSpec table : Tables.ALL) {
      execute(connection, table.createTable());
      if (table.hasView()) {
        execute(connection, table.createView());
      }
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The rows of a query as CSV lines, a header first; NULL is empty, fractions have six digits. */
  static List<String> csv(Connection connection, String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      List<String> cells = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        cells.add(rows.getMetaData().getColumnName(i));
      }
      lines.add(String.join(",", cells));
      while (rows.next()) {
        cells.clear();
        for (int i = 1; i <= columns; i++) {
          cells.add(cell(rows.getObject(i)));
        }
        lines.add(String.join(",", cells));
      }
    }
    return lines;
  }

  private static String cell(Object value) {
    if (value instanceof Double number) {
      return String.format(Locale.ROOT, "%.6f", number);
    }
    return Objects.toString(value, "");
  }

  static String resource(String name) throws IOException {
    try (InputStream stream = TestStore.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

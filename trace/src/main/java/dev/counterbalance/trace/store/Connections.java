package dev.counterbalance.trace.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;

/** Opens DuckDB with pinned options and locks it down. */
final class Connections {
  /** Storage version of the files, so that every DuckDB since 1.0 reads them. */
  static final String STORAGE_VERSION = "v1.0.0";

  private Connections() {}

  static Connection connect(Path file, boolean readOnly, boolean streaming) throws SQLException {
    Properties options = options(800);
    options.setProperty("temp_directory", file.toAbsolutePath() + ".tmp");
    if (!readOnly) {
      // An import decodes on a core of its own beside DuckDB.
      int cores = Runtime.getRuntime().availableProcessors();
      options.setProperty("threads", String.valueOf(Math.max(1, cores - 1)));
    }
    if (streaming) {
      options.setProperty("jdbc_stream_results", "true");
    }
    if (readOnly) {
      options.setProperty("duckdb.read_only", "true");
      options.setProperty("temp_directory", ownFolder(""));
    }
    return DriverManager.getConnection("jdbc:duckdb:" + file.toAbsolutePath(), options);
  }

  /** A database of its own in memory, for one thread; what does not fit spills to disk. */
  static Connection inMemory(int memoryMb) throws SQLException {
    Properties options = options(memoryMb);
    options.setProperty("temp_directory", ownFolder("-" + UUID.randomUUID()));
    options.setProperty("threads", "1");
    return DriverManager.getConnection("jdbc:duckdb:", options);
  }

  private static Properties options(int memoryMb) {
    Properties options = new Properties();
    options.setProperty("storage_compatibility_version", STORAGE_VERSION);
    options.setProperty("autoinstall_known_extensions", "false");
    options.setProperty("autoload_known_extensions", "false");
    options.setProperty("allow_community_extensions", "false");
    // Estimates of small tables are bad, and an ASOF join by nested loops is quadratic.
    options.setProperty("asof_loop_join_threshold", "0");
    options.setProperty("memory_limit", memoryMb + "MB");
    return options;
  }

  private static String ownFolder(String suffix) {
    return Path.of(System.getProperty("java.io.tmpdir"))
        .resolve("counterbalance-" + ProcessHandle.current().pid() + suffix)
        .toString();
  }

  static void lock(Connection connection, TraceStore.Reach reach) throws SQLException {
    if (reach.external()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET enable_external_access = false");
      statement.execute("SET lock_configuration = true");
    }
  }

  static void attach(Connection connection, String name, Path file) throws SQLException {
    if (!Files.isRegularFile(file)) {
      throw new StoreException(file + ": no such store. --attach takes NAME=STORE.");
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          String.format(
              "ATTACH '%s' AS \"%s\" (READ_ONLY)", quote(file), name.replace("\"", "\"\"")));
    }
  }

  static String quote(Path file) {
    return file.toAbsolutePath().toString().replace("'", "''");
  }

  static void closeQuietly(Connection connection) {
    if (connection == null) {
      return;
    }
    try {
      connection.close();
    } catch (SQLException e) {
      // Nothing was left to write: an import is committed before its store is closed.
    }
  }
}

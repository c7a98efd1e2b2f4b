package dev.counterbalance.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** The files that the commands of transcripts find. */
final class TranscriptFiles {
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0};

  private TranscriptFiles() {}

  /** Makes them. */
  static void create(Path folder) throws IOException {
    // One trace, "perf".
    SampleStore.create(folder.resolve("perf.duckdb"), "perf", "hog", "late");
    // Two traces, "before" and "after".
    SampleStore.create(folder.resolve("lab.duckdb"), "before", "hog", "late");
    SampleStore.add(folder.resolve("lab.duckdb"), "after");
    // Tasks with names that attack terminals, spreadsheets and browsers.
    SampleStore.create(
        folder.resolve("hostile.duckdb"),
        "=1+1\u001b[31m",
        "=cmd|\"\u001b[2J\n",
        "<script>|\u202eab");
    Files.copy(
        Path.of(System.getProperty("repo.root", ".."), "sample-traces/hackbench8/perfpipe.data"),
        folder.resolve("hackbench.data"));
    Files.createDirectory(folder.resolve("folder"));
    Files.write(folder.resolve("empty.data"), new byte[0]);
    Files.write(folder.resolve("perf.data"), PNG);
    Files.writeString(folder.resolve("query.sql"), "SELECT 1 AS one;\n");
    Files.write(folder.resolve("latin1.sql"), "SELECT 'ü'".getBytes(StandardCharsets.ISO_8859_1));
    Files.writeString(folder.resolve("notes.txt"), "These are only notes.\n");
    sql(folder.resolve("other.duckdb"), "CREATE TABLE t (x INTEGER)");
    sql(
        folder.resolve("newer.duckdb"),
        "CREATE TABLE store_info (schema_version INTEGER, created_by VARCHAR)",
        "INSERT INTO store_info VALUES (99, 'counterbalance 9')");
  }

  /** Copies them to an empty folder: one transcript's changes are not seen by the next. */
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (DirectoryStream<Path> old = Files.newDirectoryStream(to)) {
      for (Path file : old) {
        Files.delete(file);
      }
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static void sql(Path file, String... statements) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

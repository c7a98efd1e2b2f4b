package dev.counterbalance.trace.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One DuckDB file with one or more traces. Opened locked down: no file or network access from SQL,
 * no extension loading, a memory limit, and a temporary directory of its own.
 */
public final class TraceStore implements AutoCloseable {
  private static final String CREATED_BY = "counterbalance " + version();

  private static final Path IN_MEMORY = Path.of("(in memory)");

  private final Path target;
  private final PartFile part;
  private final Connection connection;

  private TraceStore(Path target, PartFile part, Connection connection) {
    this.target = target;
    this.part = part;
    this.connection = connection;
  }

  /** How a store is opened. */
  public enum Access {
    READ_ONLY,
    READ_WRITE
  }

  /**
   * What a store may do beside its own file.
   *
   * @param attach further stores, by the name SQL sees them under; always read-only
   * @param external whether SQL may read and write other files and load extensions
   * @param streaming whether results arrive row by row: large ones need no memory, but the next
   *     statement ends the one before
   */
  public record Reach(Map<String, Path> attach, boolean external, boolean streaming) {
    /** Nothing but its own file. */
    public static final Reach OWN_FILE = new Reach(Map.of(), false, false);

    public Reach {
      attach = Map.copyOf(attach);
    }
  }

  /** The version of Counterbalance that runs. */
  public static String version() {
    String version = TraceStore.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /**
   * A new, empty store. It is made beside its target and takes its place at {@link #publish};
   * closed without that, it leaves nothing.
   */
  public static TraceStore create(Path target) {
    PartFile part = PartFile.beside(target);
    try {
      Connection connection = Connections.connect(part.path(), false, false);
      TraceStore store = new TraceStore(target, part, connection);
      store.createSchema();
      Connections.lock(connection, Reach.OWN_FILE);
      return store;
    } catch (SQLException | StoreException e) {
      part.delete();
      throw e instanceof StoreException s ? s : opening(target, (SQLException) e);
    }
  }

  /**
   * An empty store in memory, for a run that is read and dropped, or for results nobody keeps. It
   * works on one thread; what does not fit into its memory spills to the temporary folder. {@link
   * #clear} makes it ready for the next run at a fraction of what a new one costs.
   *
   * @param memoryMb how much memory it may use, MB
   */
  public static TraceStore inMemory(int memoryMb) {
    try {
      Connection connection = Connections.inMemory(memoryMb);
      TraceStore store = new TraceStore(IN_MEMORY, null, connection);
      store.createSchema();
      Connections.lock(connection, Reach.OWN_FILE);
      return store;
    } catch (SQLException e) {
      throw opening(IN_MEMORY, e);
    }
  }

  /** Drops every trace, and with them the memory they took. */
  public void clear() {
    inTransaction(
        () -> {
          try (Statement statement = connection.createStatement()) {
            for (TableSpec table : Tables.ALL) {
              statement.execute(table.replaceTable());
            }
          }
        });
  }

  /** Opens a store that exists. */
  public static TraceStore open(Path file, Access access, Reach reach) {
    if (Files.isDirectory(file)) {
      throw new StoreException(
          file + ": is a directory, expected a store. Name the .duckdb file in it.");
    }
    if (!Files.exists(file)) {
      throw new StoreException(
          file + ": no such store. Make one with: trace-import perf.data -o " + file);
    }
    if (!Files.isReadable(file)) {
      throw new StoreException(file + ": cannot be read. Check its permissions.");
    }
    Connection connection = null;
    try {
      connection = Connections.connect(file, access == Access.READ_ONLY, reach.streaming());
      checkSchema(file, connection);
      for (Map.Entry<String, Path> other : reach.attach().entrySet()) {
        Connections.attach(connection, other.getKey(), other.getValue());
      }
      Connections.lock(connection, reach);
      return new TraceStore(file, null, connection);
    } catch (SQLException e) {
      Connections.closeQuietly(connection);
      throw opening(file, e);
    } catch (StoreException e) {
      Connections.closeQuietly(connection);
      throw e;
    }
  }

  /** Opens a store to read it. */
  public static TraceStore openReadOnly(Path file) {
    return open(file, Access.READ_ONLY, Reach.OWN_FILE);
  }

  /** Opens a store for {@link #compact}, which has to attach the file it writes. */
  public static TraceStore openForCompaction(Path file) {
    return open(file, Access.READ_WRITE, new Reach(Map.of(), true, false));
  }

  /** Opens a store to change it. */
  public static TraceStore openReadWrite(Path file) {
    return open(file, Access.READ_WRITE, Reach.OWN_FILE);
  }

  public Connection connection() {
    return connection;
  }

  /** The file users know; a new store is there only after {@link #publish}. */
  public Path file() {
    return target;
  }

  /** The traces, in the order they were added. */
  public List<TraceRef> traces() {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT trace_id, name, uuid FROM _trace ORDER BY trace_id")) {
      List<TraceRef> traces = new ArrayList<>();
      while (rows.next()) {
        traces.add(new TraceRef(rows.getInt(1), rows.getString(2), rows.getString(3)));
      }
      return traces;
    } catch (SQLException e) {
      throw opening(target, e);
    }
  }

  /** The trace of that name. */
  public Optional<TraceRef> trace(String name) {
    return traces().stream().filter(t -> t.name().equals(name)).findFirst();
  }

  /**
   * Begins to add a trace.
   *
   * @param replace whether a trace of that name is replaced; else it is refused
   */
  public TraceImport beginImport(String name, boolean replace) {
    Optional<TraceRef> old = trace(name);
    if (old.isPresent() && !replace) {
      throw new StoreException(
          String.format(
              "%s: holds a trace named '%s' already. Give --replace to replace it, --name for"
                  + " another name, or -o for another store.",
              target, name));
    }
    try {
      connection.setAutoCommit(false);
      if (old.isPresent()) {
        delete(old.get().traceId());
      }
      return new TraceImport(this, nextTraceId(), name);
    } catch (SQLException e) {
      throw StoreException.writing(e);
    }
  }

  /** Removes a trace. */
  public void remove(TraceRef trace) {
    inTransaction(() -> delete(trace.traceId()));
  }

  /** Begins to add further rows to a trace. */
  public TraceImport beginAppend(TraceRef trace) {
    try {
      connection.setAutoCommit(false);
      return new TraceImport(this, trace.traceId(), trace.name());
    } catch (SQLException e) {
      throw StoreException.writing(e);
    }
  }

  /** Gives a trace another name. */
  public void rename(TraceRef trace, String name) {
    if (trace(name).isPresent()) {
      throw new StoreException(
          String.format(
              "%s: holds a trace named '%s' already. Choose another name.", target, name));
    }
    inTransaction(
        () -> {
          try (PreparedStatement update =
              connection.prepareStatement("UPDATE _trace SET name = ? WHERE trace_id = ?")) {
            update.setString(1, name);
            update.setInt(2, trace.traceId());
            update.executeUpdate();
          }
        });
  }

  /**
   * Copies every trace of another store into this one. A trace that is here already (same uuid) is
   * left out; a taken name gets {@code -2}, {@code -3}, ... appended.
   *
   * @param attached the name the other store was attached under, see {@link Reach}
   * @return the traces as they are named here
   */
  public List<TraceRef> merge(String attached) {
    List<TraceRef> merged = new ArrayList<>();
    inTransaction(
        () -> {
          List<TraceRef> here = traces();
          for (TraceRef other : tracesOf(attached)) {
            if (here.stream().noneMatch(t -> t.uuid().equals(other.uuid()))) {
              merged.add(copy(attached, other));
            }
          }
        });
    return merged;
  }

  /**
   * Copies a trace of another open store into this one, in one transaction. What it costs to put it
   * into the file's tables is left to {@link #checkpoint}, once for many traces.
   *
   * @param from of the other store
   * @param replaced the trace whose place it takes
   * @param events whether its events, intervals and tasks are copied; else only what it is and its
   *     figures, its CPUs count as not recorded and its events as {@code none}, so that nothing
   *     takes it for an idle machine
   */
  public TraceRef take(
      TraceCopy from, TraceRef trace, Optional<TraceRef> replaced, boolean events) {
    int[] id = new int[1];
    inTransaction(
        () -> {
          if (replaced.isPresent()) {
            delete(replaced.get().traceId());
          }
          id[0] = nextTraceId();
          from.copy(trace, events, connection, id[0]);
        });
    return new TraceRef(id[0], trace.name(), trace.uuid());
  }

  /**
   * Puts what was committed into the file's tables. Without it nothing is lost: it stays in a log
   * beside the file until then, or until the store is closed.
   */
  public void checkpoint() {
    if (target.equals(IN_MEMORY)) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      // A new store is still a part file, which goes: nothing is kept.
      throw part == null ? StoreException.checkpointing(e) : StoreException.writing(e);
    }
  }

  /**
   * Rewrites the file without the room that removed traces left. The store must have been opened by
   * {@link #openForCompaction} and is closed by it.
   */
  public void compact() {
    PartFile fresh = PartFile.beside(target);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "ATTACH '"
              + Connections.quote(fresh.path())
              + "' AS fresh (STORAGE_VERSION '"
              + Connections.STORAGE_VERSION
              + "')");
      String self = currentDatabase();
      statement.execute("COPY FROM DATABASE \"" + self.replace("\"", "\"\"") + "\" TO fresh");
      statement.execute("DETACH fresh");
    } catch (SQLException e) {
      fresh.delete();
      throw StoreException.writing(e);
    }
    close();
    fresh.moveTo(target);
  }

  /** Puts a new store in its place, which must still be free; the store is closed by it. */
  public void publish() {
    Connections.closeQuietly(connection);
    part.publishAs(target);
  }

  @Override
  public void close() {
    Connections.closeQuietly(connection);
    if (part != null) {
      part.delete();
    }
  }

  private TraceRef copy(String attached, TraceRef other) throws SQLException {
    int id = nextTraceId();
    String name = other.name();
    for (int i = 2; trace(name).isPresent(); i++) {
      name = other.name() + "-" + i;
    }
    try (Statement statement = connection.createStatement()) {
      for (TableSpec table : Tables.ALL) {
        String columns =
            table.columns().stream()
                .map(c -> '"' + c.name() + '"')
                .collect(Collectors.joining(", "));
        statement.execute(
            String.format(
                "INSERT INTO \"%s\" SELECT %d, %s FROM \"%s\".\"%s\" WHERE trace_id = %d",
                table.storedName(), id, columns, attached, table.storedName(), other.traceId()));
      }
    }
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE _trace SET name = ? WHERE trace_id = ?")) {
      update.setString(1, name);
      update.setInt(2, id);
      update.executeUpdate();
    }
    return new TraceRef(id, name, other.uuid());
  }

  private List<TraceRef> tracesOf(String attached) throws SQLException {
    List<TraceRef> traces = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT trace_id, name, uuid FROM \"" + attached + "\"._trace ORDER BY trace_id")) {
      while (rows.next()) {
        traces.add(new TraceRef(rows.getInt(1), rows.getString(2), rows.getString(3)));
      }
    }
    return traces;
  }

  private void delete(int traceId) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (TableSpec table : Tables.ALL) {
        statement.execute("DELETE FROM \"" + table.storedName() + "\" WHERE trace_id = " + traceId);
      }
    }
  }

  private int nextTraceId() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT coalesce(max(trace_id), 0) + 1 FROM _trace")) {
      row.next();
      return row.getInt(1);
    }
  }

  private String currentDatabase() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT current_database()")) {
      row.next();
      return row.getString(1);
    }
  }

  private void createSchema() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE store_info (schema_version INTEGER, created_by VARCHAR)");
      statement.execute(
          "INSERT INTO store_info VALUES (" + Tables.SCHEMA_VERSION + ", '" + CREATED_BY + "')");
      for (TableSpec table : Tables.ALL) {
        statement.execute(table.createTable());
        if (table.hasView()) {
          statement.execute(table.createView());
        }
      }
    }
  }

  /** A change of the store. */
  private interface Change {
    void run() throws SQLException;
  }

  private void inTransaction(Change change) {
    try {
      connection.setAutoCommit(false);
      try {
        change.run();
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw StoreException.writing(e);
    }
  }

  private static void checkSchema(Path file, Connection connection) throws SQLException {
    int version;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT max(schema_version) FROM store_info")) {
      row.next();
      version = row.getInt(1);
    } catch (SQLException e) {
      throw new StoreException(
          file
              + ": is a DuckDB file but not a store of Counterbalance (it has no store_info)."
              + " Make one with trace-import.",
          e);
    }
    if (version != Tables.SCHEMA_VERSION) {
      throw new StoreException(
          String.format(
              "%s: has schema version %d, this program reads %d. %s",
              file,
              version,
              Tables.SCHEMA_VERSION,
              version > Tables.SCHEMA_VERSION
                  ? "Use the newer program that wrote it."
                  : "Import the recording again."));
    }
  }

  private static StoreException opening(Path file, SQLException e) {
    String text = String.valueOf(e.getMessage());
    if (text.contains("Could not set lock") || text.contains("Conflicting lock")) {
      return new StoreException(
          file
              + ": is in use by another process. Wait until it ends, or work on a copy of the file.",
          e);
    }
    if (text.contains("not a valid DuckDB database file")) {
      return new StoreException(
          file + ": is not a store. Make one with: trace-import perf.data -o STORE", e);
    }
    return new StoreException(file + ": cannot be opened: " + StoreException.firstLine(text), e);
  }
}

package dev.counterbalance.trace.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * A trace being added to a store, in one transaction: {@link #commit} keeps it, {@link #close}
 * without commit leaves the store as it was.
 */
public final class TraceImport implements AutoCloseable {
  private final TraceStore store;
  private final int traceId;
  private final String name;
  private final String uuid = UUID.randomUUID().toString();
  private final BatchWriter writer;
  private boolean done;

  TraceImport(TraceStore store, int traceId, String name) {
    this.store = store;
    this.traceId = traceId;
    this.name = name;
    this.writer = new BatchWriter(store.connection(), traceId);
  }

  public int traceId() {
    return traceId;
  }

  public String name() {
    return name;
  }

  public String uuid() {
    return uuid;
  }

  /** The writer of a table's rows for this trace; the same one at every call. */
  public TableWriter table(TableSpec spec) {
    return writer.table(spec);
  }

  /** Writes what is buffered; its rows can be read on the store's connection from here on. */
  public void finish() {
    writer.finish();
  }

  /** Finishes and keeps the trace. */
  public void commit() {
    writer.finish();
    writer.close();
    Connection connection = store.connection();
    try {
      connection.commit();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw StoreException.writing(e);
    }
    done = true;
    try (Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      throw StoreException.writing(e);
    }
  }

  @Override
  public void close() {
    if (done) {
      return;
    }
    done = true;
    writer.close();
    try {
      store.connection().rollback();
      store.connection().setAutoCommit(true);
    } catch (SQLException e) {
      throw new StoreException("the import could not be rolled back: " + e.getMessage(), e);
    }
  }
}

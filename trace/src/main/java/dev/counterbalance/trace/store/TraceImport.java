package dev.counterbalance.trace.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * A trace being added to a store, in one transaction: {@link #commit} keeps it, {@link #close}
 * without commit leaves the store as it was. Further traces can follow in the same transaction,
 * which costs many short ones much less than one each.
 */
public final class TraceImport implements AutoCloseable {
  private final TraceStore store;
  private final BatchWriter writer;
  private int traceId;
  private String name;
  private String uuid = UUID.randomUUID().toString();
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

  /**
   * Begins a further trace: rows from here on are its rows.
   *
   * @param next its name, which the store must not have
   */
  public void next(String next) {
    traceId++;
    name = next;
    uuid = UUID.randomUUID().toString();
    writer.turnTo(traceId);
  }

  /** Goes on with a trace that is in the store: rows from here on are its rows. */
  public void turnTo(TraceRef trace) {
    traceId = trace.traceId();
    name = trace.name();
    uuid = trace.uuid();
    writer.turnTo(traceId);
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
    store.checkpoint();
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

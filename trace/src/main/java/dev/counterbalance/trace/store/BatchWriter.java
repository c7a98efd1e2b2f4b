package dev.counterbalance.trace.store;

import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Writes the tables of one trace, or of several behind each other: the caller fills primitive
 * columns, a thread of its own pushes full batches through Arrow into DuckDB, so that decoding and
 * storing run side by side. Memory is bounded by the batches under way.
 */
final class BatchWriter implements AutoCloseable {
  private static final int QUEUE = 3;

  /** Full columns of one table. */
  static final class Batch {
    final TableSpec spec;
    final Object[] arrays;
    final int rows;

    /** Whose rows they are; of several traces {@link #traceIds} has one for each row. */
    final int traceId;

    final int[] traceIds;

    Batch(TableSpec spec, Object[] arrays, int rows, int traceId, int[] traceIds) {
      this.spec = spec;
      this.arrays = arrays;
      this.rows = rows;
      this.traceId = traceId;
      this.traceIds = traceIds;
    }
  }

  private static final Batch END = new Batch(Tables.TRACE, new Object[0], 0, 0, null);

  private final Map<TableSpec, TableWriter> writers = new LinkedHashMap<>();
  private final Map<TableSpec, ArrayDeque<Object[]>> recycled = new LinkedHashMap<>();
  private final BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(QUEUE);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final BufferAllocator allocator = new RootAllocator();
  private final ArrowInserter inserter;
  private final Thread thread;
  private int traceId;
  private boolean finished;

  BatchWriter(Connection connection, int traceId) {
    this.traceId = traceId;
    inserter = new ArrowInserter(connection, allocator);
    thread = new Thread(this::run, "store-writer");
    thread.setDaemon(true);
    thread.start();
  }

  TableWriter table(TableSpec spec) {
    return writers.computeIfAbsent(spec, s -> new TableWriter(s, this, traceId));
  }

  /** Rows from here on are another trace's. */
  void turnTo(int otherTraceId) {
    traceId = otherTraceId;
    writers.values().forEach(writer -> writer.turnTo(otherTraceId));
  }

  /** Arrays of an earlier batch of the table, to be filled again; null if there are none. */
  Object[] recycled(TableSpec spec) {
    synchronized (recycled) {
      ArrayDeque<Object[]> pool = recycled.get(spec);
      return pool == null ? null : pool.poll();
    }
  }

  void submit(Batch batch) {
    try {
      queue.put(batch);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while writing the store", e);
    }
    rethrow();
  }

  /** Writes what is left and waits until all of it is in the database. */
  void finish() {
    writers.values().forEach(TableWriter::flush);
    stop();
    rethrow();
  }

  private void stop() {
    if (finished) {
      return;
    }
    finished = true;
    try {
      queue.put(END);
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while writing the store", e);
    }
  }

  @Override
  public void close() {
    stop();
    inserter.close();
    allocator.close();
  }

  private void rethrow() {
    Throwable t = failure.get();
    if (t != null) {
      throw StoreException.writing(t);
    }
  }

  private void run() {
    try {
      for (Batch batch = queue.take(); batch != END; batch = queue.take()) {
        if (failure.get() == null) {
          insert(batch);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void insert(Batch batch) {
    try {
      inserter.insert(batch);
      synchronized (recycled) {
        recycled.computeIfAbsent(batch.spec, s -> new ArrayDeque<>()).add(batch.arrays);
      }
    } catch (Exception | Error t) {
      failure.set(t);
    }
  }
}

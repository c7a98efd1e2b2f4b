package dev.counterbalance.trace.store;

import java.util.Arrays;
import java.util.List;

/** Appends rows to one stored table: add a value to every column, then {@link #endRow}. */
public final class TableWriter {
  private final TableSpec spec;
  private final Column[] columns;
  private final BatchWriter out;
  private int capacity = Column.FIRST_ROWS;
  private int rows;
  private long total;
  private int traceId;

  /** Whose the first {@link #owned} rows are, once there are several traces in the batch. */
  private int[] owners;

  private int owned;

  TableWriter(TableSpec spec, BatchWriter out, int traceId) {
    this.spec = spec;
    this.out = out;
    this.traceId = traceId;
    List<ColumnSpec> specs = spec.columns();
    columns = new Column[specs.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Column.of(specs.get(i).type());
    }
  }

  public Column.Longs longs(String column) {
    return (Column.Longs) columns[spec.indexOf(column)];
  }

  public Column.Ints ints(String column) {
    return (Column.Ints) columns[spec.indexOf(column)];
  }

  public Column.Shorts shorts(String column) {
    return (Column.Shorts) columns[spec.indexOf(column)];
  }

  public Column.Bytes bytes(String column) {
    return (Column.Bytes) columns[spec.indexOf(column)];
  }

  public Column.Doubles doubles(String column) {
    return (Column.Doubles) columns[spec.indexOf(column)];
  }

  public Column.Texts texts(String column) {
    return (Column.Texts) columns[spec.indexOf(column)];
  }

  /** Ends a row; every column must have got its value. */
  public void endRow() {
    total++;
    if (++rows == capacity) {
      full();
    }
  }

  /** Rows so far. */
  public long rows() {
    return total;
  }

  void turnTo(int otherTraceId) {
    if (otherTraceId != traceId) {
      if (rows > 0) {
        own();
      }
      traceId = otherTraceId;
    }
  }

  /** Notes whose the rows since the last note are. */
  private void own() {
    owners = owners == null ? new int[rows] : Arrays.copyOf(owners, rows);
    Arrays.fill(owners, owned, rows, traceId);
    owned = rows;
  }

  private void full() {
    if (capacity == Column.ROWS) {
      handOver(out.recycled(spec));
      return;
    }
    capacity = Math.min(Column.ROWS, capacity * 4);
    for (Column column : columns) {
      column.grow(capacity);
    }
  }

  /** Hands over the rows of the last batch. */
  void flush() {
    if (rows > 0) {
      capacity = Column.FIRST_ROWS;
      handOver(null);
    }
  }

  private void handOver(Object[] fresh) {
    Object[] arrays = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      if (columns[i].size != rows) {
        throw new IllegalStateException(
            String.format(
                "%s.%s: must have a value per row: values=%d, rows=%d",
                spec.name(), spec.columns().get(i).name(), columns[i].size, rows));
      }
      arrays[i] = columns[i].swap(fresh == null ? null : fresh[i], capacity);
    }
    if (owned > 0) {
      own();
    }
    out.submit(new BatchWriter.Batch(spec, arrays, rows, traceId, owners));
    rows = 0;
    owned = 0;
    owners = null;
  }
}

package dev.counterbalance.trace.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;

/** Turns a batch of primitive arrays into an Arrow stream and lets DuckDB insert from it. */
final class ArrowInserter implements AutoCloseable {
  private static final String VIEW = "_batch";
  private static final ColumnSpec TRACE_ID =
      ColumnSpec.of("trace_id", ColumnType.INTEGER, "", "Trace.");

  private final Connection connection;
  private final BufferAllocator allocator;

  /** By table; those with a column of trace ids have their own. */
  private final Map<TableSpec, ArrowColumns> columns = new HashMap<>();

  private final Map<TableSpec, ArrowColumns> ownedColumns = new HashMap<>();

  ArrowInserter(Connection connection, BufferAllocator allocator) {
    this.connection = connection;
    this.allocator = allocator;
  }

  void insert(BatchWriter.Batch batch) throws SQLException {
    ArrowColumns buffers = buffers(batch);
    try (VectorSchemaRoot root = new VectorSchemaRoot(buffers.fill(arrays(batch), batch.rows));
        OneBatch reader = new OneBatch(root, allocator);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      root.setRowCount(batch.rows);
      Data.exportArrayStream(allocator, reader, stream);
      connection.unwrap(DuckDBConnection.class).registerArrowStream(VIEW, stream);
      try (Statement statement = connection.createStatement()) {
        statement.execute(insertSql(batch));
        statement.execute("DROP VIEW " + VIEW);
      }
    } catch (java.io.IOException e) {
      throw new SQLException(e);
    }
  }

  private ArrowColumns buffers(BatchWriter.Batch batch) {
    Map<TableSpec, ArrowColumns> all = batch.traceIds == null ? columns : ownedColumns;
    ArrowColumns known = all.get(batch.spec);
    if (known != null && known.capacity() >= batch.rows) {
      return known;
    }
    if (known != null) {
      known.close();
    }
    List<ColumnSpec> specs = new ArrayList<>(batch.spec.columns());
    if (batch.traceIds != null) {
      specs.add(TRACE_ID);
    }
    ArrowColumns fresh = new ArrowColumns(allocator, specs, batch.rows);
    all.put(batch.spec, fresh);
    return fresh;
  }

  private static Object[] arrays(BatchWriter.Batch batch) {
    if (batch.traceIds == null) {
      return batch.arrays;
    }
    Object[] arrays = Arrays.copyOf(batch.arrays, batch.arrays.length + 1);
    arrays[batch.arrays.length] = batch.traceIds;
    return arrays;
  }

  private static String insertSql(BatchWriter.Batch batch) {
    String owner = batch.traceIds == null ? String.valueOf(batch.traceId) : TRACE_ID.name();
    return batch.spec.columns().stream()
        .map(c -> '"' + c.name() + '"' + (c.type() == ColumnType.BIT ? "::BIT" : ""))
        .collect(
            Collectors.joining(
                ", ",
                "INSERT INTO \"" + batch.spec.storedName() + "\" SELECT " + owner + ", ",
                " FROM " + VIEW));
  }

  @Override
  public void close() {
    columns.values().forEach(ArrowColumns::close);
    ownedColumns.values().forEach(ArrowColumns::close);
  }

  /** A reader over one batch that is there already. */
  private static final class OneBatch extends ArrowReader {
    private final VectorSchemaRoot root;
    private boolean read;

    OneBatch(VectorSchemaRoot root, BufferAllocator allocator) {
      super(allocator);
      this.root = root;
    }

    @Override
    public VectorSchemaRoot getVectorSchemaRoot() {
      return root;
    }

    @Override
    public boolean loadNextBatch() {
      boolean first = !read;
      read = true;
      return first;
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
      return root.getSchema();
    }
  }
}

package dev.counterbalance.trace.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
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

  private final Connection connection;
  private final BufferAllocator allocator;
  private final int traceId;
  private final Map<TableSpec, ArrowColumns> columns = new HashMap<>();

  ArrowInserter(Connection connection, BufferAllocator allocator, int traceId) {
    this.connection = connection;
    this.allocator = allocator;
    this.traceId = traceId;
  }

  void insert(BatchWriter.Batch batch) throws SQLException {
    TableSpec spec = batch.spec;
    ArrowColumns buffers = buffers(spec, batch.rows);
    try (VectorSchemaRoot root = new VectorSchemaRoot(buffers.fill(batch.arrays, batch.rows));
        OneBatch reader = new OneBatch(root, allocator);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      root.setRowCount(batch.rows);
      Data.exportArrayStream(allocator, reader, stream);
      connection.unwrap(DuckDBConnection.class).registerArrowStream(VIEW, stream);
      try (Statement statement = connection.createStatement()) {
        statement.execute(insertSql(spec));
        statement.execute("DROP VIEW " + VIEW);
      }
    } catch (java.io.IOException e) {
      throw new SQLException(e);
    }
  }

  private ArrowColumns buffers(TableSpec spec, int rows) {
    ArrowColumns known = columns.get(spec);
    if (known != null && known.capacity() >= rows) {
      return known;
    }
    if (known != null) {
      known.close();
    }
    ArrowColumns fresh = new ArrowColumns(allocator, spec.columns(), rows);
    columns.put(spec, fresh);
    return fresh;
  }

  private String insertSql(TableSpec spec) {
    return spec.columns().stream()
        .map(c -> '"' + c.name() + '"' + (c.type() == ColumnType.BIT ? "::BIT" : ""))
        .collect(
            Collectors.joining(
                ", ",
                "INSERT INTO \"" + spec.storedName() + "\" SELECT " + traceId + ", ",
                " FROM " + VIEW));
  }

  @Override
  public void close() {
    columns.values().forEach(ArrowColumns::close);
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

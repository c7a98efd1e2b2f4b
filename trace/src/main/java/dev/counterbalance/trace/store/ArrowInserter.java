package dev.counterbalance.trace.store;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;

/** Turns a batch of primitive arrays into an Arrow stream and lets DuckDB insert from it. */
final class ArrowInserter {
  private static final String VIEW = "_batch";

  private final Connection connection;
  private final BufferAllocator allocator;
  private final int traceId;

  ArrowInserter(Connection connection, BufferAllocator allocator, int traceId) {
    this.connection = connection;
    this.allocator = allocator;
    this.traceId = traceId;
  }

  void insert(BatchWriter.Batch batch) throws SQLException {
    TableSpec spec = batch.spec;
    List<FieldVector> vectors = new ArrayList<>();
    for (int i = 0; i < spec.columns().size(); i++) {
      vectors.add(vector(spec.columns().get(i), batch.arrays[i], batch.rows));
    }
    try (VectorSchemaRoot root = new VectorSchemaRoot(vectors);
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

  private String insertSql(TableSpec spec) {
    return spec.columns().stream()
        .map(c -> '"' + c.name() + '"' + (c.type() == ColumnType.BIT ? "::BIT" : ""))
        .collect(
            Collectors.joining(
                ", ",
                "INSERT INTO \"" + spec.storedName() + "\" SELECT " + traceId + ", ",
                " FROM " + VIEW));
  }

  private FieldVector vector(ColumnSpec column, Object data, int rows) {
    String name = column.name();
    return switch (column.type()) {
      case BIGINT -> longs(new BigIntVector(name, allocator), (long[]) data, rows);
      case INTEGER -> ints(new IntVector(name, allocator), (int[]) data, rows);
      case SMALLINT -> shorts(new SmallIntVector(name, allocator), (short[]) data, rows);
      case CODE -> codes(new TinyIntVector(name, allocator), (byte[]) data, rows);
      case BOOLEAN -> flags(new BitVector(name, allocator), (byte[]) data, rows);
      case DOUBLE -> doubles(new Float8Vector(name, allocator), (double[]) data, rows);
      case VARCHAR, BIT -> texts(new VarCharVector(name, allocator), (String[]) data, rows);
    };
  }

  private static FieldVector longs(BigIntVector vector, long[] data, int rows) {
    vector.allocateNew(rows);
    vector
        .getDataBuffer()
        .nioBuffer(0, rows * Long.BYTES)
        .order(ByteOrder.nativeOrder())
        .asLongBuffer()
        .put(data, 0, rows);
    byte[] valid = new byte[(rows + 7) / 8];
    for (int i = 0; i < rows; i++) {
      if (data[i] != Column.NULL_LONG) {
        valid[i >> 3] |= (byte) (1 << (i & 7));
      }
    }
    return validity(vector, valid, rows);
  }

  private static FieldVector ints(IntVector vector, int[] data, int rows) {
    vector.allocateNew(rows);
    vector
        .getDataBuffer()
        .nioBuffer(0, rows * Integer.BYTES)
        .order(ByteOrder.nativeOrder())
        .asIntBuffer()
        .put(data, 0, rows);
    byte[] valid = new byte[(rows + 7) / 8];
    for (int i = 0; i < rows; i++) {
      if (data[i] != Column.NULL_INT) {
        valid[i >> 3] |= (byte) (1 << (i & 7));
      }
    }
    return validity(vector, valid, rows);
  }

  private static FieldVector shorts(SmallIntVector vector, short[] data, int rows) {
    vector.allocateNew(rows);
    vector
        .getDataBuffer()
        .nioBuffer(0, rows * Short.BYTES)
        .order(ByteOrder.nativeOrder())
        .asShortBuffer()
        .put(data, 0, rows);
    byte[] valid = new byte[(rows + 7) / 8];
    for (int i = 0; i < rows; i++) {
      if (data[i] != Column.NULL_SHORT) {
        valid[i >> 3] |= (byte) (1 << (i & 7));
      }
    }
    return validity(vector, valid, rows);
  }

  private static FieldVector codes(TinyIntVector vector, byte[] data, int rows) {
    vector.allocateNew(rows);
    vector.getDataBuffer().setBytes(0, data, 0, rows);
    byte[] valid = new byte[(rows + 7) / 8];
    for (int i = 0; i < rows; i++) {
      if (data[i] != Column.NULL_BYTE) {
        valid[i >> 3] |= (byte) (1 << (i & 7));
      }
    }
    return validity(vector, valid, rows);
  }

  private static FieldVector flags(BitVector vector, byte[] data, int rows) {
    vector.allocateNew(rows);
    byte[] bits = new byte[(rows + 7) / 8];
    byte[] valid = new byte[(rows + 7) / 8];
    for (int i = 0; i < rows; i++) {
      if (data[i] != Column.NULL_BYTE) {
        valid[i >> 3] |= (byte) (1 << (i & 7));
        bits[i >> 3] |= (byte) (data[i] << (i & 7));
      }
    }
    vector.getDataBuffer().setBytes(0, bits);
    return validity(vector, valid, rows);
  }

  private static FieldVector doubles(Float8Vector vector, double[] data, int rows) {
    vector.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      if (Double.isNaN(data[i])) {
        vector.setNull(i);
      } else {
        vector.set(i, data[i]);
      }
    }
    vector.setValueCount(rows);
    return vector;
  }

  private static FieldVector texts(VarCharVector vector, String[] data, int rows) {
    vector.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      if (data[i] == null) {
        vector.setNull(i);
      } else {
        vector.setSafe(i, data[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(rows);
    return vector;
  }

  private static FieldVector validity(BaseFixedWidthVector vector, byte[] valid, int rows) {
    ArrowBuf buffer = vector.getValidityBuffer();
    buffer.setBytes(0, valid);
    vector.setValueCount(rows);
    return vector;
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

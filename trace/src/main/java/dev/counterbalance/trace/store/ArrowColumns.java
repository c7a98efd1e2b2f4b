package dev.counterbalance.trace.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Arrow vectors over buffers that are filled again for each batch of a table: no allocation, and no
 * clearing of memory that is about to be overwritten.
 */
final class ArrowColumns implements AutoCloseable {
  private final BufferAllocator allocator;
  private final List<ColumnSpec> specs;
  private final ArrowBuf[] validity;
  private final ArrowBuf[] data;
  private final int capacity;
  private final byte[] valid;
  private final byte[] bits;

  /**
   * Makes buffers.
   *
   * @param rows how many rows a batch has at most
   */
  ArrowColumns(BufferAllocator allocator, List<ColumnSpec> specs, int rows) {
    this.allocator = allocator;
    this.specs = specs;
    capacity = Math.min(Column.ROWS, (Math.max(rows, Column.FIRST_ROWS) + 7) & ~7);
    valid = new byte[capacity / 8];
    bits = new byte[capacity / 8];
    validity = new ArrowBuf[specs.size()];
    data = new ArrowBuf[specs.size()];
    for (int i = 0; i < data.length; i++) {
      int width = width(specs.get(i).type());
      if (width > 0) {
        validity[i] = allocator.buffer(valid.length);
        data[i] = allocator.buffer((long) capacity * width);
      }
    }
  }

  int capacity() {
    return capacity;
  }

  /** Vectors over a batch's arrays; they are good until the next call. The caller closes them. */
  List<FieldVector> fill(Object[] arrays, int rows) {
    List<FieldVector> vectors = new ArrayList<>();
    for (int i = 0; i < arrays.length; i++) {
      vectors.add(vector(i, arrays[i], rows));
    }
    return vectors;
  }

  @Override
  public void close() {
    for (int i = 0; i < data.length; i++) {
      if (data[i] != null) {
        validity[i].close();
        data[i].close();
      }
    }
  }

  private FieldVector vector(int i, Object values, int rows) {
    String name = specs.get(i).name();
    return switch (specs.get(i).type()) {
      case BIGINT ->
          load(new BigIntVector(name, allocator), i, longs(i, (long[]) values, rows), rows);
      case INTEGER -> load(new IntVector(name, allocator), i, ints(i, (int[]) values, rows), rows);
      case SMALLINT ->
          load(new SmallIntVector(name, allocator), i, shorts(i, (short[]) values, rows), rows);
      case CODE ->
          load(new TinyIntVector(name, allocator), i, codes(i, (byte[]) values, rows), rows);
      case BOOLEAN ->
          load(new BitVector(name, allocator), i, flags(i, (byte[]) values, rows), rows);
      case DOUBLE ->
          load(new Float8Vector(name, allocator), i, doubles(i, (double[]) values, rows), rows);
      case VARCHAR, BIT -> texts(new VarCharVector(name, allocator), (String[]) values, rows);
    };
  }

  private FieldVector load(FieldVector vector, int i, int nulls, int rows) {
    validity[i].setBytes(0, valid, 0, (rows + 7) / 8);
    vector.loadFieldBuffers(new ArrowFieldNode(rows, nulls), List.of(validity[i], data[i]));
    return vector;
  }

  private ByteBuffer bytes(int i, int length) {
    return data[i].nioBuffer(0, length).order(ByteOrder.nativeOrder());
  }

  // One loop per width: each fills the bits of `valid` eight rows at a time and returns the nulls.

  private int longs(int i, long[] values, int rows) {
    bytes(i, rows * Long.BYTES).asLongBuffer().put(values, 0, rows);
    int nulls = 0;
    for (int row = 0; row < rows; row += 8) {
      int end = Math.min(8, rows - row);
      int mask = 0;
      for (int k = 0; k < end; k++) {
        mask |= (values[row + k] == Column.NULL_LONG ? 0 : 1) << k;
      }
      valid[row >> 3] = (byte) mask;
      nulls += end - Integer.bitCount(mask);
    }
    return nulls;
  }

  private int ints(int i, int[] values, int rows) {
    bytes(i, rows * Integer.BYTES).asIntBuffer().put(values, 0, rows);
    int nulls = 0;
    for (int row = 0; row < rows; row += 8) {
      int end = Math.min(8, rows - row);
      int mask = 0;
      for (int k = 0; k < end; k++) {
        mask |= (values[row + k] == Column.NULL_INT ? 0 : 1) << k;
      }
      valid[row >> 3] = (byte) mask;
      nulls += end - Integer.bitCount(mask);
    }
    return nulls;
  }

  private int shorts(int i, short[] values, int rows) {
    bytes(i, rows * Short.BYTES).asShortBuffer().put(values, 0, rows);
    int nulls = 0;
    for (int row = 0; row < rows; row += 8) {
      int end = Math.min(8, rows - row);
      int mask = 0;
      for (int k = 0; k < end; k++) {
        mask |= (values[row + k] == Column.NULL_SHORT ? 0 : 1) << k;
      }
      valid[row >> 3] = (byte) mask;
      nulls += end - Integer.bitCount(mask);
    }
    return nulls;
  }

  private int codes(int i, byte[] values, int rows) {
    data[i].setBytes(0, values, 0, rows);
    return validBytes(values, rows);
  }

  private int flags(int i, byte[] values, int rows) {
    for (int row = 0; row < rows; row += 8) {
      int end = Math.min(8, rows - row);
      int mask = 0;
      for (int k = 0; k < end; k++) {
        mask |= (values[row + k] & 1) << k;
      }
      bits[row >> 3] = (byte) mask;
    }
    data[i].setBytes(0, bits, 0, (rows + 7) / 8);
    return validBytes(values, rows);
  }

  private int validBytes(byte[] values, int rows) {
    int nulls = 0;
    for (int row = 0; row < rows; row += 8) {
      int end = Math.min(8, rows - row);
      int mask = 0;
      for (int k = 0; k < end; k++) {
        mask |= (values[row + k] == Column.NULL_BYTE ? 0 : 1) << k;
      }
      valid[row >> 3] = (byte) mask;
      nulls += end - Integer.bitCount(mask);
    }
    return nulls;
  }

  private int doubles(int i, double[] values, int rows) {
    bytes(i, rows * Double.BYTES).asDoubleBuffer().put(values, 0, rows);
    int nulls = 0;
    for (int row = 0; row < rows; row += 8) {
      int end = Math.min(8, rows - row);
      int mask = 0;
      for (int k = 0; k < end; k++) {
        mask |= (Double.isNaN(values[row + k]) ? 0 : 1) << k;
      }
      valid[row >> 3] = (byte) mask;
      nulls += end - Integer.bitCount(mask);
    }
    return nulls;
  }

  private static FieldVector texts(VarCharVector vector, String[] values, int rows) {
    vector.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      if (values[i] == null) {
        vector.setNull(i);
      } else {
        vector.setSafe(i, values[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(rows);
    return vector;
  }

  /** Bytes of a value; 0 where the width varies. */
  private static int width(ColumnType type) {
    return switch (type) {
      case BIGINT, DOUBLE -> 8;
      case INTEGER -> 4;
      case SMALLINT -> 2;
      case CODE, BOOLEAN -> 1;
      case VARCHAR, BIT -> 0;
    };
  }
}

package dev.counterbalance.trace.store;

import java.util.Arrays;

/**
 * A column of a table being written: append one value per row, then {@link TableWriter#endRow}.
 * NULL is a sentinel ({@link #NULL_LONG} and its kin), so that hot loops append plain numbers.
 */
public abstract class Column {
  /** Rows of a batch; DuckDB's row group size. */
  static final int ROWS = 122_880;

  public static final long NULL_LONG = Long.MIN_VALUE;
  public static final int NULL_INT = Integer.MIN_VALUE;
  public static final short NULL_SHORT = Short.MIN_VALUE;
  public static final byte NULL_BYTE = Byte.MIN_VALUE;

  int size;

  /** Hands over the filled array and goes on with {@code fresh}, or a new one if that is null. */
  abstract Object swap(Object fresh);

  /** A column of {@link ColumnType#BIGINT}. */
  public static final class Longs extends Column {
    private long[] data = new long[ROWS];

    public void add(long value) {
      data[size++] = value;
    }

    @Override
    Object swap(Object fresh) {
      Object full = data;
      data = fresh == null ? new long[ROWS] : (long[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#INTEGER}. */
  public static final class Ints extends Column {
    private int[] data = new int[ROWS];

    public void add(int value) {
      data[size++] = value;
    }

    @Override
    Object swap(Object fresh) {
      Object full = data;
      data = fresh == null ? new int[ROWS] : (int[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#SMALLINT}. */
  public static final class Shorts extends Column {
    private short[] data = new short[ROWS];

    public void add(int value) {
      data[size++] = (short) value;
    }

    @Override
    Object swap(Object fresh) {
      Object full = data;
      data = fresh == null ? new short[ROWS] : (short[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#CODE} or {@link ColumnType#BOOLEAN} (0, 1). */
  public static final class Bytes extends Column {
    private byte[] data = new byte[ROWS];

    public void add(int value) {
      data[size++] = (byte) value;
    }

    public void add(boolean value) {
      data[size++] = (byte) (value ? 1 : 0);
    }

    @Override
    Object swap(Object fresh) {
      Object full = data;
      data = fresh == null ? new byte[ROWS] : (byte[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#DOUBLE}; NaN is NULL. */
  public static final class Doubles extends Column {
    private double[] data = new double[ROWS];

    public void add(double value) {
      data[size++] = value;
    }

    @Override
    Object swap(Object fresh) {
      Object full = data;
      data = fresh == null ? new double[ROWS] : (double[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#VARCHAR} or {@link ColumnType#BIT}; null is NULL. */
  public static final class Texts extends Column {
    private String[] data = new String[16];

    public void add(String value) {
      if (size == data.length) {
        data = Arrays.copyOf(data, Math.min(ROWS, size * 4));
      }
      data[size++] = value;
    }

    @Override
    Object swap(Object fresh) {
      Object full = data;
      data = new String[16];
      size = 0;
      return full;
    }
  }

  static Column of(ColumnType type) {
    return switch (type) {
      case BIGINT -> new Longs();
      case INTEGER -> new Ints();
      case SMALLINT -> new Shorts();
      case CODE, BOOLEAN -> new Bytes();
      case DOUBLE -> new Doubles();
      case VARCHAR, BIT -> new Texts();
    };
  }
}

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

  /** Rows of a table's first batch; short traces need no more. */
  static final int FIRST_ROWS = 1024;

  int size;

  /** Makes room for so many rows. */
  abstract void grow(int rows);

  /**
   * Hands over the filled array and goes on with {@code fresh}, or one of so many rows if that is
   * null.
   */
  abstract Object swap(Object fresh, int rows);

  /** A column of {@link ColumnType#BIGINT}. */
  public static final class Longs extends Column {
    private long[] data = new long[FIRST_ROWS];

    public void add(long value) {
      data[size++] = value;
    }

    @Override
    void grow(int rows) {
      data = Arrays.copyOf(data, rows);
    }

    @Override
    Object swap(Object fresh, int rows) {
      Object full = data;
      data = fresh == null ? new long[rows] : (long[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#INTEGER}. */
  public static final class Ints extends Column {
    private int[] data = new int[FIRST_ROWS];

    public void add(int value) {
      data[size++] = value;
    }

    @Override
    void grow(int rows) {
      data = Arrays.copyOf(data, rows);
    }

    @Override
    Object swap(Object fresh, int rows) {
      Object full = data;
      data = fresh == null ? new int[rows] : (int[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#SMALLINT}. */
  public static final class Shorts extends Column {
    private short[] data = new short[FIRST_ROWS];

    public void add(int value) {
      data[size++] = (short) value;
    }

    @Override
    void grow(int rows) {
      data = Arrays.copyOf(data, rows);
    }

    @Override
    Object swap(Object fresh, int rows) {
      Object full = data;
      data = fresh == null ? new short[rows] : (short[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#CODE} or {@link ColumnType#BOOLEAN} (0, 1). */
  public static final class Bytes extends Column {
    private byte[] data = new byte[FIRST_ROWS];

    public void add(int value) {
      data[size++] = (byte) value;
    }

    public void add(boolean value) {
      data[size++] = (byte) (value ? 1 : 0);
    }

    @Override
    void grow(int rows) {
      data = Arrays.copyOf(data, rows);
    }

    @Override
    Object swap(Object fresh, int rows) {
      Object full = data;
      data = fresh == null ? new byte[rows] : (byte[]) fresh;
      size = 0;
      return full;
    }
  }

  /** A column of {@link ColumnType#DOUBLE}; NaN is NULL. */
  public static final class Doubles extends Column {
    private double[] data = new double[FIRST_ROWS];

    public void add(double value) {
      data[size++] = value;
    }

    @Override
    void grow(int rows) {
      data = Arrays.copyOf(data, rows);
    }

    @Override
    Object swap(Object fresh, int rows) {
      Object full = data;
      data = fresh == null ? new double[rows] : (double[]) fresh;
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
    void grow(int rows) {
      // It grows as values come: most texts are in small tables.
    }

    @Override
    Object swap(Object fresh, int rows) {
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

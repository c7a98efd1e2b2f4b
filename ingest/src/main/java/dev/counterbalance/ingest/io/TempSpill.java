package dev.counterbalance.ingest.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Pairs of longs in a temporary file, which is deleted on close. */
public final class TempSpill implements Closeable {
  /** Bytes a pair takes. */
  public static final int PAIR = 16;

  private static final int BUFFER = 64 * 1024;

  private final Path file;
  private final FileChannel channel;
  private long pairs;

  public TempSpill() throws IOException {
    file = Files.createTempFile("counterbalance-", ".index");
    channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /**
   * Appends the first pairs of two arrays.
   *
   * @return the number of the first of them
   */
  public long append(long[] first, long[] second, int count) throws IOException {
    long start = pairs;
    ByteBuffer buffer = buffer();
    for (int i = 0; i < count; i++) {
      buffer.putLong(first[i]).putLong(second[i]);
      if (!buffer.hasRemaining() || i == count - 1) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        buffer.clear();
      }
    }
    pairs += count;
    return start;
  }

  /** Reads pairs in their order. */
  public Reader reader(long from, long count) {
    return new Reader(from, count);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Moves over a range of pairs. */
  public final class Reader {
    private final ByteBuffer buffer = buffer().limit(0);
    private long at;
    private long left;
    private long first;
    private long second;

    private Reader(long from, long count) {
      at = from * PAIR;
      left = count;
    }

    /** Moves to the next pair; false if there is none. */
    public boolean next() throws IOException {
      if (left == 0) {
        return false;
      }
      if (!buffer.hasRemaining()) {
        fill();
      }
      first = buffer.getLong();
      second = buffer.getLong();
      left--;
      return true;
    }

    public long first() {
      return first;
    }

    public long second() {
      return second;
    }

    private void fill() throws IOException {
      buffer.clear();
      buffer.limit((int) Math.min(BUFFER, left * PAIR));
      while (buffer.hasRemaining()) {
        int n = channel.read(buffer, at);
        if (n < 0) {
          throw new IOException("the temporary file " + file + " was cut by someone else");
        }
        at += n;
      }
      buffer.flip();
    }
  }
}

package dev.counterbalance.ingest.io;

import dev.counterbalance.ingest.TraceInput;
import java.io.IOException;
import java.util.Arrays;

/**
 * A window of bytes that moves forward over an input. Reads are large and positioned, nothing is
 * mapped, so that memory use is the window's size whatever the file's.
 */
public final class WindowReader {
  private final TraceInput in;
  private byte[] bytes;
  private long start;
  private int length;

  public WindowReader(TraceInput in, int windowBytes) {
    this.in = in;
    this.bytes = new byte[windowBytes];
  }

  /**
   * Makes bytes available.
   *
   * @param position offset in the input
   * @param wanted how many bytes are needed there
   * @return where they begin in {@link #bytes}, -1 if the input ends before
   */
  public int at(long position, int wanted) throws IOException {
    long index = position - start;
    if (index >= 0 && index + wanted <= length) {
      return (int) index;
    }
    return refill(position, wanted);
  }

  /** The window; a new array after a call of {@link #at}. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes of the window are valid. */
  public int length() {
    return length;
  }

  /** Offset in the input of the window's first byte. */
  public long start() {
    return start;
  }

  private int refill(long position, int wanted) throws IOException {
    if (position < 0 || wanted > in.size() - position) {
      return -1;
    }
    if (wanted > bytes.length) {
      bytes = Arrays.copyOf(bytes, wanted);
    }
    int keep = 0;
    if (position >= start && position < start + length) {
      keep = (int) (start + length - position);
      System.arraycopy(bytes, (int) (position - start), bytes, 0, keep);
    }
    start = position;
    length = keep + in.read(position + keep, bytes, keep, bytes.length - keep);
    return length >= wanted ? 0 : -1;
  }
}

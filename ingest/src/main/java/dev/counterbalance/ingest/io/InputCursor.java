package dev.counterbalance.ingest.io;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads an input field by field from any position, in either byte order, without holding more than
 * a window of it. What the input does not hold ends in a {@link TraceFormatException}.
 */
public final class InputCursor {
  /** Largest part that is read into memory at once. */
  public static final int MAX_PART = 64 << 20;

  private static final int WINDOW = 16 * 1024;
  private static final int MAX_TEXT = 4096;

  private final TraceInput in;
  private final ByteOrder order;
  private final byte[] window = new byte[WINDOW];
  private long windowAt;
  private int filled;
  private long position;

  public InputCursor(TraceInput in, ByteOrder order, long position) {
    this.in = in;
    this.order = order;
    this.position = position;
  }

  /** Offset in the input of what is read next. */
  public long position() {
    return position;
  }

  public long remaining() {
    return Math.max(0, in.size() - position);
  }

  public void seek(long newPosition) throws TraceFormatException {
    if (newPosition < 0 || newPosition > in.size()) {
      throw cut("data from offset 0x" + Long.toHexString(newPosition) + " on");
    }
    position = newPosition;
  }

  public void skip(long length) throws TraceFormatException {
    require(length);
    position += length;
  }

  public int u8() throws IOException {
    return window[load(1)] & 0xff;
  }

  public int u16() throws IOException {
    int at = load(2);
    int value = Bytes.u16(window, at);
    return order == ByteOrder.LITTLE_ENDIAN ? value : Short.reverseBytes((short) value) & 0xffff;
  }

  public int s32() throws IOException {
    int at = load(4);
    int value = Bytes.s32(window, at);
    return order == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
  }

  public long u32() throws IOException {
    return s32() & 0xffffffffL;
  }

  public long s64() throws IOException {
    int at = load(8);
    long value = Bytes.s64(window, at);
    return order == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  /** A 32-bit count of entries that take at least this many bytes each. */
  public int count(int minBytesEach) throws IOException {
    long n = u32();
    if (n > remaining() / minBytesEach) {
      throw cut(n + " entries");
    }
    return (int) n;
  }

  /** Bytes up to a NUL, which is skipped. */
  public String terminatedString() throws IOException {
    byte[] text = new byte[MAX_TEXT];
    int n = 0;
    for (int b = u8(); b != 0; b = u8()) {
      if (n == MAX_TEXT) {
        throw new TraceFormatException(
            in.name(), position, "a text without its end", "a NUL byte", "");
      }
      text[n++] = (byte) b;
    }
    return new String(text, 0, n, StandardCharsets.UTF_8);
  }

  /** A reader over the next bytes, which are skipped here. */
  public SectionReader part(String what, long length) throws IOException {
    require(length);
    if (length > MAX_PART) {
      throw new TraceFormatException(
          in.name(),
          position,
          what + " is said to take " + length + " bytes",
          "at most " + MAX_PART,
          "The file is damaged.");
    }
    byte[] bytes = new byte[(int) length];
    int n = in.read(position, bytes, 0, bytes.length);
    if (n < bytes.length) {
      throw cut(length + " bytes");
    }
    SectionReader part = new SectionReader(in.name(), what, position, bytes, order);
    position += length;
    return part;
  }

  private int load(int length) throws IOException {
    long inWindow = position - windowAt;
    if (inWindow < 0 || inWindow + length > filled) {
      windowAt = position;
      filled = in.read(position, window, 0, WINDOW);
      inWindow = 0;
      if (filled < length) {
        throw cut(length + " bytes");
      }
    }
    position += length;
    return (int) inWindow;
  }

  private void require(long length) throws TraceFormatException {
    if (length < 0 || length > remaining()) {
      throw cut(Long.toUnsignedString(length) + " bytes");
    }
  }

  private TraceFormatException cut(String needed) {
    return new TraceFormatException(
        in.name(),
        position,
        "announces " + needed,
        "at most " + remaining() + " bytes: the file ends there",
        "The file is truncated or damaged. Copy or record it again.");
  }
}

package dev.counterbalance.ingest.io;

import dev.counterbalance.ingest.TraceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads a part of a file field by field, in either byte order. Every length is checked against what
 * is left before anything is allocated.
 */
public final class SectionReader {
  private final String file;
  private final String what;
  private final long fileOffset;
  private final ByteBuffer bytes;

  /**
   * Reads from bytes that were read from a file.
   *
   * @param file name of the input, for messages
   * @param what what the part is, for messages, e.g. {@code feature CPU_TOPOLOGY}
   * @param fileOffset where the bytes begin in the file
   */
  public SectionReader(String file, String what, long fileOffset, byte[] bytes, ByteOrder order) {
    this(file, what, fileOffset, ByteBuffer.wrap(bytes).order(order));
  }

  private SectionReader(String file, String what, long fileOffset, ByteBuffer bytes) {
    this.file = file;
    this.what = what;
    this.fileOffset = fileOffset;
    this.bytes = bytes;
  }

  /** The same bytes from here on in another byte order. */
  public SectionReader withOrder(ByteOrder order) {
    return new SectionReader(file, what, offset(), bytes.slice().order(order));
  }

  /** A reader over the next bytes, which are skipped here. */
  public SectionReader part(long length) throws TraceFormatException {
    require(length, 1);
    ByteBuffer part = bytes.slice().order(bytes.order());
    part.limit((int) length);
    SectionReader reader = new SectionReader(file, what, offset(), part);
    bytes.position(bytes.position() + (int) length);
    return reader;
  }

  public String file() {
    return file;
  }

  public ByteOrder order() {
    return bytes.order();
  }

  /** Offset in the file of what is read next. */
  public long offset() {
    return fileOffset + bytes.position();
  }

  public int remaining() {
    return bytes.remaining();
  }

  public int u8() throws TraceFormatException {
    require(1, 1);
    return bytes.get() & 0xff;
  }

  public int u16() throws TraceFormatException {
    require(2, 1);
    return bytes.getShort() & 0xffff;
  }

  public int s32() throws TraceFormatException {
    require(4, 1);
    return bytes.getInt();
  }

  public long u32() throws TraceFormatException {
    return s32() & 0xffffffffL;
  }

  public long s64() throws TraceFormatException {
    require(8, 1);
    return bytes.getLong();
  }

  public void skip(long length) throws TraceFormatException {
    require(length, 1);
    bytes.position(bytes.position() + (int) length);
  }

  /** A 32-bit count of entries that take at least this many bytes each. */
  public int count(int minBytesEach) throws TraceFormatException {
    long n = u32();
    require(n, minBytesEach);
    return (int) n;
  }

  /** A 64-bit count of entries that take at least this many bytes each. */
  public int longCount(int minBytesEach) throws TraceFormatException {
    long n = s64();
    require(n, minBytesEach);
    return (int) n;
  }

  /** A string stored as its padded length (u32) and its bytes; what follows a NUL is dropped. */
  public String paddedString() throws TraceFormatException {
    return text(count(1));
  }

  /** Bytes up to a NUL, which is skipped. */
  public String terminatedString() throws TraceFormatException {
    int end = bytes.position();
    while (end < bytes.limit() && bytes.get(end) != 0) {
      end++;
    }
    if (end == bytes.limit()) {
      throw fail("a text without its end", "a NUL byte");
    }
    String text = text(end - bytes.position());
    bytes.get();
    return text;
  }

  /** A text of that many bytes; what follows a NUL is dropped. */
  public String text(long length) throws TraceFormatException {
    require(length, 1);
    byte[] copy = new byte[(int) length];
    bytes.get(copy);
    int n = 0;
    while (n < copy.length && copy[n] != 0) {
      n++;
    }
    return new String(copy, 0, n, StandardCharsets.UTF_8);
  }

  /** The next bytes as they are. */
  public byte[] bytes(long length) throws TraceFormatException {
    require(length, 1);
    byte[] copy = new byte[(int) length];
    bytes.get(copy);
    return copy;
  }

  /** What is wrong at the current position. */
  public TraceFormatException fail(String found, String expected) {
    return new TraceFormatException(file, offset(), what + ": " + found, expected, "");
  }

  private void require(long count, int bytesEach) throws TraceFormatException {
    int left = bytes.remaining();
    if (count < 0 || count > left / bytesEach) {
      throw fail(
          Long.toUnsignedString(count)
              + (bytesEach == 1 ? " bytes are needed" : " entries are announced"),
          "at most " + left + " bytes, the part ends there");
    }
  }
}

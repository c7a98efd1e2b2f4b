package dev.counterbalance.ingest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Bytes of either order, built piece by piece. */
public final class OrderedBytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final boolean bigEndian;

  public OrderedBytes(boolean bigEndian) {
    this.bigEndian = bigEndian;
  }

  public int size() {
    return out.size();
  }

  public byte[] toBytes() {
    return out.toByteArray();
  }

  public OrderedBytes number(long value, int width) {
    for (int i = 0; i < width; i++) {
      out.write((int) (value >>> (8 * (bigEndian ? width - 1 - i : i))));
    }
    return this;
  }

  public OrderedBytes u8(int value) {
    return number(value, 1);
  }

  public OrderedBytes u16(int value) {
    return number(value, 2);
  }

  public OrderedBytes u32(long value) {
    return number(value, 4);
  }

  public OrderedBytes u64(long value) {
    return number(value, 8);
  }

  public OrderedBytes bytes(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  public OrderedBytes text(String text) {
    return bytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Text with a NUL. */
  public OrderedBytes terminated(String text) {
    return text(text).u8(0);
  }

  /** Text in a field of that many bytes, the rest zero. */
  public OrderedBytes text(String text, int width) {
    text(text);
    return zeros(width - text.length());
  }

  public OrderedBytes zeros(int count) {
    return bytes(new byte[count]);
  }

  public OrderedBytes pad(int multiple) {
    return zeros((multiple - size() % multiple) % multiple);
  }
}

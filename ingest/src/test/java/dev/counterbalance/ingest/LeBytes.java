package dev.counterbalance.ingest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Bytes of little-endian numbers, or big-endian ones, built piece by piece. */
public final class LeBytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final boolean bigEndian;

  public LeBytes() {
    this(false);
  }

  public LeBytes(boolean bigEndian) {
    this.bigEndian = bigEndian;
  }

  public int size() {
    return out.size();
  }

  public byte[] toBytes() {
    return out.toByteArray();
  }

  public LeBytes number(long value, int width) {
    for (int i = 0; i < width; i++) {
      out.write((int) (value >>> (8 * (bigEndian ? width - 1 - i : i))));
    }
    return this;
  }

  public LeBytes u8(int value) {
    return number(value, 1);
  }

  public LeBytes u16(int value) {
    return number(value, 2);
  }

  public LeBytes u32(long value) {
    return number(value, 4);
  }

  public LeBytes u64(long value) {
    return number(value, 8);
  }

  public LeBytes bytes(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  public LeBytes text(String text) {
    return bytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Text in a field of that many bytes, the rest zero. */
  public LeBytes text(String text, int width) {
    text(text);
    return zeros(width - text.length());
  }

  public LeBytes zeros(int count) {
    return bytes(new byte[count]);
  }

  public LeBytes pad(int multiple) {
    return zeros((multiple - size() % multiple) % multiple);
  }

  /** A string as headers hold it: padded length, bytes, zeros. */
  public LeBytes headerString(String text) {
    int padded = (text.length() + 64) / 64 * 64;
    return u32(padded).text(text, padded);
  }
}

package dev.counterbalance.ingest;

import java.nio.charset.StandardCharsets;

/**
 * The first bytes of an input, for telling its format.
 *
 * @param bytes up to {@link #LIMIT} bytes from the start
 * @param size size of the whole input in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // handed out for reading only, never compared
public record Head(byte[] bytes, long size) {
  /** How many bytes a head holds at most. */
  public static final int LIMIT = 64 * 1024;

  /** True if the input begins with these characters (ISO-8859-1). */
  public boolean startsWith(String magic) {
    return hasAt(0, magic);
  }

  /** True if the input holds these characters (ISO-8859-1) at an offset. */
  public boolean hasAt(int offset, String magic) {
    byte[] wanted = magic.getBytes(StandardCharsets.ISO_8859_1);
    if (offset + wanted.length > bytes.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (bytes[offset + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }
}

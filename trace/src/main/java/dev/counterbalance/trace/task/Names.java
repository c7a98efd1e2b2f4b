package dev.counterbalance.trace.task;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Task and event names as small dense ids. A comm of up to 16 bytes is looked up as two longs, so
 * that no String is made per event.
 *
 * <p>Bytes are decoded as UTF-8 where they are valid UTF-8, else as ISO-8859-1: a comm may hold any
 * byte but NUL (kernel: {@code TASK_COMM_LEN} is 16, with the NUL).
 */
public final class Names {
  /** The id that stands for "not told". */
  public static final int UNKNOWN = -1;

  private static final int INITIAL = 1024;

  private long[] low = new long[INITIAL];
  private long[] high = new long[INITIAL];
  private int[] idOfSlot = new int[INITIAL];
  private String[] texts = new String[INITIAL];
  private int count;
  private final java.util.HashMap<String, Integer> byText = new java.util.HashMap<>();

  public Names() {
    Arrays.fill(idOfSlot, -1);
  }

  /**
   * The id of a comm given as its 16 bytes, first byte lowest, with all bytes from the first NUL on
   * set to zero. The empty name is {@link #UNKNOWN}.
   */
  public int ofComm(long lowBytes, long highBytes) {
    int mask = idOfSlot.length - 1;
    int slot = slot(lowBytes, highBytes, mask);
    while (true) {
      int id = idOfSlot[slot];
      if (id < 0) {
        return addComm(lowBytes, highBytes, slot);
      }
      if (low[slot] == lowBytes && high[slot] == highBytes) {
        return id;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** The id of a name. */
  public int of(String text) {
    if (text.isEmpty()) {
      return UNKNOWN;
    }
    Integer known = byText.get(text);
    return known != null ? known : add(text);
  }

  /** The id of a name given as bytes; what follows a NUL is ignored. */
  public int of(byte[] bytes, int offset, int length) {
    int n = 0;
    while (n < length && bytes[offset + n] != 0) {
      n++;
    }
    return of(decode(bytes, offset, n));
  }

  /** The text of an id; null for {@link #UNKNOWN}. */
  public String text(int id) {
    return id < 0 ? null : texts[id];
  }

  /** How many names there are; ids are 0 to size-1. */
  public int size() {
    return count;
  }

  /** Clears the bytes of a comm word from its first NUL on; pass the low word first. */
  public static long untilNul(long word) {
    long zero = (word - 0x0101010101010101L) & ~word & 0x8080808080808080L;
    if (zero == 0) {
      return word;
    }
    int bits = Long.numberOfTrailingZeros(zero) & ~7;
    return bits == 0 ? 0 : word & (-1L >>> (64 - bits));
  }

  private int addComm(long lowBytes, long highBytes, int slot) {
    byte[] bytes = new byte[16];
    int n = 0;
    for (int i = 0; i < 16; i++) {
      byte b = (byte) ((i < 8 ? lowBytes : highBytes) >>> (8 * (i & 7)));
      if (b == 0) {
        break;
      }
      bytes[n++] = b;
    }
    if (n == 0) {
      return UNKNOWN;
    }
    int id = of(decode(bytes, 0, n));
    low[slot] = lowBytes;
    high[slot] = highBytes;
    idOfSlot[slot] = id;
    commCount++;
    if (commCount * 2 > idOfSlot.length) {
      grow();
    }
    return id;
  }

  private int commCount;

  private void grow() {
    long[] oldLow = low;
    long[] oldHigh = high;
    int[] oldIds = idOfSlot;
    int size = oldIds.length * 2;
    low = new long[size];
    high = new long[size];
    idOfSlot = new int[size];
    Arrays.fill(idOfSlot, -1);
    for (int i = 0; i < oldIds.length; i++) {
      if (oldIds[i] < 0) {
        continue;
      }
      int slot = slot(oldLow[i], oldHigh[i], size - 1);
      while (idOfSlot[slot] >= 0) {
        slot = (slot + 1) & (size - 1);
      }
      low[slot] = oldLow[i];
      high[slot] = oldHigh[i];
      idOfSlot[slot] = oldIds[i];
    }
  }

  private int add(String text) {
    if (count == texts.length) {
      texts = Arrays.copyOf(texts, count * 2);
    }
    texts[count] = text;
    byText.put(text, count);
    return count++;
  }

  private static int slot(long lowBytes, long highBytes, int mask) {
    long h = lowBytes * 0x9E3779B97F4A7C15L + highBytes * 0xC2B2AE3D27D4EB4FL;
    return (int) ((h ^ (h >>> 32)) * 0x9E3779B1) >>> 7 & mask;
  }

  private static String decode(byte[] bytes, int offset, int length) {
    String utf8 = new String(bytes, offset, length, StandardCharsets.UTF_8);
    return utf8.indexOf('\uFFFD') < 0
        ? utf8
        : new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
  }
}

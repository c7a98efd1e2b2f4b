package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.trace.task.Names;
import java.util.Arrays;

/** Name ids of ranges of a text. Long names go through a cache, so that few Strings are made. */
final class TextNames {
  private static final int SLOTS = 1024;
  private static final int MAX = 4096;

  private final Names names;
  private final byte[][] texts = new byte[SLOTS][];
  private final int[] ids = new int[SLOTS];

  TextNames(Names names) {
    this.names = names;
  }

  /** The id; {@link Names#UNKNOWN} for an empty range or a placeholder like {@code <...>}. */
  int of(byte[] b, int from, int to) {
    int length = to - from;
    if (length <= 0) {
      return Names.UNKNOWN;
    }
    if (b[from] == '<' && isPlaceholder(b, from, to)) {
      return Names.UNKNOWN;
    }
    if (length > 16) {
      return longName(b, from, Math.min(length, MAX));
    }
    long low = Names.untilNul(word(b, from, Math.min(length, 8)));
    boolean whole = length > 8 && low >>> 56 != 0;
    return names.ofComm(low, whole ? Names.untilNul(word(b, from + 8, length - 8)) : 0);
  }

  private static boolean isPlaceholder(byte[] b, int from, int to) {
    boolean dots = to - from == 5 && b[from + 1] == '.' && b[from + 2] == '.' && b[from + 4] == '>';
    boolean broken = to - from == 5 && b[from + 1] == 'X' && b[from + 2] == 'X';
    return dots || broken;
  }

  private static long word(byte[] b, int from, int length) {
    if (from + 8 <= b.length) {
      long word = Bytes.s64(b, from);
      return length == 8 ? word : word & ((1L << (8 * length)) - 1);
    }
    long word = 0;
    for (int i = length - 1; i >= 0; i--) {
      word = word << 8 | (b[from + i] & 0xff);
    }
    return word;
  }

  private int longName(byte[] b, int from, int length) {
    int hash = length;
    for (int i = from; i < from + length; i++) {
      hash = hash * 31 + b[i];
    }
    int slot = (hash ^ hash >>> 12) & (SLOTS - 1);
    byte[] text = texts[slot];
    if (text == null || !Arrays.equals(text, 0, text.length, b, from, from + length)) {
      texts[slot] = Arrays.copyOfRange(b, from, from + length);
      ids[slot] = names.of(b, from, length);
    }
    return ids[slot];
  }
}

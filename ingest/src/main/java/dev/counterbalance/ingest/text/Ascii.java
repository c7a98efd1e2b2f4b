package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.io.Bytes;
import java.nio.charset.StandardCharsets;

/** Looks for things in a range of bytes. Makes no objects. */
final class Ascii {
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long NEWLINES = 0x0A * ONES;
  private static final int MAX_DIGITS = 19;

  private Ascii() {}

  static byte[] of(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Letters, digits and underscores: what an event or field is called. */
  static boolean isWord(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || isDigit(b) || b == '_';
  }

  static boolean isWord(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isWord(b[i])) {
        return false;
      }
    }
    return from < to;
  }

  /** Index of the next newline, {@code to} if there is none. */
  static int newline(byte[] b, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long word = Bytes.s64(b, i) ^ NEWLINES;
      long zero = (word - ONES) & ~word & HIGHS;
      if (zero != 0) {
        return i + (Long.numberOfTrailingZeros(zero) >>> 3);
      }
    }
    while (i < to && b[i] != '\n') {
      i++;
    }
    return i;
  }

  static int skipBlanks(byte[] b, int from, int to) {
    int i = from;
    while (i < to && isBlank(b[i])) {
      i++;
    }
    return i;
  }

  static int skipToBlank(byte[] b, int from, int to) {
    int i = from;
    while (i < to && !isBlank(b[i])) {
      i++;
    }
    return i;
  }

  static int skipDigits(byte[] b, int from, int to) {
    int i = from;
    while (i < to && isDigit(b[i])) {
      i++;
    }
    return i;
  }

  /** The end of a range without the blanks it ends in. */
  static int trimEnd(byte[] b, int from, int to) {
    int i = to;
    while (i > from && isBlank(b[i - 1])) {
      i--;
    }
    return i;
  }

  static boolean hasAt(byte[] b, int at, int to, byte[] text) {
    if (at < 0 || at + text.length > to) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      if (b[at + i] != text[i]) {
        return false;
      }
    }
    return true;
  }

  /** Where a text occurs first, -1 if it does not. */
  static int find(byte[] b, int from, int to, byte[] text) {
    byte first = text[0];
    for (int i = from; i + text.length <= to; i++) {
      if (b[i] == first && hasAt(b, i, to, text)) {
        return i;
      }
    }
    return -1;
  }

  /** Where a text occurs last, -1 if it does not. */
  static int findLast(byte[] b, int from, int to, byte[] text) {
    int back = text.length - 1;
    byte last = text[back];
    for (int i = to - 1; i >= from + back; i--) {
      if (b[i] == last && hasAt(b, i - back, to, text)) {
        return i - back;
      }
    }
    return -1;
  }

  /** The number made of these digits; callers bound their count. */
  static long digits(byte[] b, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + (b[i] - '0');
    }
    return value;
  }

  /** True if a number as {@link #number} reads it is there. */
  static boolean hasNumber(byte[] b, int at, int to) {
    int i = at < to && at >= 0 && b[at] == '-' ? at + 1 : at;
    return i >= 0 && i < to && isDigit(b[i]);
  }

  /** A number, decimal or {@code 0x} hex, up to the first byte that does not belong to it. */
  static long number(byte[] b, int at, int to) {
    int i = at;
    boolean negative = i < to && b[i] == '-';
    if (negative) {
      i++;
    }
    long value = 0;
    if (i + 2 < to && b[i] == '0' && b[i + 1] == 'x' && hex(b[i + 2]) >= 0) {
      for (i += 2; i < to && hex(b[i]) >= 0; i++) {
        value = value << 4 | hex(b[i]);
      }
    } else {
      for (int end = Math.min(to, i + MAX_DIGITS + 1); i < end && isDigit(b[i]); i++) {
        value = value * 10 + (b[i] - '0');
      }
    }
    return negative ? -value : value;
  }

  private static int hex(byte b) {
    if (isDigit(b)) {
      return b - '0';
    }
    int lower = b | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  /** A range as text for a message, cut, with odd bytes escaped. */
  static String quoted(byte[] b, int from, int to, int max) {
    StringBuilder text = new StringBuilder("\"");
    int end = Math.min(to, from + max);
    for (int i = from; i < end; i++) {
      if (b[i] >= 0x20 && b[i] < 0x7f && b[i] != '"' && b[i] != '\\') {
        text.append((char) b[i]);
      } else {
        text.append(String.format("\\x%02x", b[i]));
      }
    }
    return text.append(end < to ? "...\"" : "\"").toString();
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.io.Json;
import java.nio.charset.StandardCharsets;

/** Writes the printed fields of any event as one JSON object. */
final class PrintedArgs {
  private static final int MAX_MEMBERS = 256;
  private static final int MAX_DIGITS = 18;

  private PrintedArgs() {}

  /**
   * Members {@code key=value} where the whole text is made of them, numbers as numbers; else one
   * member {@code args}.
   */
  static String json(byte[] b, int from, int to) {
    Json json = new Json();
    if (keyEnd(b, from, to) < 0) {
      return json.string("args", text(b, from, to)).end();
    }
    int at = from;
    for (int i = 0; i < MAX_MEMBERS && at < to; i++) {
      int equals = keyEnd(b, at, to);
      int next = nextKey(b, equals + 1, to);
      int end = Ascii.trimEnd(b, equals + 1, next);
      String key = text(b, at, equals);
      if (isNumber(b, equals + 1, end)) {
        json.raw(key, text(b, equals + 1, end));
      } else {
        json.string(key, text(b, equals + 1, end));
      }
      at = Ascii.skipBlanks(b, next, to);
    }
    return json.end();
  }

  /** Where the equals sign of the key that begins here is, -1 if no key does. */
  private static int keyEnd(byte[] b, int from, int to) {
    int i = from;
    while (i < to && Ascii.isWord(b[i])) {
      i++;
    }
    return i > from && i < to && b[i] == '=' && !Ascii.isDigit(b[from]) ? i : -1;
  }

  private static int nextKey(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (Ascii.isBlank(b[i]) && keyEnd(b, i + 1, to) >= 0) {
        return i;
      }
    }
    return to;
  }

  private static boolean isNumber(byte[] b, int from, int to) {
    int i = from < to && b[from] == '-' ? from + 1 : from;
    boolean padded = to - i > 1 && b[i] == '0';
    return i < to && to - i <= MAX_DIGITS && !padded && Ascii.skipDigits(b, i, to) == to;
  }

  private static String text(byte[] b, int from, int to) {
    int n = Math.max(0, to - from);
    String utf8 = new String(b, from, n, StandardCharsets.UTF_8);
    return utf8.indexOf('\uFFFD') < 0 ? utf8 : new String(b, from, n, StandardCharsets.ISO_8859_1);
  }
}

package dev.counterbalance.cli.render;

/**
 * Makes texts from traces harmless for the place they go to. A task may call itself anything: a
 * name can hold escape sequences, line breaks, spreadsheet formulas or markup.
 */
public final class Escape {
  private static final String FORMULA_START = "=+-@";

  private Escape() {}

  /**
   * For a terminal or a plain text file: characters that move the cursor, change colours, reorder
   * text or cannot be seen become {@code \n}, {@code \x1b} or {@code \u202e}.
   *
   * @param unicode false if the terminal shows ASCII only: everything else is escaped too
   */
  public static String text(String raw, boolean unicode) {
    int safe = safePrefix(raw, unicode);
    if (safe == raw.length()) {
      return raw;
    }
    StringBuilder out = new StringBuilder(raw.length() + 16).append(raw, 0, safe);
    int i = safe;
    while (i < raw.length()) {
      int c = raw.codePointAt(i);
      if (isSafe(c, unicode)) {
        out.appendCodePoint(c);
      } else {
        appendEscaped(out, c);
      }
      i += Character.charCount(c);
    }
    return out.toString();
  }

  /** For a plain text that may hold everything Unicode has, safely. */
  public static String text(String raw) {
    return text(raw, true);
  }

  /** One CSV cell that holds text: no spreadsheet takes it for a formula. */
  public static String csvText(String raw) {
    String safe = text(raw);
    boolean formula = !safe.isEmpty() && FORMULA_START.indexOf(safe.charAt(0)) >= 0;
    return csvQuote(formula ? "'" + safe : safe);
  }

  /** One CSV cell as it stands, quoted where its characters ask for it (RFC 4180). */
  public static String csvQuote(String cell) {
    boolean quote = cell.isEmpty();
    for (int i = 0; i < cell.length() && !quote; i++) {
      char c = cell.charAt(i);
      quote = c == ',' || c == '"' || c == '\n' || c == '\r';
    }
    return quote ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }

  /** For a cell of a Markdown table: neither markup nor HTML nor another column. */
  public static String markdown(String raw) {
    String safe = text(raw);
    StringBuilder out = new StringBuilder(safe.length() + 8);
    for (int i = 0; i < safe.length(); i++) {
      char c = safe.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '|', '\\', '`', '*', '_', '[', ']', '~', '#', '!' -> out.append('\\').append(c);
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  /** True if the character may reach a terminal as it is. */
  static boolean isSafe(int c, boolean unicode) {
    if (c < 0x80) {
      return c >= 0x20 && c != 0x7f;
    }
    if (!unicode) {
      return false;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  private static int safePrefix(String raw, boolean unicode) {
    int i = 0;
    while (i < raw.length()) {
      int c = raw.codePointAt(i);
      if (!isSafe(c, unicode)) {
        return i;
      }
      i += Character.charCount(c);
    }
    return i;
  }

  private static void appendEscaped(StringBuilder out, int c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (c < 0x100) {
          out.append("\\x").append(hex(c, 2));
        } else if (c < 0x10000) {
          out.append("\\u").append(hex(c, 4));
        } else {
          out.append("\\U").append(hex(c, 8));
        }
      }
    }
  }

  static String hex(int value, int digits) {
    String text = Integer.toHexString(value);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }
}

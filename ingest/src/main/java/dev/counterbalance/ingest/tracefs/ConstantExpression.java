package dev.counterbalance.ingest.tracefs;

/**
 * Folds a C constant expression as print formats hold them: {@code | & + - <<}, {@code ~}, minus
 * and parentheses over hexadecimal and decimal numbers. Stops at what it does not know.
 */
final class ConstantExpression {
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int at;
  private int depth;

  ConstantExpression(String text, int start) {
    this.text = text;
    this.at = start;
  }

  /** Where the text goes on after what was read. */
  int position() {
    return at;
  }

  /**
   * The value of the longest expression from here on.
   *
   * @throws IllegalArgumentException if there is none
   */
  long value() {
    if (++depth > MAX_DEPTH) {
      throw new IllegalArgumentException("must not nest deeper than " + MAX_DEPTH);
    }
    long value = and();
    while (take('|')) {
      value |= and();
    }
    depth--;
    return value;
  }

  private long and() {
    long value = shift();
    while (take('&')) {
      value &= shift();
    }
    return value;
  }

  private long shift() {
    long value = sum();
    skipSpace();
    while (text.startsWith("<<", at)) {
      at += 2;
      value <<= sum();
      skipSpace();
    }
    return value;
  }

  private long sum() {
    long value = unary();
    while (true) {
      if (take('+')) {
        value += unary();
      } else if (take('-')) {
        value -= unary();
      } else {
        return value;
      }
    }
  }

  private long unary() {
    int signs = at;
    boolean negate = false;
    boolean invert = false;
    if (take('-')) {
      negate = true;
    } else if (take('~')) {
      invert = true;
    }
    if (at - signs > 64) {
      throw new IllegalArgumentException("must be a constant: " + rest());
    }
    long value = primary();
    return negate ? -value : invert ? ~value : value;
  }

  private long primary() {
    if (take('(')) {
      long value = value();
      if (!take(')')) {
        throw new IllegalArgumentException("must close its parenthesis: " + rest());
      }
      return value;
    }
    skipSpace();
    boolean hex = text.startsWith("0x", at) || text.startsWith("0X", at);
    int start = hex ? at + 2 : at;
    int end = start;
    while (end < text.length() && Character.digit(text.charAt(end), hex ? 16 : 10) >= 0) {
      end++;
    }
    if (end == start || end - start > 18) {
      throw new IllegalArgumentException("must be a constant: " + rest());
    }
    at = end;
    while (at < text.length() && "uUlL".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return Long.parseLong(text.substring(start, end), hex ? 16 : 10);
  }

  private boolean take(char c) {
    skipSpace();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private String rest() {
    return text.substring(Math.min(at, text.length()), Math.min(text.length(), at + 20));
  }
}

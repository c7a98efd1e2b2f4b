package dev.counterbalance.ingest.io;

/** Builds one JSON object as text. */
public final class Json {
  private final StringBuilder text = new StringBuilder("{");

  /** Adds a member with a number or another value that is JSON already. */
  public Json raw(String key, String value) {
    if (text.length() > 1) {
      text.append(',');
    }
    quote(text, key);
    text.append(':').append(value);
    return this;
  }

  public Json number(String key, long value) {
    return raw(key, Long.toString(value));
  }

  public Json string(String key, String value) {
    return raw(key, quoted(value));
  }

  /** The object; call once. */
  public String end() {
    return text.append('}').toString();
  }

  /** A string as JSON, in quotes. */
  public static String quoted(String value) {
    StringBuilder quoted = new StringBuilder(value.length() + 2);
    quote(quoted, value);
    return quoted.toString();
  }

  private static void quote(StringBuilder out, String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || c == 0x7f || (Character.isSurrogate(c) && !paired(value, i))) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private static boolean paired(String value, int i) {
    if (Character.isHighSurrogate(value.charAt(i))) {
      return i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1));
    }
    return i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
  }
}

package dev.counterbalance.cli.prompt;

import java.util.ArrayList;
import java.util.List;

/**
 * SQL text cut at its semicolons. One within quotes, a comment or {@code $tag$} quotes does not end
 * a statement.
 *
 * @param complete the statements that are ended, without their semicolons; blank ones are left out
 * @param rest what follows the last semicolon, empty if that is blank
 * @param open what {@code rest} is in the midst of: a quote or comment, "" if none
 */
public record Statements(List<String> complete, String rest, String open) {

  /** Cuts a text. */
  public static Statements of(String text) {
    List<String> complete = new ArrayList<>();
    int start = 0;
    int at = 0;
    String open = "";
    while (at < text.length()) {
      int end = skip(text, at);
      if (end < 0) {
        open = opening(text, at);
        break;
      }
      if (text.charAt(at) == ';') {
        add(complete, text.substring(start, at));
        start = at + 1;
      }
      at = end;
    }
    String rest = text.substring(start);
    return new Statements(complete, isBlank(rest) && open.isEmpty() ? "" : rest, open);
  }

  private static void add(List<String> statements, String text) {
    if (!isBlank(text)) {
      statements.add(text.strip());
    }
  }

  /** True if there is nothing but blanks and comments. */
  private static boolean isBlank(String text) {
    int at = 0;
    while (at < text.length()) {
      int end = skip(text, at);
      boolean comment = text.startsWith("--", at) || text.startsWith("/*", at);
      if (end < 0 || (!comment && !Character.isWhitespace(text.charAt(at)))) {
        return false;
      }
      at = end;
    }
    return true;
  }

  /** The end of the token that begins at a place, -1 if the text ends within it. */
  private static int skip(String text, int at) {
    char c = text.charAt(at);
    if (c == '\'' || c == '"') {
      return after(text, String.valueOf(c), at + 1);
    }
    if (text.startsWith("--", at)) {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end + 1;
    }
    if (text.startsWith("/*", at)) {
      return after(text, "*/", at + 2);
    }
    String tag = dollarTag(text, at);
    return tag.isEmpty() ? at + 1 : after(text, tag, at + tag.length());
  }

  private static int after(String text, String end, int from) {
    int at = text.indexOf(end, from);
    return at < 0 ? -1 : at + end.length();
  }

  /** {@code $$} or {@code $word$} at a place, else "". */
  private static String dollarTag(String text, int at) {
    if (text.charAt(at) != '$' || (at > 0 && Character.isJavaIdentifierPart(text.charAt(at - 1)))) {
      return "";
    }
    int end = at + 1;
    while (end < text.length()
        && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
      end++;
    }
    boolean number = end > at + 1 && Character.isDigit(text.charAt(at + 1));
    return end < text.length() && text.charAt(end) == '$' && !number
        ? text.substring(at, end + 1)
        : "";
  }

  private static String opening(String text, int at) {
    char c = text.charAt(at);
    return c == '\'' || c == '"' ? String.valueOf(c) : c == '/' ? "/*" : "$";
  }
}

package dev.counterbalance.cli;

import java.util.regex.Pattern;

/** Words as a POSIX shell takes them. */
final class Shell {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:,@%+=-]+");

  private Shell() {}

  /** The word as it can be pasted into a shell. */
  static String quote(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}

package dev.counterbalance.ingest.bundle;

/** A line does not say what it should; the message says what it says and what was expected. */
final class BadLineException extends Exception {
  private static final long serialVersionUID = 1L;

  /** One without a stack trace: a file may hold millions of such lines. */
  BadLineException(String message) {
    super(message, null, false, false);
  }

  /**
   * A whole number in a text.
   *
   * @param what what it is, for the message
   * @throws BadLineException if it is none, or not within the limits
   */
  static long number(String what, String text, long least, long most) throws BadLineException {
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new BadLineException(
        what + " is '" + shown(text) + "', expected a number within " + least + " to " + most);
  }

  /** The beginning of a text from a file, for a message. */
  static String shown(String text) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), 40); i++) {
      char c = text.charAt(i);
      safe.append(Character.isISOControl(c) ? '?' : c);
    }
    return safe.append(text.length() > 40 ? "..." : "").toString();
  }
}

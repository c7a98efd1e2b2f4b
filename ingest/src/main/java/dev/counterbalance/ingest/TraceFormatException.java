package dev.counterbalance.ingest;

import java.io.IOException;

/**
 * The input cannot be read: says where, what was found, what was expected and what to do. The
 * message is meant for the user as it stands.
 */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;
  private final String found;
  private final String expected;
  private final String advice;

  /**
   * Describes the trouble.
   *
   * @param file name of the input as the user gave it
   * @param offset byte offset in the input, -1 if the trouble has no place
   * @param found what is there
   * @param expected what should be there; may be empty
   * @param advice one or more sentences on what to do; may be empty
   */
  public TraceFormatException(
      String file, long offset, String found, String expected, String advice) {
    super(message(file, offset, found, expected, advice));
    this.file = file;
    this.offset = offset;
    this.found = found;
    this.expected = expected;
    this.advice = advice;
  }

  public String file() {
    return file;
  }

  /** Byte offset in the input, -1 if the trouble has no place. */
  public long offset() {
    return offset;
  }

  public String found() {
    return found;
  }

  public String expected() {
    return expected;
  }

  public String advice() {
    return advice;
  }

  private static String message(
      String file, long offset, String found, String expected, String advice) {
    StringBuilder text = new StringBuilder(file).append(": ");
    if (offset >= 0) {
      text.append("at offset 0x").append(Long.toHexString(offset)).append(": ");
    }
    text.append(found);
    if (!expected.isEmpty()) {
      text.append(", expected ").append(expected);
    }
    text.append('.');
    if (!advice.isEmpty()) {
      text.append(' ').append(advice);
    }
    return printable(text);
  }

  /** Texts from a file may hold anything, and the message goes to a terminal. */
  private static String printable(StringBuilder text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        text.setCharAt(i, '?');
      }
    }
    return text.toString();
  }
}

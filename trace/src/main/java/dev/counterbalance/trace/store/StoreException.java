package dev.counterbalance.trace.store;

import java.util.Locale;

/** A store cannot be read or written; the message is a finished sentence for the user. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /** A write failed: out of disk, out of memory, or a bug of ours. */
  static StoreException writing(Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    String lower = text.toLowerCase(Locale.ROOT);
    String advice =
        lower.contains("no space") || lower.contains("could not write")
            ? " Free some disk space and import again; the store is as it was before."
            : " The store is as it was before.";
    return new StoreException("the store could not be written: " + firstLine(text) + advice, cause);
  }

  static String firstLine(String text) {
    int end = text.indexOf('\n');
    String line = end < 0 ? text : text.substring(0, end);
    return line.endsWith(".") ? line : line + ".";
  }

  /** What was committed is safe in the log, and only there. */
  static StoreException checkpointing(Throwable e) {
    return new StoreException(
        "what was imported is in the store, but only in its log (the file .wal beside it), which"
            + " could not be merged into the store's file: "
            + firstLine(String.valueOf(e.getMessage()))
            + " Free some disk space; keep both files: the next command that writes to the store"
            + " merges them.",
        e);
  }
}

package dev.counterbalance.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An output that cannot fail in silence: {@link java.io.PrintStream} swallows every {@link
 * IOException}, a full disk among them, so this one throws something it lets pass. It does so once;
 * what comes after the first failure is dropped.
 */
final class WatchedStream extends FilterOutputStream {
  private final String name;
  private boolean failed;

  WatchedStream(OutputStream out, String name) {
    super(out);
    this.name = name;
  }

  /** The output failed. */
  static final class OutputFailed extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final boolean readerGone;

    OutputFailed(String name, IOException cause) {
      super(name + ": " + cause.getMessage() + ". The output is incomplete.", cause);
      readerGone = String.valueOf(cause.getMessage()).contains("Broken pipe");
    }

    /** True if the reader of a pipe had seen enough, as {@code head} does. */
    boolean readerGone() {
      return readerGone;
    }
  }

  @Override
  public void write(int b) {
    if (failed) {
      return;
    }
    try {
      out.write(b);
    } catch (IOException e) {
      failed = true;
      throw new OutputFailed(name, e);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (failed) {
      return;
    }
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failed = true;
      throw new OutputFailed(name, e);
    }
  }

  @Override
  public void flush() {
    if (failed) {
      return;
    }
    try {
      out.flush();
    } catch (IOException e) {
      failed = true;
      throw new OutputFailed(name, e);
    }
  }
}

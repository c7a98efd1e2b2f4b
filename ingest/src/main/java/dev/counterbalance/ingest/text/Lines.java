package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.ProgressMeter;
import java.io.IOException;

/**
 * Moves over the lines of an input in one buffer. A line ends at a newline or the end of the input;
 * a carriage return before it does not belong to it, nor does a byte order mark at the start.
 */
final class Lines {
  /** Longer lines are no event; they are skipped whole. */
  static final int MAX_LINE = 64 * 1024;

  private static final int BUFFER = 1 << 20;

  private final TraceInput in;
  private final ProgressMeter progress;
  private final byte[] bytes = new byte[BUFFER];
  private long fileOffset;
  private int length;
  private int next;
  private boolean atEnd;

  private int start;
  private int end;
  private long number;
  private boolean tooLong;

  Lines(TraceInput in, ProgressMeter progress) {
    this.in = in;
    this.progress = progress;
  }

  /** Moves to the next line; false if there is none. */
  boolean next() throws IOException {
    int newline = Ascii.newline(bytes, next, length);
    if (newline == length && !atEnd) {
      refill();
      newline = Ascii.newline(bytes, next, length);
    }
    if (next == length) {
      return false;
    }
    number++;
    start = next;
    tooLong = newline - start > MAX_LINE;
    while (newline == length && !atEnd) {
      next = length;
      refill();
      start = 0;
      newline = Ascii.newline(bytes, next, length);
    }
    next = Math.min(newline + 1, length);
    if (fileOffset + start == 0) {
      start = skipMark(bytes, start, newline);
    }
    end = tooLong ? start : lineEnd(bytes, start, newline);
    return true;
  }

  /** Where the text of a line begins that begins the input. */
  static int skipMark(byte[] b, int from, int to) {
    boolean mark =
        to - from >= 3
            && b[from] == (byte) 0xef
            && b[from + 1] == (byte) 0xbb
            && b[from + 2] == (byte) 0xbf;
    return mark ? from + 3 : from;
  }

  /** Where a line's text ends, given where its newline is. */
  static int lineEnd(byte[] b, int from, int newline) {
    int to = newline;
    if (to > from && b[to - 1] == '\r') {
      to--;
    }
    // A trace inside a script: each line ends in the characters \n\.
    if (to - from >= 3 && b[to - 1] == '\\' && b[to - 2] == 'n' && b[to - 3] == '\\') {
      to -= 3;
    }
    return to;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Index in {@link #bytes} of the line's first byte. */
  int start() {
    return start;
  }

  /** Index after the line's last byte. */
  int end() {
    return end;
  }

  /** Offset in the input of the line's first byte. */
  long offset() {
    return fileOffset + start;
  }

  /** Number of the line, counting from 1. */
  long number() {
    return number;
  }

  /** True if the line is too long to be read and shows as empty. */
  boolean isTooLong() {
    return tooLong;
  }

  private void refill() throws IOException {
    int keep = length - next;
    if (keep == bytes.length) {
      keep = 0; // no newline in the whole buffer: drop what there is of the line
      fileOffset += length;
    } else {
      System.arraycopy(bytes, next, bytes, 0, keep);
      fileOffset += next;
    }
    int n = in.read(fileOffset + keep, bytes, keep, bytes.length - keep);
    progress.add(n);
    atEnd = n < bytes.length - keep;
    next = 0;
    length = keep + n;
  }
}

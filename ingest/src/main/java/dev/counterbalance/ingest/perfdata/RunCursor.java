package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.ingest.io.ProgressMeter;
import java.io.IOException;

/** Moves over the records of one run, with a read buffer of its own. */
final class RunCursor {
  private final RunIndex index;
  private final TraceInput in;
  private final Locator locator;
  private final ProgressMeter progress;
  private int range;
  private long bufferAt;
  private int filled;

  /** The CPU all its records are of, -1 if they do not tell. */
  final int cpu;

  // The record at hand.
  byte[] bytes;
  int pos;
  int type;
  int size;
  long offset;
  long timeNs;
  Attr attr;

  RunCursor(
      RunIndex index,
      int run,
      TraceInput in,
      Locator locator,
      ProgressMeter progress,
      int bufferSize) {
    this.index = index;
    this.in = in;
    this.locator = locator;
    this.progress = progress;
    this.range = index.firstRange(run);
    this.cpu = index.cpu(run);
    this.bytes = new byte[bufferSize];
    this.offset = range < 0 ? 0 : index.start(range);
    this.bufferAt = offset;
  }

  /**
   * Moves to the next record of the run.
   *
   * @return false if there is none
   */
  boolean next() throws IOException {
    long last = timeNs;
    while (range >= 0) {
      offset += size;
      pos += size;
      size = 0;
      if (offset >= index.end(range)) {
        range = index.nextRange(range);
        if (range >= 0) {
          seek(index.start(range));
        }
        continue;
      }
      if (pos + 8 > filled && !fill(8)) {
        break;
      }
      size = Bytes.u16(bytes, pos + 6);
      if (size < 8 || (pos + size > filled && !fill(size))) {
        break;
      }
      type = Bytes.s32(bytes, pos);
      if (locator.find(bytes, pos, type, size, offset) == Locator.TIMED
          && locator.cpu == cpu
          && locator.timeNs >= last) {
        timeNs = locator.timeNs;
        attr = locator.attr;
        return true;
      }
    }
    range = -1;
    return false;
  }

  private void seek(long at) {
    offset = at;
    long index = at - bufferAt;
    if (index >= 0 && index <= filled) {
      pos = (int) index;
    } else {
      bufferAt = at;
      pos = 0;
      filled = 0;
    }
  }

  /** Reads on so that the buffer holds that many bytes from the record's start. */
  private boolean fill(int wanted) throws IOException {
    int keep = filled - pos;
    byte[] target = wanted > bytes.length ? new byte[wanted] : bytes;
    System.arraycopy(bytes, pos, target, 0, keep);
    bytes = target;
    bufferAt = offset;
    pos = 0;
    long left = index.end(range) - offset - keep;
    int n = in.read(offset + keep, bytes, keep, (int) Math.min(bytes.length - keep, left));
    progress.add(n);
    filled = keep + n;
    return filled >= wanted;
  }
}

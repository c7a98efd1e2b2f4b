package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.ingest.io.WindowReader;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Hops over records by their size, in file order. Stops at the first record that cannot be one,
 * since nothing tells where the next begins.
 */
final class RecordWalk {
  private static final int WINDOW = 256 << 10;
  private static final long MAX_TRACING_DATA = 256L << 20;
  private static final int HEADER = 8;

  /** Is shown every record. */
  interface Visitor {
    /**
     * Looks at a record.
     *
     * @param bytes holds the record whole from pos on
     * @param offset where the record is in the file
     */
    void record(byte[] bytes, int pos, int type, int size, long offset) throws IOException;

    /** A block outside records follows the one just shown; {@code from} is where it begins. */
    default void block(int type, SectionReader block) throws IOException {}
  }

  private final Recording recording;
  private final TraceInput in;
  private final ProgressMeter progress;

  /** Type of the last record shown if a block follows it, else 0; and the block's bytes. */
  private int block;

  private long blockSize;

  RecordWalk(Recording recording, ProgressMeter progress) {
    this.recording = recording;
    this.in = recording.records;
    this.progress = progress;
  }

  /**
   * Walks a range of the file.
   *
   * @param wantsBlocks true to have event formats in the stream read; they are skipped otherwise
   * @return where the walk ended: the range's end unless something is wrong
   */
  long walk(long from, long to, boolean wantsBlocks, Visitor visitor) throws IOException {
    WindowReader window = new WindowReader(in, (int) Math.min(WINDOW, Math.max(64, to - from)));
    long at = from;
    while (at + HEADER <= to) {
      int pos = window.at(at, HEADER);
      int size = pos < 0 ? 0 : Bytes.u16(window.bytes(), pos + 6);
      if (pos >= 0 && size < HEADER) {
        badSize(at, size);
        return at;
      }
      if (pos < 0 || at + size > to || window.at(at, size) < 0) {
        break;
      }
      long next = records(window, at, to, visitor);
      progress.add(next - at);
      at = next;
      if (block != 0) {
        long skip = blockSize;
        boolean wanted = wantsBlocks && block == RecordType.HEADER_TRACING_DATA;
        if (wanted && skip != 0 && to > at) {
          long available = skip < 0 ? to - at : Math.min(skip, to - at);
          visitor.block(block, block(at, available));
        }
        if (skip < 0 || skip > to - at) {
          break;
        }
        at += skip;
        progress.add(skip);
      }
    }
    if (at < to) {
      truncated(at, to);
    }
    return at;
  }

  /**
   * Shows the records that the window holds whole, up to one that a block follows.
   *
   * @return where the next record, or the block, is
   */
  private long records(WindowReader window, long from, long to, Visitor visitor)
      throws IOException {
    byte[] bytes = window.bytes();
    long shift = window.start();
    int pos = (int) (from - shift);
    int end = (int) Math.min(window.length(), to - shift);
    block = 0;
    while (pos + HEADER <= end) {
      int type = Bytes.s32(bytes, pos);
      int size = Bytes.u16(bytes, pos + 6);
      if (size < HEADER || pos + size > end) {
        break;
      }
      visitor.record(bytes, pos, type, size, shift + pos);
      if (type == RecordType.HEADER_TRACING_DATA || type == RecordType.AUXTRACE) {
        block = type;
        blockSize = blockSize(bytes, pos, type, size);
        return shift + pos + size;
      }
      pos += size;
    }
    return shift + pos;
  }

  private static long blockSize(byte[] bytes, int pos, int type, int size) {
    if (type == RecordType.HEADER_TRACING_DATA) {
      return size < 12 ? 0 : (Bytes.u32(bytes, pos + 8) + 7) & -8L;
    }
    return size < 16 ? 0 : Bytes.s64(bytes, pos + 8);
  }

  private SectionReader block(long at, long size) throws IOException {
    if (size > MAX_TRACING_DATA) {
      throw new TraceFormatException(
          in.name(), at, "event formats of " + size + " bytes", "at most " + MAX_TRACING_DATA, "");
    }
    byte[] bytes = new byte[(int) size];
    int n = in.read(at, bytes, 0, bytes.length);
    return new SectionReader(
        in.name(), "event formats", at, Arrays.copyOf(bytes, n), ByteOrder.LITTLE_ENDIAN);
  }

  private void badSize(long at, int size) throws TraceFormatException {
    recording.problems.damage(
        "bad_record_size",
        at,
        -1,
        "a record of size " + size + ", expected at least " + HEADER,
        "What follows cannot be read; the events before it were imported.");
  }

  private void truncated(long at, long to) throws TraceFormatException {
    recording.problems.damage(
        "truncated",
        at,
        -1,
        "the data ends within a record, " + (to - at) + " bytes before its announced end",
        "The file is probably truncated; the events before were imported.");
  }
}

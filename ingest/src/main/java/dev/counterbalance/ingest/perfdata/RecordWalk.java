package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.Bytes;
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
  private static final int WINDOW = 2 << 20;
  private static final long MAX_TRACING_DATA = 256L << 20;
  private static final int HEADER = 8;

  /** Is shown every record. */
  interface Visitor {
    /**
     * Looks at a record.
     *
     * @param bytes holds the record whole from pos on
     * @param offset where the record is in the file
     * @return false to end the walk before the next record
     */
    boolean record(byte[] bytes, int pos, int type, int size, long offset) throws IOException;

    /** A block outside records follows the one just shown; {@code from} is where it begins. */
    default void block(int type, SectionReader block) throws IOException {}
  }

  private final Recording recording;
  private final TraceInput in;
  private final ProgressMeter progress;

  RecordWalk(Recording recording, ProgressMeter progress) {
    this.recording = recording;
    this.in = recording.in;
    this.progress = progress;
  }

  /**
   * Walks a range of the file.
   *
   * @param wantsBlocks true to have event formats in the stream read; they are skipped otherwise
   * @return where the walk ended: the range's end unless something is wrong or the visitor ended it
   */
  long walk(long from, long to, boolean wantsBlocks, Visitor visitor) throws IOException {
    WindowReader window = new WindowReader(in, (int) Math.min(WINDOW, Math.max(64, to - from)));
    long at = from;
    while (at + HEADER <= to) {
      int pos = window.at(at, HEADER);
      if (pos < 0) {
        break;
      }
      int type = Bytes.s32(window.bytes(), pos);
      int size = Bytes.u16(window.bytes(), pos + 6);
      if (size < HEADER) {
        badSize(at, size);
        return at;
      }
      if (at + size > to) {
        break;
      }
      pos = window.at(at, size);
      if (pos < 0) {
        break;
      }
      if (!visitor.record(window.bytes(), pos, type, size, at)) {
        return at;
      }
      at += size;
      progress.add(size);
      if (type == RecordType.HEADER_TRACING_DATA || type == RecordType.AUXTRACE) {
        long skip = blockSize(window.bytes(), pos, type, size);
        if (skip < 0 || skip > to - at) {
          cutBlock(wantsBlocks && type == RecordType.HEADER_TRACING_DATA, at, to, visitor);
          break;
        }
        if (wantsBlocks && type == RecordType.HEADER_TRACING_DATA) {
          visitor.block(type, block(at, skip));
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

  private static long blockSize(byte[] bytes, int pos, int type, int size) {
    if (type == RecordType.HEADER_TRACING_DATA) {
      return size < 12 ? 0 : (Bytes.u32(bytes, pos + 8) + 7) & -8L;
    }
    return size < 16 ? 0 : Bytes.s64(bytes, pos + 8);
  }

  private void cutBlock(boolean wanted, long at, long to, Visitor visitor) throws IOException {
    if (wanted && to > at) {
      visitor.block(RecordType.HEADER_TRACING_DATA, block(at, to - at));
    }
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

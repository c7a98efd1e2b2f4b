package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.ingest.io.WindowReader;
import dev.counterbalance.trace.event.Severity;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Rewrites compressed, big-endian or several streams of records into one {@link RecordSpool} of
 * plain little-endian ones. Of a big-endian pipe the records that describe the recording are read
 * here and are not written.
 */
final class Normaliser implements Closeable {
  private static final int WINDOW = 256 << 10;
  private static final int COPY = 64 << 10;
  private static final int HEADER = 8;
  private static final int MAX_RECORD = 0xffff;

  private final Recording recording;
  private final RecordSpool spool;
  private final boolean swaps;
  private final boolean tellsPlaces;
  private final MetaRecords meta;
  private final RecordSwap swap;
  private final ProgressMeter progress;
  private Inflater inflater;

  /** The beginning of an inflated record whose end the next payload brings. */
  private byte[] tail = new byte[2 * MAX_RECORD];

  private int tailLength;

  /** True if nothing tells any more where inflated records begin. */
  private boolean lost;

  private long chunkOffset;

  /**
   * Makes one.
   *
   * @param swaps true if the input is big-endian
   * @param tellsPlaces true if the input is one file, so that an offset means something
   */
  Normaliser(
      Recording recording,
      RecordSpool spool,
      boolean swaps,
      boolean tellsPlaces,
      MetaRecords meta,
      ProgressMeter progress) {
    this.recording = recording;
    this.spool = spool;
    this.swaps = swaps;
    this.tellsPlaces = tellsPlaces;
    this.meta = meta;
    this.swap = new RecordSwap(recording);
    this.progress = progress;
  }

  /** Appends the records of a range; a stream of its own, as far as compression goes. */
  void add(TraceInput in, long from, long to) throws IOException {
    close();
    inflater = new Inflater(this::inflated);
    tailLength = 0;
    lost = false;
    long start = spool.size();
    boolean whole = walk(in, from, to) && !lost && !inflater.isBroken();
    if (!whole && !tellsPlaces) {
      recording.cutParts.add(new long[] {start, spool.size()});
    }
  }

  /** Walks over the records; false if they end before the range does, or within one. */
  private boolean walk(TraceInput in, long from, long to) throws IOException {
    WindowReader window = new WindowReader(in, (int) Math.min(WINDOW, Math.max(64, to - from)));
    long at = from;
    while (at + HEADER <= to) {
      int pos = window.at(at, HEADER);
      int size = pos < 0 ? 0 : size(window.bytes(), pos);
      if (pos >= 0 && size < HEADER) {
        damage(
            "bad_record_size",
            at,
            "a record of size " + size + ", expected at least " + HEADER,
            "What follows cannot be read; the events before it were imported.");
        return false;
      }
      pos = pos < 0 || at + size > to ? -1 : window.at(at, size);
      if (pos < 0) {
        break;
      }
      long next = outer(in, window.bytes(), pos, size, at, to);
      progress.add(next - at);
      at = next;
    }
    boolean cutInside = tailLength > 0 && !lost && !inflater.isBroken();
    if (at < to || cutInside) {
      damage(
          "truncated",
          at < to ? at : chunkOffset,
          at < to
              ? "the data ends within a record, " + (to - at) + " bytes before its announced end"
              : "the compressed data ends within a record, "
                  + tailLength
                  + " bytes of it are there",
          "The file is probably truncated; the events before were imported.");
      return false;
    }
    return true;
  }

  /** Takes in one record of the file; returns where the next one is. */
  private long outer(TraceInput in, byte[] bytes, int pos, int size, long at, long to)
      throws IOException {
    long next = at + size;
    switch (type(bytes, pos)) {
      case RecordType.COMPRESSED -> compressed(bytes, pos + HEADER, size - HEADER, at);
      case RecordType.COMPRESSED2 -> {
        long told = size < HEADER + 8 ? -1 : longAt(bytes, pos + HEADER);
        if (told < 0 || told > size - HEADER - 8) {
          badPayload(at, "it tells a size of " + told + " bytes");
          break;
        }
        compressed(bytes, pos + HEADER + 8, (int) told, at);
      }
      case RecordType.AUXTRACE -> {
        long told = size < HEADER + 8 ? 0 : longAt(bytes, pos + HEADER);
        return told < 0 || told > to - next ? to : next + told;
      }
      case RecordType.HEADER_TRACING_DATA -> {
        long told = size < HEADER + 4 ? 0 : (intAt(bytes, pos + HEADER) + 7) & -8L;
        from(at, true);
        byte[] record = Arrays.copyOfRange(bytes, pos, pos + size);
        if (swaps) {
          RecordSwap.header(record, 0);
          if (size >= HEADER + 4) {
            RecordSwap.word(record, HEADER);
          }
        }
        spool.write(record, 0, size);
        return copy(in, next, Math.min(told, to - next));
      }
      default -> {
        from(at, true);
        record(bytes, pos, size, at);
      }
    }
    return next;
  }

  private long copy(TraceInput in, long from, long length) throws IOException {
    byte[] piece = new byte[(int) Math.min(COPY, length)];
    long at = from;
    while (at < from + length) {
      int n = in.read(at, piece, 0, (int) Math.min(piece.length, from + length - at));
      if (n <= 0) {
        break;
      }
      spool.write(piece, 0, n);
      at += n;
    }
    return at;
  }

  private void compressed(byte[] bytes, int pos, int length, long at) throws IOException {
    chunkOffset = at;
    from(at, false);
    if (inflater.restarts(bytes, pos, length)) {
      tailLength = 0; // a stream begins with a record
      lost = false;
    }
    String wrong = inflater.inflate(bytes, pos, length);
    if (wrong != null) {
      badPayload(at, wrong);
    }
  }

  private void inflated(byte[] bytes, int length) throws IOException {
    if (lost) {
      return;
    }
    int at = 0;
    while (tailLength > 0 && at < length) {
      int wanted = tailLength < HEADER ? HEADER : size(tail, 0);
      int n = Math.min(wanted - tailLength, length - at);
      System.arraycopy(bytes, at, tail, tailLength, n);
      at += n;
      tailLength += n;
      if (tailLength >= HEADER && isLost(size(tail, 0))) {
        return;
      }
      if (tailLength >= HEADER && tailLength == size(tail, 0)) {
        int size = tailLength;
        tailLength = 0;
        inner(tail, 0, size);
      }
    }
    while (at + HEADER <= length) {
      int size = size(bytes, at);
      if (isLost(size)) {
        return;
      }
      if (at + size > length) {
        break;
      }
      inner(bytes, at, size);
      at += size;
    }
    System.arraycopy(bytes, at, tail, tailLength, length - at);
    tailLength += length - at;
  }

  private boolean isLost(int size) throws TraceFormatException {
    if (size >= HEADER) {
      return false;
    }
    lost = true;
    tailLength = 0;
    damage(
        "bad_record_size",
        chunkOffset,
        "the data compressed here holds a record of size " + size + ", expected at least " + HEADER,
        "What is compressed behind it cannot be read; the events before it were imported.");
    return true;
  }

  /** An inflated record. Kinds with bytes outside records cannot be compressed. */
  private void inner(byte[] bytes, int pos, int size) throws IOException {
    switch (type(bytes, pos)) {
      case RecordType.COMPRESSED,
          RecordType.COMPRESSED2,
          RecordType.AUXTRACE,
          RecordType.HEADER_TRACING_DATA ->
          badPayload(chunkOffset, "it holds a record of type " + type(bytes, pos));
      default -> record(bytes, pos, size, chunkOffset);
    }
  }

  private void record(byte[] bytes, int pos, int size, long at) throws IOException {
    if (swaps) {
      if (MetaRecords.isMeta(type(bytes, pos))) {
        byte[] body = Arrays.copyOfRange(bytes, pos + HEADER, pos + size);
        meta.read(
            type(bytes, pos),
            new SectionReader(
                recording.in.name(), "record", at + HEADER, body, ByteOrder.BIG_ENDIAN));
        return;
      }
      swap.record(bytes, pos);
    }
    spool.write(bytes, pos, size);
  }

  private void badPayload(long at, String wrong) throws TraceFormatException {
    if (!recording.problems.again("bad_compressed_record")) {
      damage(
          "bad_compressed_record",
          at,
          "a compressed record cannot be inflated: " + wrong,
          "Events are missing from here on; those before it were imported.");
    }
    if (!recording.problems.has("events_not_inflated")) {
      recording.problems.add(
          Severity.DATA_LOSS,
          "events_not_inflated",
          1,
          tellsPlaces ? at : -1,
          -1,
          "the events in damaged compressed records are missing, nobody knows how many",
          "Figures after the damage may be wrong.");
    }
  }

  private void damage(String code, long at, String text, String advice)
      throws TraceFormatException {
    recording.problems.damage(code, tellsPlaces ? at : -1, -1, text, advice);
  }

  private void from(long at, boolean copied) {
    spool.from(tellsPlaces ? at : -1, copied);
  }

  private int type(byte[] bytes, int pos) {
    return swaps ? RecordSwap.type(bytes, pos) : Bytes.s32(bytes, pos);
  }

  private int size(byte[] bytes, int pos) {
    return swaps ? RecordSwap.size(bytes, pos) : Bytes.u16(bytes, pos + 6);
  }

  private long intAt(byte[] bytes, int at) {
    int value = Bytes.s32(bytes, at);
    return (swaps ? Integer.reverseBytes(value) : value) & 0xffffffffL;
  }

  private long longAt(byte[] bytes, int at) {
    long value = Bytes.s64(bytes, at);
    return swaps ? Long.reverseBytes(value) : value;
  }

  @Override
  public void close() {
    if (inflater != null) {
      inflater.close();
      inflater = null;
    }
  }
}

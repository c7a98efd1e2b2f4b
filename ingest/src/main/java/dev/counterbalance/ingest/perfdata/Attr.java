package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.ingest.tracefs.EventLayout;
import java.nio.ByteOrder;

/**
 * One recorded event ({@code perf_event_attr}) and where its samples and trailers hold what. The
 * fields of a sample come in a fixed order that is not the order of the bits in {@code
 * sample_type}; a trailer (all other kernel records) is read from the record's end backwards.
 */
final class Attr {
  static final int TYPE_HARDWARE = 0;
  static final int TYPE_SOFTWARE = 1;
  static final int TYPE_TRACEPOINT = 2;

  static final long SAMPLE_IP = 1;
  static final long SAMPLE_TID = 1 << 1;
  static final long SAMPLE_TIME = 1 << 2;
  static final long SAMPLE_ADDR = 1 << 3;
  static final long SAMPLE_READ = 1 << 4;
  static final long SAMPLE_CALLCHAIN = 1 << 5;
  static final long SAMPLE_ID = 1 << 6;
  static final long SAMPLE_CPU = 1 << 7;
  static final long SAMPLE_PERIOD = 1 << 8;
  static final long SAMPLE_STREAM_ID = 1 << 9;
  static final long SAMPLE_RAW = 1 << 10;
  static final long SAMPLE_IDENTIFIER = 1 << 16;

  private static final int MIN_SIZE = 64;
  private static final int SIZE_WITH_CLOCK = 96;
  private static final int HEADER = 8;

  final int type;
  final long config;
  final long sampleType;
  final long readFormat;
  final long flags;

  /** Clock id if {@code use_clockid} is set, else -1. */
  final int clockId;

  /** Size the attr says it has; 0 means 64. */
  final int size;

  long[] ids = new long[0];

  /** Name such as {@code sched:sched_switch}; null until known. */
  String name;

  /** How its raw data is read; null for anything that is no tracepoint with a known format. */
  EventLayout event;

  /** The first two bytes of its raw data, read as little-endian; -1 for any event. */
  int rawType = -1;

  /** Offsets from the start of a sample record, -1 if it has no such field. */
  final int idAt;

  final int tidAt;
  final int timeAt;
  final int cpuAt;

  /** Where the fields of fixed size end in a sample. */
  final int fixedEnd;

  /** Where raw data is if only fields of fixed size come before it, else -1. */
  private final int plainRawAt;

  /** Offsets of trailer fields from the end of a record, -1 if it has no such field. */
  final int idBack;

  final int tidBack;
  final int timeBack;
  final int cpuBack;

  /** Bytes of the whole trailer. */
  final int trailerSize;

  /** Reads an attr of any size; the reader's part must end where the attr does. */
  Attr(SectionReader in) throws TraceFormatException {
    if (in.remaining() < MIN_SIZE) {
      throw in.fail("an event description of " + in.remaining() + " bytes", "at least 64");
    }
    type = in.s32();
    int told = in.s32();
    size = told == 0 ? MIN_SIZE : told;
    config = in.s64();
    in.s64(); // period
    sampleType = in.s64();
    readFormat = in.s64();
    // As a bit field the word is stored from the most significant bit of each byte on.
    long stored = in.s64();
    flags = in.order() == ByteOrder.BIG_ENDIAN ? Long.reverse(stored) : stored;
    in.skip(MIN_SIZE - 48);
    int clock = -1;
    if (size >= SIZE_WITH_CLOCK && in.remaining() >= SIZE_WITH_CLOCK - MIN_SIZE) {
      in.skip(SIZE_WITH_CLOCK - MIN_SIZE - 4);
      clock = in.s32();
    }
    clockId = hasFlag(25) ? clock : -1;

    int at = HEADER;
    int identifier = -1;
    if (has(SAMPLE_IDENTIFIER)) {
      identifier = at;
      at += 8;
    }
    at += 8 * count(SAMPLE_IP);
    tidAt = has(SAMPLE_TID) ? at : -1;
    at += 8 * count(SAMPLE_TID);
    timeAt = has(SAMPLE_TIME) ? at : -1;
    at += 8 * count(SAMPLE_TIME | SAMPLE_ADDR);
    idAt = identifier >= 0 ? identifier : has(SAMPLE_ID) ? at : -1;
    at += 8 * count(SAMPLE_ID | SAMPLE_STREAM_ID);
    cpuAt = has(SAMPLE_CPU) ? at : -1;
    fixedEnd = at + 8 * count(SAMPLE_CPU | SAMPLE_PERIOD);
    boolean plain = has(SAMPLE_RAW) && !has(SAMPLE_READ | SAMPLE_CALLCHAIN);
    plainRawAt = plain ? fixedEnd : -1;

    boolean trailer = hasFlag(18);
    int back = 8 * count(SAMPLE_IDENTIFIER);
    int identifierBack = trailer && back > 0 ? back : -1;
    back += 8 * count(SAMPLE_CPU);
    cpuBack = trailer && has(SAMPLE_CPU) ? back : -1;
    back += 8 * count(SAMPLE_STREAM_ID | SAMPLE_ID);
    int idInTrailer = trailer && has(SAMPLE_ID) ? back : -1;
    idBack = identifierBack >= 0 ? identifierBack : idInTrailer;
    back += 8 * count(SAMPLE_TIME);
    timeBack = trailer && has(SAMPLE_TIME) ? back : -1;
    back += 8 * count(SAMPLE_TID);
    tidBack = trailer && has(SAMPLE_TID) ? back : -1;
    trailerSize = trailer ? back : 0;
  }

  boolean isTracepoint() {
    return type == TYPE_TRACEPOINT;
  }

  boolean has(long sampleBits) {
    return (sampleType & sampleBits) != 0;
  }

  /** True if a bit of the flags word is set, counted from the lowest. */
  boolean hasFlag(int bit) {
    return (flags >>> bit & 1) != 0;
  }

  /** True if the attr's ring is written from its end, so that the file holds it newest first. */
  boolean isWrittenBackward() {
    return hasFlag(27);
  }

  /** True if switches are recorded with it, and say when and where they were. */
  boolean tellsSwitches() {
    return hasSwitches() && timeBack > 0 && cpuBack > 0 && tidBack > 0;
  }

  boolean hasSwitches() {
    return hasFlag(26);
  }

  /** True if the event counts a task from its exec on, not whole CPUs. */
  boolean isEnabledOnExec() {
    return hasFlag(12);
  }

  /**
   * Where the raw data's size word is in a sample.
   *
   * @return offset from the record's start, -1 if the record does not hold raw data whole
   */
  int rawAt(byte[] bytes, int pos, int recordSize) {
    int at = plainRawAt >= 0 ? plainRawAt : searchRaw(bytes, pos, recordSize);
    if (at < 0 || at + 4 > recordSize) {
      return -1;
    }
    long rawSize = Bytes.u32(bytes, pos + at);
    return rawSize > recordSize - at - 4 ? -1 : at;
  }

  private int searchRaw(byte[] bytes, int pos, int recordSize) {
    if (!has(SAMPLE_RAW)) {
      return -1;
    }
    int at = fixedEnd;
    if (has(SAMPLE_READ)) {
      at = afterRead(bytes, pos, recordSize, at);
    }
    if (at >= 0 && has(SAMPLE_CALLCHAIN)) {
      at = afterWords(bytes, pos, recordSize, at, 0, 1);
    }
    return at;
  }

  private int afterRead(byte[] bytes, int pos, int recordSize, int at) {
    int times = Long.bitCount(readFormat & 3);
    int perValue = 1 + Long.bitCount(readFormat & (4 | 16));
    if ((readFormat & 8) != 0) {
      return afterWords(bytes, pos, recordSize, at, times, perValue);
    }
    int end = at + 8 * (times + perValue);
    return end > recordSize ? -1 : end;
  }

  /** Skips a count, some words, and count times some words; -1 if that is more than the record. */
  private static int afterWords(
      byte[] bytes, int pos, int recordSize, int at, int fixedWords, int wordsEach) {
    if (at + 8 > recordSize) {
      return -1;
    }
    long n = Bytes.s64(bytes, pos + at);
    long left = ((long) recordSize - at) / 8 - 1 - fixedWords;
    return n < 0 || n > left / wordsEach ? -1 : at + 8 * (int) (1 + fixedWords + n * wordsEach);
  }

  private int count(long sampleBits) {
    return Long.bitCount(sampleType & sampleBits);
  }
}

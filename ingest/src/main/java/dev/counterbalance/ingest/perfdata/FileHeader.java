package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.SectionReader;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * The first bytes of a perf.data file: where its sections are.
 *
 * @param pipe true for a stream of records without sections
 * @param attrSize size of an entry of the attr section in bytes
 * @param features four words; bit n is set if feature n is there
 */
@SuppressWarnings("ArrayRecordComponent") // private to this package, never compared
record FileHeader(
    boolean pipe,
    long attrSize,
    long attrsOffset,
    long attrsSize,
    long dataOffset,
    long dataSize,
    long[] features) {

  static final String MAGIC = "PERFILE2";
  static final String MAGIC_SWAPPED = "2ELIFREP";
  static final String MAGIC_OLD = "PERFFILE";

  static final int PIPE_SIZE = 16;
  private static final int FILE_SIZE = 104;
  private static final int OLD_FILE_SIZE = 72;

  static FileHeader read(TraceInput in) throws IOException {
    Head head = in.head();
    refuseOtherKinds(in.name(), head);
    SectionReader reader =
        new SectionReader(in.name(), "header", 0, head.bytes(), ByteOrder.LITTLE_ENDIAN);
    reader.skip(8);
    if (reader.remaining() < 8) {
      throw cut(in.name(), head.size(), PIPE_SIZE);
    }
    long size = reader.s64();
    if (size == PIPE_SIZE) {
      return new FileHeader(true, 0, 0, 0, PIPE_SIZE, in.size() - PIPE_SIZE, new long[4]);
    }
    if (size != FILE_SIZE && size != OLD_FILE_SIZE) {
      throw reader.fail("size " + Long.toUnsignedString(size), "16 (pipe), 72 (old) or 104 (file)");
    }
    if (head.size() < size) {
      throw cut(in.name(), head.size(), size);
    }
    long attrSize = reader.s64();
    long attrsOffset = reader.s64();
    long attrsSize = reader.s64();
    long dataOffset = reader.s64();
    long dataSize = reader.s64();
    reader.skip(16);
    long[] features = new long[4];
    for (int i = 0; size == FILE_SIZE && i < 4; i++) {
      features[i] = reader.s64();
    }
    return new FileHeader(false, attrSize, attrsOffset, attrsSize, dataOffset, dataSize, features);
  }

  boolean hasFeature(int bit) {
    return (features[bit / 64] >>> (bit % 64) & 1) != 0;
  }

  /**
   * True if the bits show that simpleperf (Android) wrote the file: it numbers its own from 128.
   */
  boolean isSimpleperf() {
    return features[2] != 0;
  }

  private static void refuseOtherKinds(String file, Head head) throws TraceFormatException {
    if (head.startsWith(MAGIC_SWAPPED)) {
      throw new TraceFormatException(
          file,
          0,
          "was recorded on a big-endian machine, which is not read yet",
          "",
          "Only perf itself can print it for now: perf script --ns.");
    }
    if (head.startsWith(MAGIC_OLD)) {
      throw new TraceFormatException(
          file,
          0,
          "is a version 1 perf.data (before Linux 3.0), which is not read",
          "",
          "Record again with a perf of 2012 or later.");
    }
    if (!head.startsWith(MAGIC)) {
      throw new TraceFormatException(file, 0, "no perf.data", "the bytes " + MAGIC, "");
    }
  }

  private static TraceFormatException cut(String file, long size, long needed) {
    return new TraceFormatException(
        file,
        size,
        "the file ends within its header",
        needed + " bytes of header",
        "The copy or the recording is incomplete: record again.");
  }
}

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
 * @param order the writer's byte order
 * @param attrSize size of an entry of the attr section in bytes
 * @param features four words; bit n is set if feature n is there
 */
@SuppressWarnings("ArrayRecordComponent") // private to this package, never compared
record FileHeader(
    boolean pipe,
    ByteOrder order,
    long attrSize,
    long attrsOffset,
    long attrsSize,
    long dataOffset,
    long dataSize,
    long[] features) {

  static final String MAGIC = "PERFILE2";
  static final String MAGIC_SWAPPED = "2ELIFREP";

  /** Version 1, before Linux 3.0: the same bytes in either byte order. */
  static final String MAGIC_OLD = "PERFFILE";

  static final int PIPE_SIZE = 16;
  private static final int FILE_SIZE = 104;
  private static final int OLD_FILE_SIZE = 72;
  private static final int MAX_OLD_ATTR = 104 + 16;

  static FileHeader read(TraceInput in) throws IOException {
    Head head = in.head();
    SectionReader reader =
        new SectionReader(in.name(), "header", 0, head.bytes(), order(in.name(), head));
    reader.skip(8);
    if (reader.remaining() < 8) {
      throw cut(in.name(), head.size(), PIPE_SIZE);
    }
    long size = reader.s64();
    if (size == PIPE_SIZE) {
      return new FileHeader(
          true, reader.order(), 0, 0, 0, PIPE_SIZE, in.size() - PIPE_SIZE, new long[4]);
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
    if (reader.order() == ByteOrder.BIG_ENDIAN) {
      joinHalves(features);
    }
    return new FileHeader(
        false, reader.order(), attrSize, attrsOffset, attrsSize, dataOffset, dataSize, features);
  }

  boolean hasFeature(int bit) {
    return (features[bit / 64] >>> (bit % 64) & 1) != 0;
  }

  boolean isBigEndian() {
    return order == ByteOrder.BIG_ENDIAN;
  }

  /**
   * True if the bits show that simpleperf (Android) wrote the file: it numbers its own from 128,
   * and has few.
   */
  boolean isSimpleperf() {
    return features[2] != 0 && features[2] >>> 32 == 0 && features[1] == 0 && features[3] == 0;
  }

  /** A 32-bit writer stores the bitmap in 32-bit words; every perf sets the bit of HOSTNAME. */
  private static void joinHalves(long[] features) {
    long other = Long.rotateLeft(features[0], 32);
    if ((features[0] >>> Feature.HOSTNAME & 1) == 0 && (other >>> Feature.HOSTNAME & 1) != 0) {
      for (int i = 0; i < features.length; i++) {
        features[i] = Long.rotateLeft(features[i], 32);
      }
    }
  }

  private static ByteOrder order(String file, Head head) throws TraceFormatException {
    if (head.startsWith(MAGIC)) {
      return ByteOrder.LITTLE_ENDIAN;
    }
    if (head.startsWith(MAGIC_SWAPPED)) {
      return ByteOrder.BIG_ENDIAN;
    }
    if (!head.startsWith(MAGIC_OLD)) {
      throw new TraceFormatException(file, 0, "no perf.data", "the bytes " + MAGIC, "");
    }
    SectionReader sizes =
        new SectionReader(file, "header", 0, head.bytes(), ByteOrder.LITTLE_ENDIAN);
    sizes.skip(8);
    if (sizes.remaining() < 8) {
      throw cut(file, head.size(), PIPE_SIZE);
    }
    long size = sizes.s64();
    if (size == PIPE_SIZE || Long.reverseBytes(size) == PIPE_SIZE) {
      return size == PIPE_SIZE ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }
    if (sizes.remaining() < 8) {
      throw cut(file, head.size(), OLD_FILE_SIZE);
    }
    long attrSize = sizes.s64();
    long swapped = Long.reverseBytes(attrSize);
    boolean little = attrSize > 0 && attrSize <= MAX_OLD_ATTR;
    if (!little && (swapped <= 0 || swapped > MAX_OLD_ATTR)) {
      throw sizes.fail("event descriptions of neither byte order", "80 to 120 bytes each");
    }
    return little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
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

package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.SectionReader;
import java.io.IOException;

/** Reads the sections of a file around its data: attrs with their ids, and the features. */
final class Sections {
  private static final int MAX_ATTR_SIZE = 64 * 1024;
  private static final long MAX_FEATURE_SIZE = 256L << 20;

  private final Recording recording;
  private final TraceInput in;
  private final FileHeader header;
  private long idBytes;

  Sections(Recording recording, FileHeader header) {
    this.recording = recording;
    this.in = recording.in;
    this.header = header;
  }

  void readAttrs() throws IOException {
    long stride = header.attrSize();
    if (stride < 64 + 16 || stride > MAX_ATTR_SIZE) {
      throw new TraceFormatException(
          in.name(),
          16,
          "event descriptions of " + Long.toUnsignedString(stride) + " bytes each",
          "80 or more",
          "");
    }
    long count = Long.divideUnsigned(header.attrsSize(), stride);
    if (header.attrsOffset() < 0 || count < 0 || count > in.size() / stride) {
      throw new TraceFormatException(
          in.name(),
          32,
          Long.toUnsignedString(header.attrsSize()) + " bytes of event descriptions",
          "at most " + in.size() + ", the file's size",
          "");
    }
    for (long i = 0; i < count; i++) {
      SectionReader entry = section("event description", header.attrsOffset() + i * stride, stride);
      Attr attr = new Attr(entry.part(stride - 16));
      attr.ids = ids(entry.s64(), entry.s64());
      recording.addAttr(attr);
    }
  }

  private long[] ids(long offset, long size) throws IOException {
    SectionReader section = section("event ids", offset, size);
    idBytes += size;
    if (idBytes > in.size()) {
      throw section.fail(idBytes + " bytes of ids in all", "no more than the file has");
    }
    long[] ids = new long[(int) (size / 8)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = section.s64();
    }
    return ids;
  }

  /** Reads every feature; one that is damaged or lies beyond the end is counted. */
  void readFeatures(FeatureReader features) throws IOException {
    long table = header.dataOffset() + header.dataSize();
    int slot = 0;
    for (int bit = 0; bit < 256; bit++) {
      if (!header.hasFeature(bit)) {
        continue;
      }
      long at = table + 16L * slot++;
      try {
        SectionReader entry = section("feature table", at, 16);
        long offset = entry.s64();
        long size = entry.s64();
        features.read(bit, payload(bit, offset, size));
      } catch (TraceFormatException e) {
        recording.problems.damage(
            "feature_unreadable",
            e.offset(),
            -1,
            "feature " + bit + " of the header cannot be read: " + e.found(),
            "The file is probably truncated; facts about the machine may be missing.");
      }
    }
  }

  /** The payload of a feature; event formats are read as far as the file goes. */
  private SectionReader payload(int bit, long offset, long size) throws IOException {
    long left = in.size() - offset;
    if (bit == Feature.TRACING_DATA && offset > 0 && left > 0 && size > left) {
      return section("event formats", offset, left);
    }
    return section("feature " + bit, offset, size);
  }

  private SectionReader section(String what, long offset, long size) throws IOException {
    if (offset < 0 || size < 0 || size > in.size() - offset) {
      throw new TraceFormatException(
          in.name(),
          offset,
          what + " of " + Long.toUnsignedString(size) + " bytes",
          "the part to end within the file's " + in.size() + " bytes",
          "The file is probably truncated.");
    }
    if (size > MAX_FEATURE_SIZE) {
      throw new TraceFormatException(
          in.name(), offset, what + " of " + size + " bytes", "at most " + MAX_FEATURE_SIZE, "");
    }
    byte[] bytes = new byte[(int) size];
    int n = in.read(offset, bytes, 0, bytes.length);
    if (n < bytes.length) {
      throw new TraceFormatException(in.name(), offset + n, what + " is cut", "", "");
    }
    return new SectionReader(in.name(), what, offset, bytes, header.order());
  }
}

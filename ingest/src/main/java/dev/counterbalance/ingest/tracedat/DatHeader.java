package dev.counterbalance.ingest.tracedat;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.InputCursor;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * The first bytes of a trace.dat.
 *
 * @param longSize size of a long of the recording program
 * @param compression name of the compression of version 7, {@code none} for version 6
 * @param optionsAt offset of the first options section, -1 for version 6
 * @param bodyAt offset of what follows
 */
record DatHeader(
    int version,
    ByteOrder order,
    int longSize,
    int pageSize,
    String compression,
    long optionsAt,
    long bodyAt) {
  static final String MAGIC = "\u0017\u0008Dtracing";

  static DatHeader read(TraceInput in) throws IOException {
    InputCursor start = new InputCursor(in, ByteOrder.LITTLE_ENDIAN, MAGIC.length());
    String version = start.terminatedString();
    if (!version.equals("6") && !version.equals("7")) {
      throw new TraceFormatException(
          in.name(),
          MAGIC.length(),
          "is a trace.dat of version " + version,
          "version 6 or 7",
          "Convert it with trace-cmd, or import the output of trace-cmd report.");
    }
    ByteOrder order = start.u8() == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    int longSize = start.u8();
    InputCursor cursor = new InputCursor(in, order, start.position());
    int pageSize = cursor.s32();
    if (version.equals("6")) {
      return new DatHeader(6, order, longSize, pageSize, "none", -1, cursor.position());
    }
    String compression = cursor.terminatedString();
    cursor.terminatedString(); // version of the compression
    long optionsAt = cursor.s64();
    return new DatHeader(7, order, longSize, pageSize, compression, optionsAt, cursor.position());
  }
}

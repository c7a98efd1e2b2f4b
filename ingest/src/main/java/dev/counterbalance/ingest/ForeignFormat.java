package dev.counterbalance.ingest;

/** Says what an input is that no importer knows. */
final class ForeignFormat {
  private record Known(int offset, String magic, String what, String advice) {}

  private static final String UNPACK = "Unpack it first.";

  private static final Known[] KNOWN = {
    new Known(0, "BZh", "is compressed with bzip2", UNPACK),
    new Known(0, "PK\u0003\u0004", "is a zip archive", UNPACK),
    new Known(257, "ustar", "is a tar archive", UNPACK),
    new Known(0, "\u0089PNG", "is a PNG image", ""),
    new Known(0, "\u00ff\u00d8\u00ff", "is a JPEG image", ""),
    new Known(0, "GIF8", "is a GIF image", ""),
    new Known(0, "%PDF", "is a PDF document", ""),
    new Known(0, "\u007fELF", "is an ELF program or library", ""),
    new Known(8, "DUCK", "is a DuckDB file", "If it is a store, it is imported already."),
    new Known(0, "SQLite format 3", "is an SQLite file", ""),
  };

  private ForeignFormat() {}

  static TraceFormatException refuse(String name, Head head, String formats) {
    if (head.size() == 0) {
      return new TraceFormatException(
          name, -1, "is empty", "a trace (" + formats + ")", "Did the recorder fail?");
    }
    Unpacking.Wrapper wrapper = Unpacking.Wrapper.of(head);
    if (wrapper != null) {
      return new TraceFormatException(
          name,
          -1,
          "is compressed with " + wrapper.tool + " within " + TraceInput.MAX_WRAPPERS + " others",
          "a trace (" + formats + ")",
          UNPACK);
    }
    for (Known known : KNOWN) {
      if (head.hasAt(known.offset, known.magic)) {
        return new TraceFormatException(
            name, -1, known.what, "a trace (" + formats + ")", known.advice);
      }
    }
    return new TraceFormatException(
        name,
        0,
        "no known trace format begins with " + describe(head.bytes()),
        "a trace (" + formats + ")",
        "");
  }

  private static String describe(byte[] bytes) {
    int n = Math.min(bytes.length, 16);
    boolean printable = true;
    for (int i = 0; i < n; i++) {
      printable &= bytes[i] >= 0x20 && bytes[i] < 0x7f;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < n; i++) {
      if (printable) {
        text.append((char) bytes[i]);
      } else {
        text.append(i == 0 ? "" : " ").append(String.format("%02x", bytes[i]));
      }
    }
    return printable ? '"' + text.toString() + '"' : "the bytes " + text;
  }
}

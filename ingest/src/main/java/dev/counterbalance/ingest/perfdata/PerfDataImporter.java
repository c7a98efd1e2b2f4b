package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.FormatInfo;
import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importer;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads perf.data: a file, the stream that {@code perf record -o -} writes, or the directory that
 * {@code perf record --threads} writes; of either byte order, compressed or not.
 */
public final class PerfDataImporter implements Importer {
  private static final String MAIN_FILE = "data";

  /** Written by a recorder with a bundle of several formats, which other importers know. */
  private static final String BUNDLE = "bundle.json";

  @Override
  public FormatInfo info() {
    return new FormatInfo("perf.data", "perf record, perf sched record");
  }

  @Override
  public int sniff(Head head) {
    boolean perf =
        head.startsWith(FileHeader.MAGIC)
            || head.startsWith(FileHeader.MAGIC_SWAPPED)
            || head.startsWith(FileHeader.MAGIC_OLD);
    return perf ? 100 : 0;
  }

  @Override
  public int sniff(Path directory) throws IOException {
    Path main = directory.resolve(MAIN_FILE);
    if (!Files.isRegularFile(main)
        || !Files.isReadable(main)
        || Files.exists(directory.resolve(BUNDLE))) {
      return 0;
    }
    try (TraceInput in = TraceInput.ofFile(main)) {
      return sniff(in.head());
    }
  }

  @Override
  public void read(TraceInput in, ImportOptions options, EventSink sink) throws IOException {
    if (in.directory() == null) {
      read(in, false, List.of(), options, sink);
      return;
    }
    try (TraceInput main = TraceInput.ofFile(in.directory().resolve(MAIN_FILE))) {
      read(main, true, parts(in.directory()), options, sink);
    }
  }

  private static void read(
      TraceInput in, boolean directory, List<Path> parts, ImportOptions options, EventSink sink)
      throws IOException {
    FileHeader header = FileHeader.read(in);
    if (!directory && !header.isBigEndian() && !header.hasFeature(Feature.COMPRESSED)) {
      try {
        new PerfDataReader(in, header, options).readPlain(sink);
        return;
      } catch (CompressedException e) {
        // The file did not say so: a pipe, or one whose recorder was killed.
      }
    }
    new PerfDataReader(in, header, options).readRewritten(directory, parts, sink);
  }

  /** The files {@code data.N} by their number. */
  private static List<Path> parts(Path directory) throws IOException {
    List<Path> parts = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, MAIN_FILE + ".*")) {
      for (Path file : files) {
        if (number(file).matches("\\d{1,9}") && Files.isRegularFile(file)) {
          parts.add(file);
        }
      }
    }
    parts.sort(Comparator.comparingInt(file -> Integer.parseInt(number(file))));
    return parts;
  }

  private static String number(Path file) {
    return file.getFileName().toString().substring(MAIN_FILE.length() + 1);
  }
}

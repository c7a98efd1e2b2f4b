package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.FormatInfo;
import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importer;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;

/** Reads perf.data, as a file or as the stream that {@code perf record -o -} writes. */
public final class PerfDataImporter implements Importer {

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
  public void read(TraceInput in, ImportOptions options, EventSink sink) throws IOException {
    FileHeader header = FileHeader.read(in);
    Recording recording = new Recording(in, options);
    FeatureReader features = new FeatureReader(recording);
    if (!header.pipe()) {
      readSections(header, recording, features);
    }
    long from = header.dataOffset();
    long to = from + header.dataSize();
    ProgressMeter progress = new ProgressMeter(options.progress(), 2 * (to - from));
    Survey survey = new Survey(recording, new MetaRecords(recording, features));
    RecordWalk walk = new RecordWalk(recording, progress);
    to = walk.walk(from, to, true, survey);
    if (header.pipe()) {
      recording.resolve();
      Checks.mustBeUsable(recording);
    }
    if (survey.events == 0) {
      throw Checks.refuse(
          in.name(),
          "holds no events at all",
          "Was there any load while it was recorded? Record again with: perf sched record.");
    }
    new Playback(recording, survey, walk, progress).run(header.pipe(), from, to, sink);
    progress.end();
  }

  private static void readSections(FileHeader header, Recording recording, FeatureReader features)
      throws IOException {
    String file = recording.in.name();
    if (header.isSimpleperf()) {
      throw Checks.refuse(
          file,
          "was recorded by simpleperf (Android), which is not read yet",
          "Record with perf sched record, or with ftrace.");
    }
    long size = recording.in.size();
    if (header.dataSize() == 0) {
      throw new TraceFormatException(
          file,
          40,
          "the data size is 0: the recorder was killed before it wrote the event formats",
          "",
          "Without them its events cannot be read. Record again and end perf with Ctrl-C.");
    }
    if (header.dataOffset() < 0
        || header.dataSize() < 0
        || header.dataOffset() > size
        || header.dataSize() > size - header.dataOffset()) {
      throw new TraceFormatException(
          file,
          size,
          "the file ends within its data",
          Long.toUnsignedString(header.dataSize())
              + " bytes of data from offset 0x"
              + Long.toHexString(header.dataOffset()),
          "The file is truncated; event formats come after the data and are lost with them,"
              + " so that its events cannot be read. Copy or record it again.");
    }
    Sections sections = new Sections(recording, header);
    sections.readAttrs();
    if (header.hasFeature(Feature.DIR_FORMAT)) {
      throw Checks.refuse(
          file,
          "is one of several files that perf record --threads wrote, which are not read yet",
          "Record without --threads, or import the output of perf script.");
    }
    sections.readFeatures(features);
    recording.resolve();
    Checks.mustBeUsable(recording);
  }
}

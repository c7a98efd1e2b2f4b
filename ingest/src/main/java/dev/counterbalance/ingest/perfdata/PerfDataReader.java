package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.ingest.tracefs.FormatsDirectory;
import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One reading of a perf.data whose header is known. */
final class PerfDataReader {
  private final TraceInput in;
  private final FileHeader header;
  private final ImportOptions options;
  private final Recording recording;
  private final FeatureReader features;
  private final MetaRecords meta;

  PerfDataReader(TraceInput in, FileHeader header, ImportOptions options)
      throws TraceFormatException {
    this.in = in;
    this.header = header;
    this.options = options;
    this.recording = new Recording(in, options);
    this.features = new FeatureReader(recording);
    this.meta = new MetaRecords(recording, features);
  }

  /**
   * Reads a little-endian file or pipe as it is.
   *
   * @throws CompressedException if it holds compressed records; the sink got nothing then
   */
  void readPlain(EventSink sink) throws IOException {
    long to = begin(false);
    ProgressMeter progress = new ProgressMeter(options.progress(), 2 * (to - header.dataOffset()));
    run(header.dataOffset(), to, progress, sink);
  }

  /**
   * Reads any input by way of a temporary file of plain little-endian records.
   *
   * @param directory true if the input is the main file of a directory
   * @param parts its other files
   */
  void readRewritten(boolean directory, List<Path> parts, EventSink sink) throws IOException {
    long to = begin(directory);
    long bytes = to - header.dataOffset();
    for (Path part : parts) {
      bytes += Files.size(part);
    }
    ProgressMeter progress = new ProgressMeter(options.progress(), bytes);
    try (RecordSpool spool = new RecordSpool()) {
      try (Normaliser normaliser =
          new Normaliser(recording, spool, header.isBigEndian(), !directory, meta, progress)) {
        normaliser.add(in, header.dataOffset(), to);
        for (Path part : parts) {
          try (TraceInput other = TraceInput.ofFile(part)) {
            normaliser.add(other, 0, other.size());
          }
        }
      }
      recording.problems.placedBy(spool::place);
      try (TraceInput records = spool.input(in.name())) {
        recording.records = records;
        progress.expect(2 * records.size());
        run(0, records.size(), progress, sink);
      }
    }
  }

  private void run(long from, long end, ProgressMeter progress, EventSink sink) throws IOException {
    RecordWalk walk = new RecordWalk(recording, progress);
    Survey survey = new Survey(recording, meta);
    long to = walk.walk(from, end, true, survey);
    if (survey.hasStrayTimes()) {
      TimeRange times = new TimeRange(recording);
      progress.expect(to - from);
      walk.walk(from, to, false, times);
      if (times.excludeStrays(recording)) {
        survey = new Survey(recording, null);
        progress.expect(to - from);
        walk.walk(from, to, false, survey);
      }
    }
    if (header.pipe()) {
      recording.resolve();
      Checks.mustBeUsable(recording);
    }
    if (!survey.hasEvents()) {
      throw Checks.noEvents(recording);
    }
    survey.markCutCpus();
    new Playback(recording, survey, walk, progress).run(header.pipe(), from, to, sink);
    progress.end();
  }

  /** Reads the sections of a file; where its data ends. */
  private long begin(boolean directory) throws IOException {
    if (header.pipe()) {
      readGivenFormats();
      return header.dataOffset() + header.dataSize();
    }
    if (header.isSimpleperf()) {
      throw Checks.refuse(
          file(),
          "was recorded by simpleperf (Android), which is not read yet",
          "Record with perf sched record, or with ftrace.");
    }
    Sections sections = new Sections(recording, header);
    sections.readAttrs();
    if (!directory && header.hasFeature(Feature.DIR_FORMAT)) {
      throw Checks.refuse(
          file(),
          "is one of several files that perf record --threads wrote",
          "Give the directory that it is in.");
    }
    boolean cut = isCut();
    if (cut) {
      featuresAreLost();
    } else {
      sections.readFeatures(features);
    }
    readGivenFormats();
    recording.resolve();
    Checks.mustBeUsable(recording);
    return cut ? in.size() : header.dataOffset() + header.dataSize();
  }

  private void readGivenFormats() throws IOException {
    if (options.formats() != null && recording.formats.isEmpty()) {
      recording.formats.read(FormatsDirectory.open(options.formats()), header.isBigEndian());
      recording.formatsChanged();
    }
  }

  /** True if the file ends before its feature table, or does not tell where that is. */
  private boolean isCut() throws TraceFormatException {
    long left = in.size() - header.dataOffset();
    if (header.dataOffset() < 0 || left < 0) {
      throw truncated("");
    }
    return header.dataSize() <= 0 || header.dataSize() > left;
  }

  /** The formats, which come after the data, are lost; a copy of the kernel's may stand in. */
  private void featuresAreLost() throws TraceFormatException {
    boolean killed = header.dataSize() == 0;
    String found =
        killed
            ? "the data size is 0: the recorder was killed before it wrote the event formats"
            : "the file ends within its data; the event formats come after it and are lost";
    boolean needed = recording.attrs.stream().anyMatch(Attr::isTracepoint);
    if (!needed || options.formats() != null) {
      recording.problems.damage(
          killed ? "recorder_killed" : "truncated",
          killed ? 40 : in.size(),
          -1,
          found,
          "What was recorded up to there was imported; facts about the machine are missing.");
    } else if (killed) {
      throw new TraceFormatException(file(), 40, found, "", Checks.GIVE_FORMATS);
    } else {
      throw truncated(Checks.GIVE_FORMATS);
    }
  }

  private TraceFormatException truncated(String advice) {
    return new TraceFormatException(
        file(),
        in.size(),
        "the file ends within its data",
        Long.toUnsignedString(header.dataSize())
            + " bytes of data from offset 0x"
            + Long.toHexString(header.dataOffset()),
        "It is truncated, and the event formats, which come after the data, are lost. " + advice);
  }

  private String file() {
    return in.name();
  }
}

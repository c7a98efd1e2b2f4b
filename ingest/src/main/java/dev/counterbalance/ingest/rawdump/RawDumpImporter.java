package dev.counterbalance.ingest.rawdump;

import dev.counterbalance.ingest.FormatInfo;
import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importer;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.ring.PageLayout;
import dev.counterbalance.ingest.ring.PageSniffer;
import dev.counterbalance.ingest.ring.RawPages;
import dev.counterbalance.ingest.ring.RingBuffer;
import dev.counterbalance.ingest.ring.RingRecording;
import dev.counterbalance.ingest.ring.RingStream;
import dev.counterbalance.ingest.tracefs.FormatsDirectory;
import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads raw ring-buffer pages: a file of one CPU, or a directory with a file for each. The event
 * formats come from a copy of tracefs {@code events}, beside them or as an option names it.
 */
public final class RawDumpImporter implements Importer {
  private static final int SURE_OF_FILE = 60;
  private static final int SURE_OF_DIRECTORY = 50;

  @Override
  public FormatInfo info() {
    return new FormatInfo("trace_pipe_raw", "copies of tracefs per_cpu/cpuN/trace_pipe_raw");
  }

  @Override
  public int sniff(Head head) {
    return PageSniffer.look(head.bytes(), head.size()) == null ? 0 : SURE_OF_FILE;
  }

  @Override
  public int sniff(Path directory) throws IOException {
    for (Path file : CpuFiles.find(directory).values()) {
      try (TraceInput in = TraceInput.ofFile(file)) {
        if (sniff(in.head()) > 0) {
          return SURE_OF_DIRECTORY;
        }
      }
    }
    return 0;
  }

  @Override
  public void read(TraceInput in, ImportOptions options, EventSink sink) throws IOException {
    if (in.directory() == null) {
      read(in, List.of(in), List.of(CpuFiles.cpuOf(Path.of(in.name()), 0)), options, sink);
      return;
    }
    List<TraceInput> inputs = new ArrayList<>();
    List<Integer> cpus = new ArrayList<>();
    try {
      for (Map.Entry<Integer, Path> file : CpuFiles.find(in.directory()).entrySet()) {
        cpus.add(file.getKey());
        inputs.add(TraceInput.ofFile(file.getValue()));
      }
      read(in, inputs, cpus, options, sink);
    } finally {
      for (TraceInput input : inputs) {
        input.close();
      }
    }
  }

  private static void read(
      TraceInput in,
      List<TraceInput> inputs,
      List<Integer> cpus,
      ImportOptions options,
      EventSink sink)
      throws IOException {
    FormatsDirectory formats = formats(in, options);
    String headerPage = formats.headerPage();
    PageLayout.checkEventHeader(in.name(), formats.headerEvent());
    PageSniffer.Found found = look(in, inputs, headerPage);
    RingRecording recording = new RingRecording(in, options);
    recording.info.format = "trace_pipe_raw";
    recording.recordAdvice = "Record with: trace-cmd record -e sched.";
    recording.pageLayout = found.layout();
    recording.formats.setBigEndian(found.layout().bigEndian());
    formats.addTo(recording.formats);
    RingBuffer buffer = new RingBuffer("");
    for (int i = 0; i < inputs.size(); i++) {
      TraceInput input = inputs.get(i);
      recording.progress.expect(2 * input.size());
      buffer.streams.add(
          new RingStream(
              cpus.get(i),
              RawPages.source(input, recording.progress, 0, input.size(), found.pageSize())));
      recording.recordedCpus.set(cpus.get(i));
    }
    recording.buffers.add(buffer);
    recording.play(sink);
  }

  /** The formats that the user names, else those beside the pages. */
  private static FormatsDirectory formats(TraceInput in, ImportOptions options) throws IOException {
    if (options.formats() != null) {
      return FormatsDirectory.open(options.formats());
    }
    if (in.directory() != null) {
      for (String name : List.of("formats", "events")) {
        Path directory = in.directory().resolve(name);
        if (Files.isDirectory(directory)) {
          return FormatsDirectory.open(directory);
        }
      }
    }
    throw new TraceFormatException(
        in.name(),
        -1,
        "holds raw pages of a trace buffer without the formats of their events",
        "",
        "Copy /sys/kernel/tracing/events of the recording machine before it boots again, and name"
            + " the copy with --formats DIR.");
  }

  /** How the pages are laid out: as header_page tells, in the byte order that fits them. */
  private static PageSniffer.Found look(TraceInput in, List<TraceInput> inputs, String headerPage)
      throws IOException {
    int told = PageLayout.pageSize(headerPage);
    for (TraceInput input : inputs) {
      Head head = input.head();
      for (int order = 0; order < 2 && told > 0; order++) {
        PageLayout layout = PageLayout.parse(in.name(), -1, headerPage, order == 1, 8);
        if (PageSniffer.matches(head.bytes(), told, layout)) {
          return new PageSniffer.Found(layout, told);
        }
      }
      PageSniffer.Found found = PageSniffer.look(head.bytes(), head.size() & -4096);
      if (found != null) {
        return found;
      }
    }
    throw new TraceFormatException(
        in.name(), 0, "holds no ring-buffer pages with events", "pages of trace_pipe_raw", "");
  }
}

package dev.counterbalance.ingest.tracedat;

import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.ingest.ring.PageLayout;
import dev.counterbalance.ingest.ring.RingRecording;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Severity;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A trace.dat as its two versions fill it in. */
final class DatFile {
  private static final int MAX_BUFFERS = 256;
  private static final int MAX_COMM = 16;

  /** A buffer that the file tells of, and where its data is. */
  static final class Buffer {
    final String name;
    final String clock;
    final List<CpuRange> cpus = new ArrayList<>();

    Buffer(String name, String clock) {
      this.name = name;
      this.clock = clock;
    }

    long bytes() {
      return cpus.stream().mapToLong(CpuRange::size).sum();
    }
  }

  /**
   * Where the data of a CPU is.
   *
   * @param chunked true if it is compressed, so that the size does not count
   */
  record CpuRange(int cpu, long offset, long size, int pageSize, boolean chunked) {}

  final TraceInput in;
  final ImportOptions options;
  final DatHeader header;
  final RingRecording ring;
  final OptionReader facts;
  final List<Buffer> buffers = new ArrayList<>();

  /** Lines of a thread id and its name. */
  private byte[] commandLines = {};

  DatFile(TraceInput in, ImportOptions options, DatHeader header) throws TraceFormatException {
    this.in = in;
    this.options = options;
    this.header = header;
    this.ring = new RingRecording(in, options);
    this.facts = new OptionReader(this);
    ring.pageLayout = PageLayout.ofLong(header.order() == ByteOrder.BIG_ENDIAN, header.longSize());
    ring.formats.setBigEndian(header.order() == ByteOrder.BIG_ENDIAN);
    ring.recordAdvice = "Record with: trace-cmd record -e sched.";
    ring.taskNames = this::deliverNames;
  }

  /** Reads a part that the import can do without. */
  interface Part {
    void read() throws IOException;
  }

  /** Reads it, or reports why not. What refuses the whole file has no offset. */
  void orDamage(Part part) throws IOException {
    try {
      part.read();
    } catch (TraceFormatException e) {
      if (e.offset() < 0) {
        throw e;
      }
      String expected = e.expected().isEmpty() ? "" : ", expected " + e.expected();
      ring.problems.damage(
          "bad_section",
          e.offset(),
          -1,
          e.found() + expected,
          "The import goes on without that part; the file is damaged.");
    }
  }

  /** Reads the texts {@code header_page} and {@code header_event}, each with name and size. */
  void readHeaderInfo(SectionReader section) throws TraceFormatException {
    long offset = section.offset();
    String pageName = section.terminatedString();
    String page = section.text(section.s64());
    String eventName = section.terminatedString();
    String event = section.text(section.s64());
    if (!pageName.equals("header_page") || !eventName.equals("header_event")) {
      throw section.fail("the texts are not there", "header_page and header_event");
    }
    PageLayout.checkEventHeader(in.name(), event);
    boolean bigEndian = header.order() == ByteOrder.BIG_ENDIAN;
    ring.pageLayout = PageLayout.parse(in.name(), offset, page, bigEndian, header.longSize());
  }

  void readCommandLines(SectionReader section) throws TraceFormatException {
    commandLines = section.bytes(section.s64());
  }

  /** Adds a buffer; null if there are too many. */
  Buffer addBuffer(String name, String clock) {
    if (buffers.size() >= MAX_BUFFERS) {
      ring.problems.add(
          Severity.ERROR,
          "too_many_buffers",
          1,
          -1,
          -1,
          "the file tells of more than " + MAX_BUFFERS + " buffers",
          "Those beyond are not imported.");
      return null;
    }
    Buffer buffer = new Buffer(name, clock);
    buffers.add(buffer);
    return buffer;
  }

  /** A page size that can be true; sub-buffers are larger than the machine's pages. */
  int checkPageSize(long size, long offset) throws TraceFormatException {
    if (size < 64 || size > 1 << 24 || size % 8 != 0) {
      throw new TraceFormatException(
          in.name(), offset, "a page size of " + size, "64 bytes to 16 MiB", "");
    }
    return (int) size;
  }

  TraceFormatException refuse(String found, String advice) {
    return new TraceFormatException(in.name(), -1, found, "", advice);
  }

  void play(EventSink sink) throws IOException {
    TraceFormatException cut = ring.formats.cut();
    if (cut != null) {
      ring.problems.damage(
          "formats_cut",
          cut.offset(),
          -1,
          "the event formats end early: " + cut.found(),
          "Events whose formats are missing are not imported; the file is damaged.");
    }
    ring.wallOffsetNs = facts.wallOffsetNs();
    ring.play(sink);
  }

  private void deliverNames(EventSink sink) {
    int end;
    for (int start = 0; start < commandLines.length; start = end + 1) {
      end = start;
      while (end < commandLines.length && commandLines[end] != '\n') {
        end++;
      }
      deliverName(start, end, sink);
    }
  }

  private void deliverName(int start, int end, EventSink sink) {
    int at = start;
    int tid = 0;
    while (at < end && at - start < 9 && commandLines[at] >= '0' && commandLines[at] <= '9') {
      tid = tid * 10 + commandLines[at++] - '0';
    }
    int length = end - at - 1;
    // Names in angle brackets stand for one that is not known.
    boolean placeholder = length > 1 && commandLines[at + 1] == '<' && commandLines[end - 1] == '>';
    // The names are those at the end: of a task forked in the recording its events tell.
    boolean known = tid > 0 && !ring.isForked(tid);
    if (known && length > 0 && commandLines[at] == ' ' && !placeholder) {
      int name = options.names().of(commandLines, at + 1, Math.min(length, MAX_COMM));
      sink.onTaskName(-1, -1, tid, name, false);
    }
  }
}

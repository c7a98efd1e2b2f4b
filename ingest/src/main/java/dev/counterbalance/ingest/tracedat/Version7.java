package dev.counterbalance.ingest.tracedat;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.InputCursor;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.ingest.ring.RingRecording;
import dev.counterbalance.trace.event.Severity;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** Reads the sections of a version 7 file, which its options name by their offsets. */
final class Version7 {
  private static final int COMPRESSED = 1;
  private static final int SECTION_HEADER = 16;
  private static final int MAX_SECTIONS = 4096;

  private final DatFile file;
  private final InputCursor in;
  private final Decompressor decompressor;
  private boolean hasFormats;

  Version7(DatFile file, Decompressor decompressor) {
    this.file = file;
    this.in = new InputCursor(file.in, file.header.order(), file.header.bodyAt());
    this.decompressor = decompressor;
  }

  void read() throws IOException {
    Set<Long> seen = new HashSet<>();
    long at = file.header.optionsAt();
    while (at != 0 && seen.size() < MAX_SECTIONS && seen.add(at)) {
      at = readOptions(section(at, OptionId.DONE, "options"));
    }
    if (!hasFormats) {
      throw file.refuse(
          "names no section with event formats, without which its events cannot be read",
          "Record again with trace-cmd record -e sched.");
    }
  }

  /** Returns the offset of the next options section, 0 if this is the last. */
  private long readOptions(SectionReader options) throws IOException {
    while (options.remaining() > 0) {
      int id = options.u16();
      SectionReader data = options.part(options.u32());
      if (id == OptionId.DONE) {
        return data.s64();
      }
      readOption(id, data);
    }
    return 0;
  }

  private void readOption(int id, SectionReader data) throws IOException {
    switch (id) {
      case OptionId.HEADER_INFO -> {
        file.orDamage(() -> file.readHeaderInfo(section(data.s64(), id, "page header")));
      }
      case OptionId.FTRACE_EVENTS -> {
        file.orDamage(
            () -> file.ring.formats.addFtrace(section(data.s64(), id, "ftrace event formats")));
      }
      case OptionId.EVENT_FORMATS -> {
        file.ring.formats.addSystems(section(data.s64(), id, "event formats"));
        hasFormats = true;
      }
      case OptionId.CMDLINES -> {
        file.orDamage(() -> file.readCommandLines(section(data.s64(), id, "names of tasks")));
      }
      case OptionId.BUFFER -> readBuffer(data);
      case OptionId.BUFFER_TEXT -> {
        file.ring.problems.add(
            Severity.INFO,
            "text_buffer",
            1,
            data.offset(),
            -1,
            "a buffer with the text of a latency tracer, which holds no events",
            "It is not imported. Record events with: trace-cmd record -e sched.");
      }
      default -> file.facts.read(id, data);
    }
  }

  private void readBuffer(SectionReader data) throws IOException {
    long offset = data.s64();
    String name = data.terminatedString();
    String clock = data.terminatedString();
    int pageSize = file.checkPageSize(data.u32(), data.offset());
    in.seek(offset);
    mustBe(OptionId.BUFFER, in.u16(), offset, "buffer");
    boolean chunked = (in.u16() & COMPRESSED) != 0;
    DatFile.Buffer buffer = file.addBuffer(name, clock);
    for (int left = data.count(20); left > 0 && buffer != null; left--) {
      long cpu = data.u32();
      long start = data.s64();
      long size = data.s64();
      if (cpu >= RingRecording.MAX_CPUS) {
        file.ring.problems.damage(
            "bad_cpu", data.offset(), -1, "data of CPU " + cpu, "It is not imported.");
      } else {
        buffer.cpus.add(new DatFile.CpuRange((int) cpu, start, size, pageSize, chunked));
      }
    }
  }

  /** The body of a section, inflated. */
  private SectionReader section(long offset, int id, String what) throws IOException {
    in.seek(offset);
    int found = in.u16();
    boolean compressed = (in.u16() & COMPRESSED) != 0;
    in.u32(); // number of the describing text
    long size = in.s64();
    mustBe(id, found, offset, what);
    if (!compressed) {
      return in.part(what, size);
    }
    long stored = in.u32();
    long full = in.u32();
    if (full > InputCursor.MAX_PART || stored > in.remaining()) {
      throw new TraceFormatException(
          file.in.name(),
          offset + SECTION_HEADER,
          what + ": " + stored + " bytes that inflate to " + full,
          "at most " + in.remaining() + " bytes that inflate to " + InputCursor.MAX_PART,
          "The file is truncated or damaged.");
    }
    byte[] body = new byte[(int) full];
    if (!decompressor.inflate(file.in, in.position(), (int) stored, body, 0, body.length)) {
      throw new TraceFormatException(
          file.in.name(),
          in.position(),
          what + " cannot be inflated",
          full + " bytes compressed with " + file.header.compression(),
          "The file is damaged.");
    }
    return new SectionReader(file.in.name(), what, offset, body, file.header.order());
  }

  private void mustBe(int wanted, int found, long offset, String what) throws TraceFormatException {
    if (found != wanted) {
      throw new TraceFormatException(
          file.in.name(),
          offset,
          "a section with the number " + found,
          "the section " + what + " with the number " + wanted,
          "The file is damaged.");
    }
  }
}

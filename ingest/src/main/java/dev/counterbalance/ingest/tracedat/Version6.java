package dev.counterbalance.ingest.tracedat;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.InputCursor;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.ingest.ring.RingRecording;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the parts of a version 6 file, which follow one another without a directory. */
final class Version6 {
  private static final int TAG = 10;

  /** Data of an instance, which an option names. */
  private record Instance(long offset, String name) {}

  private final DatFile file;
  private final InputCursor in;
  private final List<Instance> instances = new ArrayList<>();
  private int cpus;

  Version6(DatFile file) {
    this.file = file;
    this.in = new InputCursor(file.in, file.header.order(), file.header.bodyAt());
  }

  void read() throws IOException {
    readHeaderInfo();
    file.ring.formats.addFtrace(walked("ftrace event formats", this::skipEvents));
    file.ring.formats.addSystems(walked("event formats", this::skipSystems));
    in.skip(in.u32()); // kernel symbols
    in.skip(in.u32()); // printk formats
    long start = in.position();
    long length = in.s64();
    in.seek(start);
    file.readCommandLines(in.part("names of tasks", Math.max(length, 0) + 8));
    cpus = in.s32();
    checkCpus();
    readBuffer("");
    for (Instance instance : instances) {
      in.seek(instance.offset);
      readBuffer(instance.name);
    }
  }

  private void readHeaderInfo() throws IOException {
    long start = in.position();
    for (int i = 0; i < 2; i++) {
      in.terminatedString();
      in.skip(in.s64());
    }
    long length = in.position() - start;
    in.seek(start);
    SectionReader info = in.part("page header", length);
    file.orDamage(() -> file.readHeaderInfo(info));
  }

  private interface Walk {
    void walk() throws IOException;
  }

  /** The bytes that a walk passes over. */
  private SectionReader walked(String what, Walk walk) throws IOException {
    long start = in.position();
    walk.walk();
    long length = in.position() - start;
    in.seek(start);
    return in.part(what, length);
  }

  private void skipEvents() throws IOException {
    for (int left = in.count(8); left > 0; left--) {
      in.skip(in.s64());
    }
  }

  private void skipSystems() throws IOException {
    for (int left = in.count(5); left > 0; left--) {
      in.terminatedString();
      skipEvents();
    }
  }

  private void checkCpus() throws TraceFormatException {
    if (cpus < 1 || cpus > RingRecording.MAX_CPUS) {
      throw new TraceFormatException(
          file.in.name(),
          in.position() - 4,
          cpus + " CPUs",
          "1 to " + RingRecording.MAX_CPUS,
          "The file is damaged, or its recorder was killed before it was finished.");
    }
  }

  /** Reads options, and the table of a buffer's CPUs after them. */
  private void readBuffer(String name) throws IOException {
    String tag = tag();
    while (tag.equals("options  ")) {
      readOptions();
      tag = tag();
    }
    if (tag.equals("latency  ")) {
      throw file.refuse(
          "holds the text of a latency tracer, not events",
          "Record events with: trace-cmd record -e sched.");
    }
    if (!tag.equals("flyrecord")) {
      throw new TraceFormatException(
          file.in.name(), in.position() - TAG, "no data begins here", "the word flyrecord", "");
    }
    cpus = Math.max(cpus, file.facts.cpuCount);
    if (cpus > in.remaining() / 16) {
      in.skip(16L * cpus); // says that the file ends there
    }
    List<DatFile.CpuRange> ranges = new ArrayList<>();
    int pageSize = file.checkPageSize(file.header.pageSize(), -1);
    for (int cpu = 0; cpu < cpus; cpu++) {
      long offset = in.s64();
      ranges.add(new DatFile.CpuRange(cpu, offset, in.s64(), pageSize, false));
    }
    if (file.facts.clock != null && file.facts.clock.isEmpty() && in.remaining() > 8) {
      readClock();
    }
    DatFile.Buffer buffer = file.addBuffer(name, file.facts.clock);
    if (buffer != null) {
      buffer.cpus.addAll(ranges);
    }
  }

  private void readClock() throws IOException {
    long length = in.s64();
    if (length > 0 && length < 4096 && length <= in.remaining()) {
      file.facts.read(OptionId.TRACECLOCK, in.part("clock", length));
    }
  }

  private void readOptions() throws IOException {
    for (int id = in.u16(); id != OptionId.DONE; id = in.u16()) {
      SectionReader data = in.part("option " + id, in.u32());
      if (id == OptionId.BUFFER) {
        instances.add(new Instance(data.s64(), data.terminatedString()));
      } else {
        file.facts.read(id, data);
      }
    }
  }

  private String tag() throws IOException {
    return in.part("kind of data", TAG).text(TAG);
  }
}

package dev.counterbalance.ingest.tracedat;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.ring.ClockRate;
import dev.counterbalance.ingest.ring.PageSource;
import dev.counterbalance.ingest.ring.RawPages;
import dev.counterbalance.ingest.ring.RingBuffer;
import dev.counterbalance.ingest.ring.RingStream;
import dev.counterbalance.trace.event.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides which of the file's buffers are read, by which clock, and where each CPU's data ends. */
final class DataPlan {
  /** Clocks that count ns, and what they are called here. */
  private static final Map<String, String> CLOCKS =
      Map.of(
          "", "unknown",
          "local", "local",
          "global", "global",
          "perf", "perf",
          "mono", "monotonic",
          "mono_raw", "monotonic_raw",
          "boot", "boot",
          "tai", "tai");

  /** Cycles, under the name of the kernel and that of trace-cmd for cycles with their rate. */
  private static final Set<String> CYCLES = Set.of("x86-tsc", "tsc2nsec");

  private static final Set<String> NO_TIME = Set.of("counter", "uptime");

  private final DatFile file;
  private final Decompressor decompressor;

  DataPlan(DatFile file, Decompressor decompressor) {
    this.file = file;
    this.decompressor = decompressor;
  }

  void apply() throws TraceFormatException {
    DatFile.Buffer largest = null;
    for (DatFile.Buffer buffer : file.buffers) {
      if (largest == null || buffer.bytes() > largest.bytes()) {
        largest = buffer;
      }
    }
    if (largest == null) {
      throw file.refuse(
          "tells of no buffer with events",
          "Its recorder was probably killed; trace-cmd restore may mend it.");
    }
    String clock = clockOf(largest);
    setClock(clock);
    Map<DatFile.CpuRange, Long> limits = limits();
    for (DatFile.Buffer buffer : file.buffers) {
      if (buffer.bytes() == 0) {
        addFact(buffer);
      } else if (clockOf(buffer).equals(clock)) {
        addFact(buffer);
        add(buffer, limits);
      } else {
        file.ring.problems.add(
            Severity.INFO,
            "other_clock",
            1,
            -1,
            -1,
            "the buffer " + buffer.name + " counts by the clock " + clockOf(buffer),
            "It is not imported, since the others count by " + clock + ".");
      }
    }
    file.ring.recordedCpus.set(0, Math.max(0, file.facts.cpuCount));
    file.ring.info.cpusAvailable = file.facts.cpuCount;
  }

  private void addFact(DatFile.Buffer buffer) {
    if (!buffer.name.isEmpty()) {
      file.ring.info.facts.merge("instance", buffer.name, (a, b) -> a + ", " + b);
    }
  }

  /** The clock a buffer is said to have; version 6 has one for all. */
  private String clockOf(DatFile.Buffer buffer) {
    String told = file.facts.clock == null ? "" : file.facts.clock;
    return buffer.clock == null || buffer.clock.isEmpty() ? told : buffer.clock;
  }

  private void setClock(String clock) throws TraceFormatException {
    if (CYCLES.contains(clock)) {
      if (file.facts.tscRate == null) {
        throw file.refuse(
            "counts time in cycles (clock " + clock + ") and does not tell their rate",
            "Record with trace-cmd record -C mono, or with --tsc2nsec.");
      }
      file.ring.clockRate = file.facts.tscRate;
      file.ring.info.clock = clock;
      return;
    }
    if (NO_TIME.contains(clock)) {
      throw file.refuse(
          "counts by the clock " + clock + ", which does not tell how long anything took",
          "Record with the default clock, or with trace-cmd record -C mono.");
    }
    file.ring.clockRate = ClockRate.NS;
    String name = CLOCKS.get(clock);
    file.ring.info.clock = name == null ? clock : name;
    if (name == null) {
      file.ring.problems.add(
          Severity.ERROR,
          "unknown_clock",
          1,
          -1,
          -1,
          "the clock " + clock + " is not known here",
          "Its times are taken for ns; durations may be wrong.");
    }
    String told = file.facts.clock;
    if (told != null && !told.isEmpty() && !told.equals(clock)) {
      file.ring.problems.add(
          Severity.INFO,
          "clock_unsure",
          1,
          -1,
          -1,
          "the file names two clocks: " + clock + " for the buffer, " + told + " for the tracer",
          "Durations are right; take care when other recordings are laid beside this one.");
    }
  }

  /** Where the data of each range ends at the latest: at the next one, or at the file's end. */
  private Map<DatFile.CpuRange, Long> limits() throws TraceFormatException {
    List<DatFile.CpuRange> ranges = new ArrayList<>();
    for (DatFile.Buffer buffer : file.buffers) {
      ranges.addAll(buffer.cpus);
    }
    ranges.removeIf(range -> range.size() == 0);
    ranges.sort(Comparator.comparingLong(DatFile.CpuRange::offset));
    Map<DatFile.CpuRange, Long> limits = new HashMap<>();
    long end = file.in.size();
    for (int i = ranges.size() - 1; i >= 0; i--) {
      DatFile.CpuRange range = ranges.get(i);
      if (range.offset() < 0 || range.size() < 0) {
        file.ring.problems.damage(
            "bad_range",
            -1,
            -1,
            "the data of CPU " + range.cpu() + " is said to begin at " + range.offset(),
            "It is not imported.");
        continue;
      }
      limits.put(range, Math.max(end, range.offset()));
      end = Math.min(end, range.offset());
    }
    return limits;
  }

  private void add(DatFile.Buffer buffer, Map<DatFile.CpuRange, Long> limits)
      throws TraceFormatException {
    RingBuffer ring = new RingBuffer(buffer.name);
    for (DatFile.CpuRange range : buffer.cpus) {
      file.ring.recordedCpus.set(range.cpu());
      Long limit = limits.get(range);
      if (limit == null || ring.stream(range.cpu()) != null) {
        continue;
      }
      RingStream stream = new RingStream(range.cpu(), source(range, limit));
      long[] lost = file.facts.stat(buffer.name, range.cpu());
      if (lost != null) {
        stream.toldOverrun = lost[0];
        stream.toldDropped = lost[1];
      }
      ring.streams.add(stream);
    }
    file.ring.buffers.add(ring);
  }

  private PageSource source(DatFile.CpuRange range, long limit) throws TraceFormatException {
    if (range.chunked()) {
      file.ring.progress.expect(2 * Math.max(0, limit - range.offset()));
      return new ChunkPages.Source(file, decompressor, range, limit);
    }
    long left = limit - range.offset();
    if (range.size() > left) {
      boolean atEnd = limit >= file.in.size();
      file.ring.problems.damage(
          atEnd ? "truncated" : "data_overlaps",
          Math.max(limit, 0),
          -1,
          (atEnd ? "the file ends" : "the data of another CPU begins")
              + " within the data of CPU "
              + range.cpu()
              + ": "
              + (range.size() - left)
              + " bytes of "
              + range.size()
              + " are missing",
          "The whole pages before that are imported.");
    }
    long size = Math.min(range.size(), left);
    file.ring.progress.expect(2 * size);
    return RawPages.source(
        file.in, file.ring.progress, range.offset(), range.offset() + size, range.pageSize());
  }
}

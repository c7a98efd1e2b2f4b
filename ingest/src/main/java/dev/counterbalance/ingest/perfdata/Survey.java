package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.ingest.tracefs.EventKind;
import dev.counterbalance.ingest.tracefs.Payload;
import dev.counterbalance.ingest.tracefs.PrevStateCheck;
import dev.counterbalance.trace.event.Severity;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The first pass: hops over all records and finds out what the second needs before its first event:
 * the runs of each CPU, the first and last time, what ran first where, what was lost.
 */
final class Survey implements RecordWalk.Visitor {
  private static final long MAX_LOST = 1L << 40;

  final RunIndex runs = new RunIndex();
  final CpuStats cpus = new CpuStats();

  /** Time of the first tracepoint event in ns. */
  long startNs = Long.MAX_VALUE;

  /** Tracepoint samples met. */
  long events;

  /** SWITCH records met, if they stand in for a tracepoint: two a switch. */
  long switchRecords;

  /** True if a SWITCH record of a task was met, which does not tell the other task. */
  boolean hasSwitchesOfTasks;

  /** File range that holds all records that are true from the start. */
  long upfrontFrom = -1;

  long upfrontTo = -1;

  private long lost;
  private long lostSamples;

  private final Recording recording;

  /** Null in a second survey, which counts no trouble: the first has. */
  private final MetaRecords meta;

  private final Locator locator;

  /** Null unless the kernel may have stored states that its print format does not read. */
  PrevStateCheck states;

  Survey(Recording recording, MetaRecords meta) {
    this.recording = recording;
    this.meta = meta;
    this.locator = new Locator(recording, meta != null);
    refresh();
  }

  /** Time of the last tracepoint event, or loss, in ns. */
  long endNs() {
    return cpus.latestNs();
  }

  boolean hasEvents() {
    return events + switchRecords > 0;
  }

  /** Marks the CPUs whose records are in files of a directory that were cut. */
  void markCutCpus() {
    for (long[] part : recording.cutParts) {
      for (int run = 0; run < runs.runs(); run++) {
        if (runs.cpu(run) >= 0 && runs.isIn(run, part[0], part[1])) {
          cpus.cut(runs.cpu(run));
        }
      }
    }
  }

  /** True if the times reach so far that some of them are probably damaged. */
  boolean hasStrayTimes() {
    return hasEvents() && TimeRange.isFar(startNs, endNs());
  }

  /** Events that the recording says are missing. LOST and LOST_SAMPLES count the same ones. */
  long lostEvents() {
    return Math.max(lost, lostSamples);
  }

  @Override
  public void record(byte[] bytes, int pos, int type, int size, long offset) throws IOException {
    if (type == RecordType.SAMPLE) {
      sample(bytes, pos, size, offset);
    } else {
      other(bytes, pos, type, size, offset);
    }
  }

  private void other(byte[] bytes, int pos, int type, int size, long offset) throws IOException {
    switch (type) {
      case RecordType.COMM, RecordType.FORK, RecordType.EXIT -> {
        task(bytes, pos, type, size, offset);
      }
      case RecordType.LOST -> {
        lost(bytes, pos, size, offset);
      }
      case RecordType.SWITCH, RecordType.SWITCH_CPU_WIDE -> {
        switchRecord(bytes, pos, type, size, offset);
      }
      case RecordType.LOST_SAMPLES -> {
        lostSamples(bytes, pos, size);
      }
      case RecordType.COMPRESSED, RecordType.COMPRESSED2 -> {
        throw new CompressedException();
      }
      default -> {
        rest(bytes, pos, type, size, offset);
      }
    }
  }

  @Override
  public void block(int type, SectionReader block) throws IOException {
    runs.breakRange();
    recording.formats.read(block);
    recording.formatsChanged();
  }

  private void sample(byte[] bytes, int pos, int size, long offset) throws IOException {
    if (recording.isStale()) {
      refresh();
    }
    if (locator.find(bytes, pos, RecordType.SAMPLE, size, offset) != Locator.TIMED) {
      if (locator.attr != null && !locator.attr.isTracepoint()) {
        otherSample(offset);
      }
      return;
    }
    long time = locator.timeNs;
    int cpu = locator.cpu;
    Attr attr = locator.attr;
    events++;
    if (states != null && attr.event != null && attr.event.kind == EventKind.SWITCH) {
      addState(bytes, pos, size, attr);
    }
    if (!cpus.isUsual(cpu, time)) {
      unusual(bytes, pos, size, attr, cpu, time);
    }
    runs.add(cpu, time, offset, size);
  }

  private void refresh() {
    locator.refresh();
    if (states == null && PrevStateCheck.concerns(recording.info.osRelease)) {
      states = new PrevStateCheck();
    }
  }

  private void addState(byte[] bytes, int pos, int size, Attr attr) {
    int raw = attr.rawAt(bytes, pos, size);
    if (raw >= 0 && Bytes.s32(bytes, pos + raw) >= attr.event.minSize) {
      states.add(
          (int) Payload.number(bytes, pos + raw + 4, attr.event.f1),
          Payload.number(bytes, pos + raw + 4, attr.event.f3));
    }
  }

  private void unusual(byte[] bytes, int pos, int size, Attr attr, int cpu, long time) {
    startNs = Math.min(startNs, time);
    cpus.sample(cpu, time, attr.tidAt < 0 ? -1 : Bytes.s32(bytes, pos + attr.tidAt + 4));
    if (cpus.wantsSwitch(cpu) && attr.event != null && attr.event.kind == EventKind.SWITCH) {
      firstSwitch(bytes, pos, size, cpu, attr);
    }
  }

  private void firstSwitch(byte[] bytes, int pos, int size, int cpu, Attr attr) {
    int raw = attr.rawAt(bytes, pos, size);
    if (raw >= 0 && Bytes.s32(bytes, pos + raw) >= attr.event.minSize) {
      cpus.firstSwitch(cpu, (int) Payload.number(bytes, pos + raw + 4, attr.event.f1));
    }
  }

  private void task(byte[] bytes, int pos, int type, int size, long offset) throws IOException {
    int found = locator.find(bytes, pos, type, size, offset);
    if (found == Locator.UPFRONT) {
      upfrontFrom = upfrontFrom < 0 ? offset : upfrontFrom;
      upfrontTo = offset + size;
    } else if (found == Locator.TIMED) {
      runs.add(locator.cpu, locator.timeNs, offset, size);
    }
  }

  private void switchRecord(byte[] bytes, int pos, int type, int size, long offset)
      throws IOException {
    if (recording.isStale()) {
      refresh();
    }
    if (locator.find(bytes, pos, type, size, offset) != Locator.TIMED) {
      return;
    }
    long time = locator.timeNs;
    int cpu = locator.cpu;
    switchRecords++;
    hasSwitchesOfTasks |= type == RecordType.SWITCH;
    if (!cpus.isUsual(cpu, time)) {
      int tid = locator.trailerTid(bytes, pos, size, SwitchRecords.body(type));
      startNs = Math.min(startNs, time);
      cpus.sample(cpu, time, tid);
      if (cpus.wantsSwitch(cpu)) {
        cpus.firstSwitch(cpu, SwitchRecords.before(bytes, pos, type, tid));
      }
    }
    runs.add(cpu, time, offset, size);
  }

  private void lost(byte[] bytes, int pos, int size, long offset) throws IOException {
    int found = locator.find(bytes, pos, RecordType.LOST, size, offset);
    if (found == Locator.SKIP) {
      return;
    }
    long n = count(Bytes.s64(bytes, pos + 16));
    lost += n;
    if (found == Locator.TIMED && locator.cpu >= 0) {
      cpus.lost(locator.cpu, locator.timeNs, n);
      runs.add(locator.cpu, locator.timeNs, offset, size);
    } else if (meta != null) {
      recording.problems.add(
          Severity.DATA_LOSS,
          "loss_without_place",
          1,
          offset,
          -1,
          n + " events are missing, the recording does not tell where",
          "Figures may be wrong anywhere; record with larger buffers (-m).");
    }
  }

  private void lostSamples(byte[] bytes, int pos, int size) {
    if (size < 16) {
      return;
    }
    long n = count(Bytes.s64(bytes, pos + 8));
    if ((Bytes.u16(bytes, pos + 4) & RecordType.MISC_LOST_SAMPLES_BPF) != 0 || n == 0) {
      return;
    }
    lostSamples += n;
    locator.trailer(bytes, pos, size, 16);
    int cpu = recording.cpuOfId.get(locator.trailerId(bytes, pos, size, 16));
    if (cpu < 0 && locator.timeNs > 0) {
      cpu = locator.cpu;
    }
    if (cpu >= 0) {
      cpus.lostSamples(cpu, n);
    }
  }

  /** A count from the file, cut to what a recording can have lost. */
  static long count(long told) {
    return Math.max(0, Math.min(told, MAX_LOST));
  }

  private void rest(byte[] bytes, int pos, int type, int size, long offset) throws IOException {
    if (meta == null) {
      if (type == RecordType.HEADER_TRACING_DATA || type == RecordType.AUXTRACE) {
        runs.breakRange();
      }
    } else if (MetaRecords.isMeta(type)) {
      byte[] body = Arrays.copyOfRange(bytes, pos + 8, pos + size);
      meta.read(
          type,
          new SectionReader(
              recording.in.name(), "record", offset + 8, body, ByteOrder.LITTLE_ENDIAN));
      if (recording.isStale()) {
        refresh();
      }
    } else if (type == RecordType.HEADER_TRACING_DATA || type == RecordType.AUXTRACE) {
      runs.breakRange();
    } else if (!RecordType.isKnown(type) && !recording.problems.again("unknown_record_type")) {
      recording.problems.add(
          Severity.INFO,
          "unknown_record_type",
          1,
          offset,
          -1,
          "a record of the unknown type " + Integer.toUnsignedString(type),
          "Such records are skipped by their size.");
    }
  }

  private void otherSample(long offset) throws TraceFormatException {
    if (meta != null && !recording.problems.again("other_samples")) {
      recording.problems.add(
          Severity.INFO,
          "other_samples",
          1,
          offset,
          -1,
          "samples of events that are no tracepoints, such as " + Checks.nameOf(locator.attr),
          "They tell nothing about scheduling and are not imported.");
    }
  }
}

package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.ingest.tracefs.EventDecoder;
import dev.counterbalance.ingest.tracefs.EventKind;
import dev.counterbalance.ingest.tracefs.EventLayout;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Severity;
import java.util.BitSet;

/** Gives records to the sink: events, tasks and losses. The merges call it in time order. */
final class Delivery {
  private static final int MAX_COMM = 16;

  private final Recording recording;
  private final EventSink sink;
  private final EventDecoder decoder;
  private final Locator locator;
  private final long startNs;
  private final long endNs;
  private final SwitchRecords switches;
  private final BitSet lossOpen = new BitSet();

  Delivery(Recording recording, EventSink sink) {
    this.recording = recording;
    this.sink = sink;
    this.decoder = new EventDecoder(recording.problems, recording.options.names(), sink);
    this.locator = new Locator(recording, false);
    this.switches = new SwitchRecords(sink);
    this.startNs = recording.info.startNs;
    this.endNs = recording.info.endNs;
  }

  /** Delivers a sample that a {@link Locator} found. */
  void sample(byte[] bytes, int pos, int size, Attr attr, long timeNs, int cpu, long offset)
      throws TraceFormatException {
    EventLayout layout = attr.event;
    int raw = attr.rawAt(bytes, pos, size);
    if (raw < 0) {
      decoder.malformed("malformed_event", offset, timeNs, "a sample whose fields do not fit");
      return;
    }
    if (layout == null) {
      withoutFormat(attr, offset, timeNs);
      return;
    }
    int rawSize = Bytes.s32(bytes, pos + raw);
    if (rawSize < layout.minSize) {
      decoder.malformed("malformed_event", offset, timeNs, "an event shorter than its description");
      return;
    }
    int start = pos + raw + 4;
    if (Bytes.u16(bytes, start) != attr.rawType) {
      decoder.malformed(
          "event_type_mismatch",
          offset,
          timeNs,
          Bytes.u16(bytes, start) == 0
              ? "an event without its fields: zeros, as perf inject -s leaves them"
              : "an event whose type is not the recorded one");
      return;
    }
    if (layout.kind != EventKind.NONE) {
      int tid = attr.tidAt < 0 ? -1 : Bytes.s32(bytes, pos + attr.tidAt + 4);
      decoder.decode(bytes, start, rawSize, layout, timeNs, cpu, tid);
    }
  }

  /** Switches made from SWITCH records. */
  long switches() {
    return switches.switches;
  }

  /** Delivers COMM, FORK, EXIT, LOST or SWITCH; a time of -1 means true from the start. */
  void other(byte[] bytes, int pos, int type, int size, long timeNs, int cpu) {
    long when = timeNs < startNs ? -1 : Math.min(timeNs, endNs);
    int first = Bytes.s32(bytes, pos + 8);
    switch (type) {
      case RecordType.COMM -> {
        boolean exec = (Bytes.u16(bytes, pos + 4) & RecordType.MISC_COMM_EXEC) != 0;
        int name = recording.options.names().of(bytes, pos + 16, Math.min(size - 16, MAX_COMM));
        sink.onTaskName(when, first, Bytes.s32(bytes, pos + 12), name, exec);
        if (recording.isBySwitchRecords()) {
          switches.named(Bytes.s32(bytes, pos + 12), name);
        }
      }
      case RecordType.FORK -> {
        int parentTid = Bytes.s32(bytes, pos + 20);
        int tid = Bytes.s32(bytes, pos + 16);
        sink.onTaskCreated(when, first, tid, Bytes.s32(bytes, pos + 12), parentTid);
        if (recording.isBySwitchRecords()) {
          switches.created(when, first, tid, parentTid);
        }
      }
      case RecordType.EXIT ->
          sink.onTaskExited(Math.max(when, startNs), first, Bytes.s32(bytes, pos + 16));
      case RecordType.LOST -> lossEnd(bytes, pos, size, Math.max(when, startNs), cpu);
      case RecordType.SWITCH, RecordType.SWITCH_CPU_WIDE -> {
        int body = SwitchRecords.body(type);
        locator.trailer(bytes, pos, size, body);
        int tid = locator.trailerTid(bytes, pos, size, body);
        switches.record(bytes, pos, type, timeNs, cpu, tid);
      }
      default -> {}
    }
  }

  /** Events of the CPU are missing from here on. */
  void lossBegin(long timeNs, int cpu) {
    if (cpu >= 0 && !lossOpen.get(cpu)) {
      lossOpen.set(cpu);
      switches.loss(cpu);
      sink.onLossBegin(Math.max(startNs, Math.min(timeNs, endNs)), cpu);
    }
  }

  /** The rest of a CPU's events is missing. */
  void tailEnd(int cpu, long lost, String source) {
    lossBegin(endNs, cpu);
    lossOpen.clear(cpu);
    sink.onLossEnd(endNs, cpu, lost, -1, source);
  }

  private void lossEnd(byte[] bytes, int pos, int size, long timeNs, int cpu) {
    if (cpu < 0) {
      return;
    }
    lossBegin(timeNs, cpu);
    lossOpen.clear(cpu);
    locator.trailer(bytes, pos, size, 24);
    int tid = locator.trailerTid(bytes, pos, size, 24);
    long lost = Survey.count(Bytes.s64(bytes, pos + 16));
    sink.onLossEnd(timeNs, cpu, lost, tid, "LOST");
  }

  private void withoutFormat(Attr attr, long offset, long timeNs) {
    if (!recording.problems.again("event_without_format")) {
      recording.problems.add(
          Severity.ERROR,
          "event_without_format",
          1,
          offset,
          timeNs,
          "events of " + Checks.nameOf(attr) + ", whose format the file does not hold",
          "Such events are not imported.");
    }
  }
}

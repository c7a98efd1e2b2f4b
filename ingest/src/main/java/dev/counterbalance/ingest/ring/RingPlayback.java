package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.TimeHeap;
import dev.counterbalance.ingest.tracefs.EventDecoder;
import dev.counterbalance.ingest.tracefs.EventLayout;
import dev.counterbalance.ingest.tracefs.Payload;
import dev.counterbalance.ingest.tracefs.PrevStateParser;
import dev.counterbalance.ingest.tracefs.SchedulerEvents;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.kernel.PrevState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The second pass: begins the trace, opens its CPUs, merges the streams, ends it. */
final class RingPlayback {
  /** Bytes that all streams' buffers take together at most. */
  static final long MAX_MEMORY = 256L << 20;

  private static final int ALL_BUFFERS = 64 << 20;
  private static final int LARGEST_BUFFER = 128 * 1024;
  private static final int SMALLEST_BUFFER = 4096;

  private final RingRecording recording;
  private final RingSurvey survey;
  private final CpuStats cpus;
  private final List<RingStream> streams = new ArrayList<>();
  private final List<RingBuffer> buffers = new ArrayList<>();
  private final BitSet lossOpen = new BitSet();

  RingPlayback(RingRecording recording, RingSurvey survey) {
    this.recording = recording;
    this.survey = survey;
    this.cpus = survey.cpus;
  }

  void run(EventSink sink) throws IOException {
    fillInfo();
    sink.begin(recording.info);
    startCpus(sink);
    recording.taskNames.deliver(sink);
    for (RingBuffer buffer : recording.buffers) {
      for (RingStream stream : buffer.streams) {
        if (stream.events > 0) {
          streams.add(stream);
          buffers.add(buffer);
        }
      }
    }
    merge(sink);
    endCpus(sink);
    reportLoss();
    recording.problems.deliver(sink);
    sink.end(survey.endNs, survey.events, survey.lostEvents);
  }

  private void fillInfo() {
    TraceInfo info = recording.info;
    info.startNs = survey.startNs;
    info.endNs = survey.endNs;
    if (recording.wallOffsetNs >= 0) {
      info.wallStartNs = survey.startNs + recording.wallOffsetNs;
    }
    info.tickDriven = info.events.contains("sched:sched_stat_runtime");
    PrevState told = PrevStateParser.of(recording.formats, recording.problems);
    info.prevState = told == null ? info.prevState : told;
    if (survey.states != null) {
      info.prevState = survey.states.repaired(info.prevState, info.osRelease, recording.problems);
    }
    SchedulerEvents.warnWithoutSwitch(info, recording.problems, recording.recordAdvice);
    SchedulerEvents.warnOfBadFormats(recording.formats, recording.problems);
  }

  private void startCpus(EventSink sink) {
    BitSet recorded = (BitSet) recording.recordedCpus.clone();
    for (int cpu = 0; cpu < cpus.size(); cpu++) {
      if (cpus.hasEvents(cpu)) {
        recorded.set(cpu);
      }
    }
    for (int cpu = recorded.nextSetBit(0); cpu >= 0; cpu = recorded.nextSetBit(cpu + 1)) {
      if (!cpus.hasEvents(cpu)) {
        sink.onCpuStart(survey.startNs, cpu, -1, true);
        continue;
      }
      RingStream stream = survey.main.stream(cpu);
      boolean overwritten = stream != null && stream.isOverwritten();
      long since = overwritten ? cpus.firstNs(cpu) : survey.startNs;
      sink.onCpuStart(since, cpu, cpus.startTid(cpu), false);
    }
  }

  private void merge(EventSink sink) throws IOException {
    EventDecoder decoder = new EventDecoder(recording.problems, recording.options.names(), sink);
    int buffer = ALL_BUFFERS / Math.max(1, streams.size());
    buffer = Math.max(SMALLEST_BUFFER, Math.min(LARGEST_BUFFER, buffer));
    RingCursor[] cursors = new RingCursor[streams.size()];
    TimeHeap heap = new TimeHeap();
    for (int i = 0; i < cursors.length; i++) {
      cursors[i] = new RingCursor(recording, streams.get(i), null, buffer);
      if (cursors[i].next()) {
        heap.add(cursors[i].timeNs, i);
      }
    }
    while (!heap.isEmpty()) {
      int number = heap.first();
      RingCursor cursor = cursors[number];
      EventLayout[] layouts = buffers.get(number).layouts;
      boolean counts = buffers.get(number) == survey.main;
      boolean more;
      do {
        if (cursor.lost != 0 && counts) {
          lossEnd(sink, cursor);
        }
        EventLayout layout = layouts[cursor.type()];
        if (layout != null) {
          deliver(decoder, cursor, layout);
        }
        long before = cursor.timeNs;
        more = cursor.next();
        if (cursor.lost != 0 && counts) {
          lossBegin(sink, before, cursor.cpu());
        }
      } while (more && heap.staysFirst(cursor.timeNs));
      if (more) {
        heap.replaceFirst(cursor.timeNs);
      } else {
        heap.removeFirst();
        cursors[number] = null;
        tail(sink, streams.get(number), cursor);
      }
    }
  }

  private static void deliver(EventDecoder decoder, RingCursor cursor, EventLayout layout)
      throws IOException {
    if (cursor.length < layout.minSize) {
      decoder.malformed(
          "malformed_event",
          cursor.offset(),
          cursor.timeNs,
          "an event shorter than its description");
      return;
    }
    decoder.decode(cursor.bytes, cursor.at, cursor.length, layout, cursor.timeNs, cursor.cpu(), -1);
  }

  /** Events of the CPU are missing from here on. */
  private void lossBegin(EventSink sink, long timeNs, int cpu) {
    if (!lossOpen.get(cpu)) {
      lossOpen.set(cpu);
      sink.onLossBegin(timeNs, cpu);
    }
  }

  /** The CPU goes on with the event at hand. */
  private void lossEnd(EventSink sink, RingCursor cursor) {
    lossBegin(sink, cursor.timeNs, cursor.cpu());
    lossOpen.clear(cursor.cpu());
    EventLayout layout = recording.layout(cursor.type());
    boolean tells =
        layout != null
            && layout.pidCode != Payload.ABSENT
            && cursor.length >= Payload.end(layout.pidCode);
    int tid = tells ? (int) Payload.number(cursor.bytes, cursor.at, layout.pidCode) : -1;
    sink.onLossEnd(cursor.timeNs, cursor.cpu(), cursor.lost, tid, "LOST");
  }

  /** Events of the CPU were dropped after its last one. */
  private void tail(EventSink sink, RingStream stream, RingCursor cursor) {
    if (stream.toldDropped > 0 && survey.main.streams.contains(stream)) {
      lossBegin(sink, cursor.timeNs, stream.cpu);
    }
  }

  private void endCpus(EventSink sink) {
    for (int cpu = lossOpen.nextSetBit(0); cpu >= 0; cpu = lossOpen.nextSetBit(cpu + 1)) {
      RingStream stream = survey.main.stream(cpu);
      long dropped = stream == null ? 0 : stream.toldDropped;
      sink.onLossEnd(survey.endNs, cpu, dropped > 0 ? dropped : -1, -1, "CPUSTAT");
    }
  }

  private void reportLoss() {
    boolean unknown = survey.main.streams.stream().anyMatch(stream -> stream.lostUnknown);
    if (survey.lostEvents > 0 || unknown) {
      recording.problems.add(
          Severity.DATA_LOSS,
          "lost_events",
          Math.max(1, survey.lostEvents),
          -1,
          -1,
          "events were lost because the recorder could not keep up"
              + (unknown ? "; not every page tells how many" : ""),
          "Intervals around the gaps are censored. Record with larger buffers: -b 16384.");
    }
    for (RingBuffer buffer : recording.buffers) {
      long lost = 0;
      for (RingStream stream : buffer.streams) {
        lost += stream.lostEvents() + (stream.lostUnknown ? 1 : 0);
      }
      if (buffer != survey.main && lost > 0) {
        recording.problems.add(
            Severity.DATA_LOSS,
            "lost_in_other_buffer",
            lost,
            -1,
            -1,
            "events of " + buffer.title() + " were lost, which does not tell what ran where",
            "Its kinds of events are incomplete; what ran where is not affected.");
      }
    }
  }
}

package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.tracefs.EventKind;
import dev.counterbalance.ingest.tracefs.EventLayout;
import dev.counterbalance.ingest.tracefs.Payload;
import dev.counterbalance.ingest.tracefs.PrevStateCheck;
import dev.counterbalance.ingest.tracefs.SchedulerEvents;
import dev.counterbalance.trace.event.Severity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The first pass: walks over the events of every stream and finds out what the second needs before
 * its first event. Then decides which events of which buffer are delivered.
 */
final class RingSurvey {
  /** Bytes read at once in the first pass. */
  private static final int BUFFER = 256 * 1024;

  /** Time of the first and last event that is delivered. */
  long startNs = Long.MAX_VALUE;

  /** The kernel gives out no larger thread id (include/linux/threads.h, PID_MAX_LIMIT). */
  private static final int MAX_TID = 1 << 22;

  long endNs;
  long events;
  long lostEvents;
  final CpuStats cpus = new CpuStats();

  /** The buffer that tells what ran where; its losses count. */
  RingBuffer main;

  /** Types of events that a buffer delivers already. */
  private final BitSet taken = new BitSet();

  private final RingRecording recording;

  /** Null if the recorded kernel has no known fault. */
  final PrevStateCheck states;

  RingSurvey(RingRecording recording) {
    this.recording = recording;
    this.states = PrevStateCheck.concerns(recording.info.osRelease) ? new PrevStateCheck() : null;
  }

  void run() throws IOException {
    for (RingBuffer buffer : recording.buffers) {
      for (RingStream stream : buffer.streams) {
        survey(buffer, stream);
      }
    }
  }

  private void survey(RingBuffer buffer, RingStream stream) throws IOException {
    RingCursor cursor = new RingCursor(recording, stream, recording.problems, BUFFER);
    boolean more = cursor.next();
    while (more) {
      if (cursor.lost != 0) {
        stream.addLoss(cursor.lost);
      }
      int type = cursor.type();
      buffer.counts[type]++;
      if (!stream.switched) {
        early(stream, cursor, type);
      }
      if (states != null) {
        addState(cursor, type);
      }
      EventLayout layout = recording.layout(type);
      if (layout != null && layout.kind == EventKind.FORK) {
        forked(layout, cursor);
      }
      stream.events++;
      stream.lastNs = cursor.timeNs;
      more = cursor.next();
    }
    if (cursor.lost != 0) {
      stream.addLoss(cursor.lost);
    }
    if (cursor.rest() > 0) {
      recording.problems.damage(
          "partial_page",
          cursor.offset(),
          -1,
          "the data of CPU " + stream.cpu + " ends with " + cursor.rest() + " bytes of a page",
          "The file is truncated there; the whole pages before it are imported.");
    }
  }

  private void forked(EventLayout layout, RingCursor cursor) {
    if (cursor.length >= layout.minSize) {
      int child = (int) Payload.number(cursor.bytes, cursor.at, layout.f3);
      if (child > 0 && child <= MAX_TID) {
        recording.forked.set(child);
      }
    }
  }

  private void addState(RingCursor cursor, int type) {
    EventLayout layout = recording.layout(type);
    if (layout != null && layout.kind == EventKind.SWITCH && cursor.length >= layout.minSize) {
      states.add(
          (int) Payload.number(cursor.bytes, cursor.at, layout.f1),
          Payload.number(cursor.bytes, cursor.at, layout.f3));
    }
  }

  /** An event up to and with the first switch. */
  private void early(RingStream stream, RingCursor cursor, int type) {
    EventLayout layout = recording.layout(type);
    boolean fits = layout != null && cursor.length >= layout.minSize;
    if (stream.events == 0) {
      stream.firstNs = cursor.timeNs;
      if (fits && layout.pidCode != Payload.ABSENT) {
        stream.firstTid = (int) Payload.number(cursor.bytes, cursor.at, layout.pidCode);
      }
    }
    if (fits && layout.kind == EventKind.SWITCH) {
      stream.switched = true;
      stream.firstPrevTid = (int) Payload.number(cursor.bytes, cursor.at, layout.f1);
    }
  }

  /** Decides what is delivered. */
  void choose() throws IOException {
    Set<String> names = new LinkedHashSet<>();
    boolean sched = false;
    for (RingBuffer buffer : recording.buffers) {
      for (int type = 0; type < buffer.counts.length; type++) {
        if (buffer.counts[type] > 0) {
          EventLayout layout = recording.layout(type);
          names.add(layout == null ? "type " + type : layout.format.fullName());
          sched |= layout != null && layout.format.system().equals("sched");
        }
      }
    }
    if (names.isEmpty()) {
      throw new TraceFormatException(
          recording.file,
          -1,
          "holds no events at all",
          "",
          "Was there any load while it was recorded? " + recording.recordAdvice);
    }
    if (!sched) {
      throw SchedulerEvents.missing(recording.file, names, recording.recordAdvice);
    }
    chooseMain();
    chooseTypes(main);
    for (RingBuffer buffer : recording.buffers) {
      if (buffer != main) {
        chooseTypes(buffer);
      }
    }
    sumUp();
    limitMemory();
  }

  /** The buffer with the most switches; without any, the one with the most scheduler events. */
  private void chooseMain() {
    long best = -1;
    for (RingBuffer buffer : recording.buffers) {
      long switches = count(buffer, true);
      long rank = switches > 0 ? switches + (1L << 48) : count(buffer, false);
      if (rank > best) {
        best = rank;
        main = buffer;
      }
    }
  }

  private long count(RingBuffer buffer, boolean switchesOnly) {
    long n = 0;
    for (int type = 0; type < buffer.counts.length; type++) {
      EventLayout layout = buffer.counts[type] == 0 ? null : recording.layout(type);
      boolean counts =
          layout != null
              && (switchesOnly
                  ? layout.kind == EventKind.SWITCH
                  : layout.format.system().equals("sched"));
      n += counts ? buffer.counts[type] : 0;
    }
    return n;
  }

  private void chooseTypes(RingBuffer buffer) {
    long twice = 0;
    List<String> twiceNames = new ArrayList<>();
    BitSet mine = new BitSet();
    for (int type = 0; type < buffer.counts.length; type++) {
      long count = buffer.counts[type];
      if (count == 0) {
        continue;
      }
      EventLayout layout = recording.layout(type);
      if (layout == null) {
        withoutFormat(type, count);
        continue;
      }
      if (taken.get(type)) {
        twice += count;
        twiceNames.add(layout.format.name() + " (" + count + ")");
        continue;
      }
      mine.set(type);
      events += count;
      recording.info.events.add(layout.format.fullName());
      recording.info.fields.put(layout.format.fullName(), layout.format.ownFields());
      if (layout.kind != EventKind.NONE) {
        buffer.layouts[type] = layout;
      }
    }
    taken.or(mine);
    if (twice > 0) {
      recording.problems.add(
          Severity.INFO,
          "recorded_twice",
          twice,
          -1,
          -1,
          buffer.title()
              + " holds kinds of events that other buffers hold, too: "
              + String.join(", ", twiceNames),
          "Each kind is taken from one buffer only: from " + main.title() + " if it is there.");
    }
  }

  private void withoutFormat(int type, long count) {
    recording.problems.add(
        Severity.ERROR,
        "event_without_format",
        count,
        -1,
        -1,
        "events of type " + type + ", whose format is not known",
        "Such events are not imported.");
  }

  private void sumUp() {
    for (RingBuffer buffer : recording.buffers) {
      for (RingStream stream : buffer.streams) {
        if (stream.events == 0) {
          continue;
        }
        startNs = Math.min(startNs, stream.firstNs);
        endNs = Math.max(endNs, stream.lastNs);
        cpus.sample(stream.cpu, stream.firstNs, stream.firstTid);
        cpus.sample(stream.cpu, stream.lastNs, stream.firstTid);
        lostEvents += buffer == main ? stream.lostEvents() : 0;
      }
    }
    for (RingStream stream : main.streams) {
      if (stream.switched) {
        cpus.firstSwitch(stream.cpu, stream.firstPrevTid);
      }
    }
  }

  private void limitMemory() throws TraceFormatException {
    long bytes = 0;
    int streams = 0;
    for (RingBuffer buffer : recording.buffers) {
      for (RingStream stream : buffer.streams) {
        if (stream.events > 0) {
          bytes += stream.source.memory();
          streams++;
        }
      }
    }
    if (bytes > RingPlayback.MAX_MEMORY) {
      throw new TraceFormatException(
          recording.file,
          -1,
          "reading " + streams + " CPUs side by side takes " + bytes + " bytes of memory",
          "at most " + RingPlayback.MAX_MEMORY,
          "The file is damaged, or recorded with very large sub-buffers.");
    }
  }
}

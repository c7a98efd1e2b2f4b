package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.PageCache;
import dev.counterbalance.ingest.io.PairSort;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.ingest.io.TempSpill;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Orders the records of a file whose CPUs are not sorted, such as rings written backwards or a file
 * sorted across CPUs: pairs of time and place are sorted in parts of bounded size, parts beyond the
 * first go to a temporary file and are merged.
 */
final class TimeIndex implements RecordWalk.Visitor, Closeable {
  private static final int PART = 1 << 20;

  // A place is the offset times 2, plus 1 for the record itself; 0 is the loss a record tells of,
  // which is due at the CPU's previous record. Places beyond the file's end are CPUs whose last
  // events are lost.
  private static final int RECORD = 1;

  private final Recording recording;
  private final Locator locator;
  private long[] times = new long[1024];
  private long[] places = new long[1024];
  private int count;
  private final List<long[]> parts = new ArrayList<>();
  private TempSpill spill;
  private long[] lastNs = new long[16];

  TimeIndex(Recording recording) {
    this.recording = recording;
    this.locator = new Locator(recording, false);
  }

  @Override
  public void record(byte[] bytes, int pos, int type, int size, long offset) throws IOException {
    if (locator.find(bytes, pos, type, size, offset) != Locator.TIMED) {
      return;
    }
    int cpu = locator.cpu;
    long timeNs = locator.timeNs;
    if (cpu >= 0) {
      if (cpu >= lastNs.length) {
        lastNs = Arrays.copyOf(lastNs, Math.max(cpu + 1, lastNs.length * 2));
      }
      if (type == RecordType.LOST && lastNs[cpu] > 0 && lastNs[cpu] <= timeNs) {
        add(lastNs[cpu], offset * 2);
      }
      lastNs[cpu] = timeNs;
    }
    add(timeNs, offset * 2 + RECORD);
  }

  /** Adds the losses at the end of CPUs. */
  void addTails(CpuStats cpus) throws IOException {
    for (int cpu = 0; cpu < cpus.size(); cpu++) {
      if (cpus.tailLost(cpu) > 0) {
        add(cpus.lastNs(cpu), (recording.records.size() + cpu) * 2);
      }
    }
  }

  /** Delivers all records in order of time, then file position. */
  void deliver(Delivery delivery, ProgressMeter progress) throws IOException {
    PageCache pages = new PageCache(recording.records);
    if (parts.isEmpty()) {
      PairSort.sort(times, places, count);
      for (int i = 0; i < count; i++) {
        deliver(pages, delivery, progress, times[i], places[i]);
      }
      return;
    }
    spillPart();
    PriorityQueue<TempSpill.Reader> queue =
        new PriorityQueue<>(
            Comparator.comparingLong(TempSpill.Reader::first)
                .thenComparingLong(TempSpill.Reader::second));
    for (long[] part : parts) {
      TempSpill.Reader reader = spill.reader(part[0], part[1]);
      if (reader.next()) {
        queue.add(reader);
      }
    }
    while (!queue.isEmpty()) {
      TempSpill.Reader reader = queue.poll();
      deliver(pages, delivery, progress, reader.first(), reader.second());
      if (reader.next()) {
        queue.add(reader);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (spill != null) {
      spill.close();
    }
  }

  private void deliver(
      PageCache pages, Delivery delivery, ProgressMeter progress, long timeNs, long place)
      throws IOException {
    long offset = place >> 1;
    if (offset >= recording.records.size()) {
      delivery.lossBegin(timeNs, (int) (offset - recording.records.size()));
      return;
    }
    int pos = pages.at(offset, 8);
    int size = pos < 0 ? 0 : Bytes.u16(pages.bytes(), pos + 6);
    pos = size < 8 ? -1 : pages.at(offset, size);
    if (pos < 0) {
      return;
    }
    byte[] bytes = pages.bytes();
    int type = Bytes.s32(bytes, pos);
    if (locator.find(bytes, pos, type, size, offset) != Locator.TIMED) {
      return;
    }
    if ((place & RECORD) == 0) {
      delivery.lossBegin(timeNs, locator.cpu);
    } else if (type == RecordType.SAMPLE) {
      delivery.sample(bytes, pos, size, locator.attr, timeNs, locator.cpu, offset);
      progress.add(size);
    } else {
      delivery.other(bytes, pos, type, size, timeNs, locator.cpu);
      progress.add(size);
    }
  }

  private void add(long timeNs, long place) throws IOException {
    if (count == PART) {
      spillPart();
    }
    if (count == times.length) {
      times = Arrays.copyOf(times, Math.min(PART, count * 2));
      places = Arrays.copyOf(places, times.length);
    }
    times[count] = timeNs;
    places[count++] = place;
  }

  private void spillPart() throws IOException {
    if (spill == null) {
      spill = new TempSpill();
    }
    PairSort.sort(times, places, count);
    parts.add(new long[] {spill.append(times, places, count), count});
    count = 0;
  }
}

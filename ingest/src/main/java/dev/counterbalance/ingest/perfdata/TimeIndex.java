package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.PageCache;
import dev.counterbalance.ingest.io.PairIndex;
import dev.counterbalance.ingest.io.ProgressMeter;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * Orders the records of a file whose CPUs are not sorted, such as rings written backwards or a file
 * sorted across CPUs: pairs of time and place are sorted in parts of bounded size, parts beyond the
 * first go to a temporary file and are merged.
 */
final class TimeIndex implements RecordWalk.Visitor, Closeable {
  // A place is the offset times 2, plus 1 for the record itself; 0 is the loss a record tells of,
  // which is due at the CPU's previous record. Places beyond the file's end are CPUs whose last
  // events are lost.
  private static final int RECORD = 1;

  private final Recording recording;
  private final Locator locator;
  private final PairIndex pairs = new PairIndex();
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
        pairs.add(lastNs[cpu], offset * 2);
      }
      lastNs[cpu] = timeNs;
    }
    pairs.add(timeNs, offset * 2 + RECORD);
  }

  /** Adds the losses at the end of CPUs. */
  void addTails(CpuStats cpus) throws IOException {
    for (int cpu = 0; cpu < cpus.size(); cpu++) {
      if (cpus.tailLost(cpu) > 0) {
        pairs.add(cpus.lastNs(cpu), (recording.records.size() + cpu) * 2);
      }
    }
  }

  /** Delivers all records in order of time, then file position. */
  void deliver(Delivery delivery, ProgressMeter progress) throws IOException {
    PageCache pages = new PageCache(recording.in);
    pairs.visit((timeNs, place) -> deliver(pages, delivery, progress, timeNs, place));
  }

  @Override
  public void close() throws IOException {
    pairs.close();
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
}

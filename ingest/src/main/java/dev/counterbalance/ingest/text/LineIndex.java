package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.PageCache;
import dev.counterbalance.ingest.io.PairSort;
import dev.counterbalance.ingest.io.TempSpill;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Orders the lines of a text by time, then place: pairs of time and offset are sorted in parts of
 * bounded size, parts beyond the first go to a temporary file and are merged.
 */
final class LineIndex implements Closeable {
  /** Is given each line in order. */
  interface Visitor {
    void line(byte[] b, int from, int to, long offset) throws IOException;
  }

  private static final int PART = 1 << 20;
  private static final int USUAL_LINE = 512;

  private final TraceInput in;
  private long[] times = new long[1024];
  private long[] offsets = new long[1024];
  private int count;
  private final List<long[]> parts = new ArrayList<>();
  private TempSpill spill;

  LineIndex(TraceInput in) {
    this.in = in;
  }

  void add(long timeNs, long offset) throws IOException {
    if (count == PART) {
      spillPart();
    }
    if (count == times.length) {
      int size = Math.min(PART, count * 2);
      times = java.util.Arrays.copyOf(times, size);
      offsets = java.util.Arrays.copyOf(offsets, size);
    }
    times[count] = timeNs;
    offsets[count++] = offset;
  }

  /** Visits all lines. */
  void visit(Visitor visitor) throws IOException {
    PageCache pages = new PageCache(in);
    if (parts.isEmpty()) {
      PairSort.sort(times, offsets, count);
      for (int i = 0; i < count; i++) {
        line(pages, offsets[i], visitor);
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
      line(pages, reader.second(), visitor);
      if (reader.next()) {
        queue.add(reader);
      }
    }
  }

  private void line(PageCache pages, long offset, Visitor visitor) throws IOException {
    int wanted = USUAL_LINE;
    while (true) {
      int available = (int) Math.min(wanted, in.size() - offset);
      int from = pages.at(offset, available);
      if (from < 0) {
        return;
      }
      byte[] b = pages.bytes();
      int newline = Ascii.newline(b, from, from + available);
      if (newline < from + available || available < wanted) {
        visitor.line(b, from, Lines.lineEnd(b, from, newline), offset);
        return;
      }
      if (wanted > Lines.MAX_LINE) {
        return;
      }
      wanted *= 2;
    }
  }

  @Override
  public void close() throws IOException {
    if (spill != null) {
      spill.close();
    }
  }

  private void spillPart() throws IOException {
    if (spill == null) {
      spill = new TempSpill();
    }
    PairSort.sort(times, offsets, count);
    parts.add(new long[] {spill.append(times, offsets, count), count});
    count = 0;
  }
}

package dev.counterbalance.ingest.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Orders any number of pairs of longs, by the first and then the second: they are sorted in parts
 * of bounded size, 16 MiB in all; parts beyond the first go to a temporary file and are merged.
 */
public final class PairIndex implements Closeable {
  private static final int PART = 1 << 20;

  /** Is given each pair in order. */
  public interface Visitor {
    void pair(long first, long second) throws IOException;
  }

  private long[] firsts = new long[1024];
  private long[] seconds = new long[1024];
  private int count;
  private final List<long[]> parts = new ArrayList<>();
  private TempSpill spill;

  public void add(long first, long second) throws IOException {
    if (count == PART) {
      spillPart();
    }
    if (count == firsts.length) {
      firsts = Arrays.copyOf(firsts, Math.min(PART, count * 2));
      seconds = Arrays.copyOf(seconds, firsts.length);
    }
    firsts[count] = first;
    seconds[count++] = second;
  }

  /** Visits all pairs; nothing can be added any more. */
  public void visit(Visitor visitor) throws IOException {
    if (parts.isEmpty()) {
      PairSort.sort(firsts, seconds, count);
      for (int i = 0; i < count; i++) {
        visitor.pair(firsts[i], seconds[i]);
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
      visitor.pair(reader.first(), reader.second());
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

  private void spillPart() throws IOException {
    if (spill == null) {
      spill = new TempSpill();
    }
    PairSort.sort(firsts, seconds, count);
    parts.add(new long[] {spill.append(firsts, seconds, count), count});
    count = 0;
  }
}

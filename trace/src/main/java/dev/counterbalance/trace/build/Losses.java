package dev.counterbalance.trace.build;

import dev.counterbalance.trace.store.Column;
import dev.counterbalance.trace.store.TableWriter;
import java.util.Arrays;

/** Writes the gaps of each CPU. */
final class Losses {
  private final TableWriter rows;

  /** Null if everything is kept. */
  private final RowFilter filter;

  private long[] beginNs = new long[0];

  Losses(TableWriter rows, RowFilter filter) {
    this.rows = rows;
    this.filter = filter;
  }

  void begin(long tsNs, int cpu) {
    if (cpu >= beginNs.length) {
      int old = beginNs.length;
      beginNs = Arrays.copyOf(beginNs, Math.max(cpu + 1, Math.max(16, old * 2)));
      Arrays.fill(beginNs, old, beginNs.length, Long.MIN_VALUE);
    }
    if (beginNs[cpu] == Long.MIN_VALUE) {
      beginNs[cpu] = tsNs;
    }
  }

  void end(long tsNs, int cpu, long lost, String source) {
    long begin = cpu < beginNs.length ? beginNs[cpu] : Long.MIN_VALUE;
    row(begin, tsNs, cpu, lost, source);
    if (begin != Long.MIN_VALUE) {
      beginNs[cpu] = Long.MIN_VALUE;
    }
  }

  private void row(long beginNs, long endNs, int cpu, long lost, String source) {
    boolean known = beginNs != Long.MIN_VALUE;
    long from = beginNs;
    long to = endNs;
    if (filter != null) {
      if (!filter.keepsCpu(cpu) || !filter.keepsTime(known ? from : to, known ? to - from : 0)) {
        return;
      }
      from = known ? filter.clamp(from) : from;
      to = filter.clamp(to);
    }
    rows.ints("cpu").add(cpu);
    rows.longs("ts").add(from);
    rows.longs("dur").add(known ? to - from : Column.NULL_LONG);
    rows.longs("lost").add(lost < 0 ? Column.NULL_LONG : lost);
    rows.texts("source").add(source);
    rows.endRow();
  }

  /** Closes the gaps that last until the trace ends. */
  void finish(long endNs) {
    for (int cpu = 0; cpu < beginNs.length; cpu++) {
      if (beginNs[cpu] != Long.MIN_VALUE) {
        end(endNs, cpu, -1, "end");
      }
    }
  }
}

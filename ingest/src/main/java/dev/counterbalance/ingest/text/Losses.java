package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.io.PairSort;
import dev.counterbalance.trace.event.EventSink;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Where events are missing. A text tells of a loss after the gap, mostly without a time: the gap
 * lasts from the CPU's last event before to its first one after. Found in the first pass, told to
 * the sink in the second, which gives each line here before it delivers it.
 */
final class Losses {
  /** Further losses of a CPU are joined with its last one. */
  private static final int MAX = 1 << 20;

  private static final long UNKNOWN = -1;
  private static final int NONE = -1;

  // One row per loss.
  private int count;
  private int[] cpus = new int[16];
  private long[] beginNs = new long[16];
  private long[] goesOnAt = new long[16];
  private long[] events = new long[16];
  private int[] nextOfCpu = new int[16];
  private boolean[] begun = new boolean[16];

  // One row per CPU.
  private int[] first = new int[0];
  private int[] last = new int[0];
  private boolean[] open = new boolean[0];

  // Second pass.
  private long[] order;
  private long[] orderNs;
  private int nextBegin;

  long total;

  boolean isEmpty() {
    return count == 0;
  }

  /**
   * First pass: events of the CPU are missing after this time.
   *
   * @param afterNs time of the CPU's last event; the trace's start if it has none, then
   *     Long.MIN_VALUE
   * @param lost how many, -1 if unknown
   */
  void add(int cpu, long afterNs, long lost) {
    ensure(cpu);
    total += Math.max(0, lost);
    if (last[cpu] != NONE && (open[cpu] || count == MAX)) {
      int loss = last[cpu];
      open[cpu] = true;
      boolean known = events[loss] != UNKNOWN && lost != UNKNOWN;
      events[loss] = known ? events[loss] + lost : UNKNOWN;
      return;
    }
    if (count == MAX) {
      return;
    }
    if (count == cpus.length) {
      int size = count * 2;
      cpus = Arrays.copyOf(cpus, size);
      beginNs = Arrays.copyOf(beginNs, size);
      goesOnAt = Arrays.copyOf(goesOnAt, size);
      events = Arrays.copyOf(events, size);
      nextOfCpu = Arrays.copyOf(nextOfCpu, size);
      begun = Arrays.copyOf(begun, size);
    }
    cpus[count] = cpu;
    beginNs[count] = afterNs;
    goesOnAt[count] = Long.MAX_VALUE;
    events[count] = lost;
    nextOfCpu[count] = NONE;
    if (last[cpu] == NONE) {
      first[cpu] = count;
    } else {
      nextOfCpu[last[cpu]] = count;
    }
    last[cpu] = count++;
    open[cpu] = true;
  }

  /** First pass: the CPU's events go on with the line here. */
  void goesOn(int cpu, long offset) {
    if (cpu < open.length && open[cpu]) {
      open[cpu] = false;
      goesOnAt[last[cpu]] = offset;
    }
  }

  /** Adds the CPUs that lost events. */
  void addCpus(BitSet all) {
    for (int i = 0; i < count; i++) {
      all.set(cpus[i]);
    }
  }

  /** Before the second pass. */
  void prepare() {
    orderNs = Arrays.copyOf(beginNs, count);
    order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    PairSort.sort(orderNs, order, count);
  }

  /** Second pass: losses that are due before the line. */
  void before(long timeNs, int cpu, int tid, long offset, long startNs, EventSink sink) {
    while (nextBegin < count && orderNs[nextBegin] < timeNs) {
      begin((int) order[nextBegin++], startNs, timeNs, sink);
    }
    while (cpu >= 0 && cpu < first.length && first[cpu] != NONE) {
      int loss = first[cpu];
      if (offset < goesOnAt[loss]) {
        return;
      }
      begin(loss, startNs, timeNs, sink);
      sink.onLossEnd(timeNs, cpu, events[loss], tid, "LOST");
      first[cpu] = nextOfCpu[loss];
    }
  }

  /** Second pass: the losses that no event follows. */
  void finish(long startNs, long endNs, EventSink sink) {
    while (nextBegin < count) {
      begin((int) order[nextBegin++], startNs, endNs, sink);
    }
    for (int cpu = 0; cpu < first.length; cpu++) {
      for (int loss = first[cpu]; loss != NONE; loss = nextOfCpu[loss]) {
        sink.onLossEnd(endNs, cpu, events[loss], -1, "LOST");
      }
    }
  }

  /** In a text out of order, the last event before a loss may have a later time than the next. */
  private void begin(int loss, long startNs, long latestNs, EventSink sink) {
    if (!begun[loss]) {
      begun[loss] = true;
      long when = Math.min(latestNs, Math.max(startNs, beginNs[loss]));
      sink.onLossBegin(when, cpus[loss]);
    }
  }

  private void ensure(int cpu) {
    int old = first.length;
    if (cpu >= old) {
      int size = Math.max(cpu + 1, old * 2);
      first = Arrays.copyOf(first, size);
      last = Arrays.copyOf(last, size);
      open = Arrays.copyOf(open, size);
      Arrays.fill(first, old, size, NONE);
      Arrays.fill(last, old, size, NONE);
    }
  }
}

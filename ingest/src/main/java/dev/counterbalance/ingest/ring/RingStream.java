package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.io.CpuStats;

/** What one buffer recorded on one CPU, and what the first pass finds out about it. */
public final class RingStream {
  public final int cpu;
  final PageSource source;

  /** Events that the recorder says were overwritten, and dropped because the buffer was full. */
  public long toldOverrun;

  public long toldDropped;

  long events;
  long firstNs = CpuStats.NO_TIME;
  long lastNs = CpuStats.NO_TIME;
  int firstTid = CpuStats.NO_TASK;
  boolean switched;
  int firstPrevTid = CpuStats.NO_TASK;
  boolean startsLost;

  /** Events that pages say are missing. */
  long lost;

  /** True if a page tells of a loss, and not how large it is. */
  boolean lostUnknown;

  public RingStream(int cpu, PageSource source) {
    this.cpu = cpu;
    this.source = source;
  }

  /** A loss before the event at hand; -1 events is an unknown number. */
  void addLoss(long count) {
    startsLost |= events == 0;
    lostUnknown |= count < 0;
    lost += Math.max(0, count);
  }

  /** True if the oldest events were overwritten, so that nothing is known before the first. */
  boolean isOverwritten() {
    return startsLost || lostAhead() != 0;
  }

  /** Events missing before the first one, of which no page tells. Known after the first pass. */
  long lostAhead() {
    return events > 0 && lost == 0 && !lostUnknown ? toldOverrun : 0;
  }

  /** How many events are missing, as far as it is told. */
  long lostEvents() {
    return Math.max(lost, toldOverrun) + toldDropped;
  }
}

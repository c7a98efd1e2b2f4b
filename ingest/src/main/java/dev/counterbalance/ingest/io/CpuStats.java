package dev.counterbalance.ingest.io;

import java.util.Arrays;

/** What the first pass finds out about each CPU. */
public final class CpuStats {
  /** CPUs at or above it are taken for damage. */
  public static final int MAX_CPUS = 65536;

  public static final long NO_TIME = Long.MIN_VALUE;
  public static final int NO_TASK = -1;

  private long[] firstNs = new long[0];
  private long[] lastNs = new long[0];
  private long[] lost = new long[0];
  private long[] lostSamples = new long[0];
  private int[] firstTid = new int[0];
  private int[] firstPrevTid = new int[0];
  private boolean[] startsLost = new boolean[0];
  private boolean[] switched = new boolean[0];
  private boolean[] cut = new boolean[0];

  /** One more than the highest CPU that has anything. */
  public int size() {
    return firstNs.length;
  }

  /**
   * Takes in a sample that changes nothing but the CPU's last time.
   *
   * @return false if it does change more, and is to be given to {@link #sample}
   */
  public boolean isUsual(int cpu, long timeNs) {
    if (cpu >= switched.length || !switched[cpu] || timeNs < lastNs[cpu]) {
      return false;
    }
    lastNs[cpu] = timeNs;
    return true;
  }

  /** The last time of any CPU, {@link #NO_TIME} if there is none. */
  public long latestNs() {
    long latest = NO_TIME;
    for (long time : lastNs) {
      latest = Math.max(latest, time);
    }
    return latest;
  }

  /** A sample was met. */
  public void sample(int cpu, long timeNs, int tid) {
    ensure(cpu);
    if (firstNs[cpu] == NO_TIME || timeNs < firstNs[cpu]) {
      firstNs[cpu] = timeNs;
      firstTid[cpu] = tid;
      switched[cpu] = false;
    }
    lastNs[cpu] = Math.max(lastNs[cpu], timeNs);
  }

  /** True until the first switch of the CPU was given to {@link #firstSwitch}. */
  public boolean wantsSwitch(int cpu) {
    return !switched[cpu];
  }

  public void firstSwitch(int cpu, int prevTid) {
    switched[cpu] = true;
    firstPrevTid[cpu] = prevTid;
  }

  /** A LOST record was met. */
  public void lost(int cpu, long timeNs, long events) {
    ensure(cpu);
    lastNs[cpu] = Math.max(lastNs[cpu], timeNs);
    startsLost[cpu] |= firstNs[cpu] == NO_TIME && lost[cpu] == 0;
    lost[cpu] += Math.max(0, events);
  }

  public void lostSamples(int cpu, long events) {
    ensure(cpu);
    lostSamples[cpu] += Math.max(0, events);
  }

  public boolean hasEvents(int cpu) {
    return cpu < firstNs.length && firstNs[cpu] != NO_TIME;
  }

  public long firstNs(int cpu) {
    return firstNs[cpu];
  }

  public long lastNs(int cpu) {
    return lastNs[cpu];
  }

  /** The task that ran on the CPU before its first switch, -1 if unknown. */
  public int startTid(int cpu) {
    return switched[cpu] ? firstPrevTid[cpu] : firstTid[cpu];
  }

  /** True if the CPU's first record tells of a loss. */
  public boolean startsLost(int cpu) {
    return cpu < startsLost.length && startsLost[cpu];
  }

  /** The file with the CPU's records was cut: what comes after its last record is missing. */
  public void cut(int cpu) {
    ensure(cpu);
    cut[cpu] = true;
  }

  /** True if nobody knows how many events are missing after the CPU's last record. */
  public boolean isCut(int cpu) {
    return cpu < cut.length && cut[cpu];
  }

  /** Events lost after the CPU's last record; at least 1 if it was cut. */
  public long tailLost(int cpu) {
    if (isCut(cpu) && hasEvents(cpu) && lastNs[cpu] < latestNs()) {
      return Math.max(1, lostSamples[cpu] - lost[cpu]);
    }
    return cpu < lost.length && hasEvents(cpu) ? Math.max(0, lostSamples[cpu] - lost[cpu]) : 0;
  }

  private void ensure(int cpu) {
    if (cpu < firstNs.length) {
      return;
    }
    int old = firstNs.length;
    int size = Math.max(cpu + 1, Math.min(MAX_CPUS, old * 2));
    firstNs = Arrays.copyOf(firstNs, size);
    lastNs = Arrays.copyOf(lastNs, size);
    lost = Arrays.copyOf(lost, size);
    lostSamples = Arrays.copyOf(lostSamples, size);
    firstTid = Arrays.copyOf(firstTid, size);
    firstPrevTid = Arrays.copyOf(firstPrevTid, size);
    startsLost = Arrays.copyOf(startsLost, size);
    switched = Arrays.copyOf(switched, size);
    cut = Arrays.copyOf(cut, size);
    Arrays.fill(firstNs, old, size, NO_TIME);
    Arrays.fill(lastNs, old, size, NO_TIME);
    Arrays.fill(firstTid, old, size, NO_TASK);
  }
}

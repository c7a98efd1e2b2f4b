package dev.counterbalance.trace.build;

import dev.counterbalance.trace.interval.Coverage;
import java.util.Arrays;

/** From when on each CPU is known, and how. */
final class CpuWindows {
  private long[] firstNs = new long[0];
  private byte[] coverage = new byte[0];
  private int count;

  void start(long tsNs, int cpu, boolean silent) {
    if (cpu >= firstNs.length) {
      int old = firstNs.length;
      int size = Math.max(cpu + 1, Math.max(16, old * 2));
      firstNs = Arrays.copyOf(firstNs, size);
      coverage = Arrays.copyOf(coverage, size);
      Arrays.fill(coverage, old, size, (byte) Coverage.UNRECORDED.ordinal());
    }
    firstNs[cpu] = tsNs;
    coverage[cpu] = (byte) (silent ? Coverage.SILENT : Coverage.EVENTS).ordinal();
    count = Math.max(count, cpu + 1);
  }

  boolean isKnown(int cpu) {
    return coverage(cpu) != Coverage.UNRECORDED;
  }

  Coverage coverage(int cpu) {
    return cpu < count ? Coverage.values()[coverage[cpu]] : Coverage.UNRECORDED;
  }

  long firstNs(int cpu) {
    return firstNs[cpu];
  }

  /** CPUs from 0 to the highest one known. */
  int count() {
    return count;
  }
}

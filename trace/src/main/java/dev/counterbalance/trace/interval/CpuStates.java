package dev.counterbalance.trace.interval;

import java.util.Arrays;

/** What the interval builder knows of each CPU, in columns indexed by its number. */
final class CpuStates {
  static final long STILL_THERE = Long.MAX_VALUE;

  /** When the running task was seen on another CPU, {@link #STILL_THERE} if it was not. */
  long[] leftAt = new long[0];

  /** Running task, or -1 if not known. */
  int[] current = new int[0];

  /** Whether its time counts since {@link #sliceStart}; if not, a first switch gives no length. */
  boolean[] isOpen = new boolean[0];

  /** Start of its slice, ns. */
  long[] sliceStart = new long[0];

  /** Last event that named the running task, ns; counts if it is after {@link #sliceStart}. */
  long[] confirmed = new long[0];

  int[] priority = new int[0];
  boolean[] startCensored = new boolean[0];
  boolean[] inLoss = new boolean[0];

  /** Times at which losses began, one array per CPU, {@link #losses} of them used. */
  long[][] lossStart = new long[0][];

  int[] losses = new int[0];

  /** The task whose waking was the last event recorded on this CPU, or -1. */
  int[] justWoke = new int[0];

  void ensure(int cpu) {
    if (cpu < current.length) {
      return;
    }
    int old = current.length;
    int size = Math.max(cpu + 1, Math.max(16, old * 2));
    current = Arrays.copyOf(current, size);
    sliceStart = Arrays.copyOf(sliceStart, size);
    confirmed = Arrays.copyOf(confirmed, size);
    Arrays.fill(confirmed, old, size, Long.MIN_VALUE);
    priority = Arrays.copyOf(priority, size);
    startCensored = Arrays.copyOf(startCensored, size);
    leftAt = Arrays.copyOf(leftAt, size);
    Arrays.fill(leftAt, old, size, STILL_THERE);
    isOpen = Arrays.copyOf(isOpen, size);
    inLoss = Arrays.copyOf(inLoss, size);
    lossStart = Arrays.copyOf(lossStart, size);
    losses = Arrays.copyOf(losses, size);
    justWoke = Arrays.copyOf(justWoke, size);
    Arrays.fill(current, old, size, -1);
    Arrays.fill(priority, old, size, Integer.MIN_VALUE);
    Arrays.fill(justWoke, old, size, -1);
  }

  void addLoss(int cpu, long tsNs) {
    long[] starts = lossStart[cpu];
    if (starts == null) {
      starts = new long[4];
    } else if (losses[cpu] == starts.length) {
      starts = Arrays.copyOf(starts, starts.length * 2);
    }
    starts[losses[cpu]++] = tsNs;
    lossStart[cpu] = starts;
  }

  int count() {
    return current.length;
  }
}

package dev.counterbalance.ingest.perfdata;

import java.util.Arrays;

/**
 * Where the records of each CPU lie in the file, as runs. A run is a chain of file ranges whose
 * records are all of one CPU and sorted by time; a CPU whose time steps back gets another run.
 * Gives up when there are too many ranges or runs to be kept in memory or merged.
 */
final class RunIndex {
  private static final int MAX_RANGES = 1 << 20;
  private static final int MAX_RUNS = 2048;
  private static final int NONE = -1;

  private long[] rangeStart = new long[256];
  private long[] rangeEnd = new long[256];
  private int[] rangeNext = new int[256];
  private int ranges;

  private int[] runCpu = new int[16];
  private int[] runFirst = new int[16];
  private int[] runLast = new int[16];
  private int runs;

  private int[] runOfSlot = new int[0];
  private long[] timeOfSlot = new long[0];

  /** CPU slot of the record added last, whose range may go on. */
  private int openSlot = NONE;

  private boolean overflown;

  /** Adds the next record of the file. */
  void add(int cpu, long timeNs, long offset, int size) {
    int slot = cpu + 1;
    if (slot == openSlot && timeNs >= timeOfSlot[slot]) {
      timeOfSlot[slot] = timeNs;
      rangeEnd[ranges - 1] = offset + size;
      return;
    }
    openSlot = NONE;
    if (slot >= runOfSlot.length) {
      growSlots(slot);
    }
    int run = runOfSlot[slot];
    if (run == NONE || timeNs < timeOfSlot[slot]) {
      if (runs == MAX_RUNS) {
        overflown = true;
      }
      if (overflown) {
        return;
      }
      run = newRun(cpu);
      runOfSlot[slot] = run;
    }
    timeOfSlot[slot] = timeNs;
    newRange(run, offset, offset + size);
    openSlot = overflown ? NONE : slot;
  }

  /** Ends the range at hand: what follows in the file is no record. */
  void breakRange() {
    openSlot = NONE;
  }

  /** True if there are too many runs or ranges; the index is then incomplete. */
  boolean isOverflown() {
    return overflown;
  }

  int runs() {
    return runs;
  }

  int cpu(int run) {
    return runCpu[run];
  }

  /** The first range of a run. */
  int firstRange(int run) {
    return runFirst[run];
  }

  /** The range after one, -1 after the last. */
  int nextRange(int range) {
    return rangeNext[range];
  }

  long start(int range) {
    return rangeStart[range];
  }

  long end(int range) {
    return rangeEnd[range];
  }

  /** True if the run has records in a part of the file. */
  boolean isIn(int run, long from, long to) {
    for (int range = runFirst[run]; range != NONE; range = rangeNext[range]) {
      if (rangeStart[range] >= from && rangeStart[range] < to) {
        return true;
      }
    }
    return false;
  }

  private int newRun(int cpu) {
    if (runs == runCpu.length) {
      runCpu = Arrays.copyOf(runCpu, runs * 2);
      runFirst = Arrays.copyOf(runFirst, runs * 2);
      runLast = Arrays.copyOf(runLast, runs * 2);
    }
    runCpu[runs] = cpu;
    runFirst[runs] = NONE;
    runLast[runs] = NONE;
    return runs++;
  }

  private void newRange(int run, long start, long end) {
    if (ranges == MAX_RANGES) {
      overflown = true;
    }
    if (overflown) {
      return;
    }
    if (ranges == rangeStart.length) {
      rangeStart = Arrays.copyOf(rangeStart, ranges * 2);
      rangeEnd = Arrays.copyOf(rangeEnd, ranges * 2);
      rangeNext = Arrays.copyOf(rangeNext, ranges * 2);
    }
    rangeStart[ranges] = start;
    rangeEnd[ranges] = end;
    rangeNext[ranges] = NONE;
    if (runFirst[run] == NONE) {
      runFirst[run] = ranges;
    } else {
      rangeNext[runLast[run]] = ranges;
    }
    runLast[run] = ranges++;
  }

  private void growSlots(int slot) {
    int old = runOfSlot.length;
    int size = Math.max(slot + 1, Math.max(16, old * 2));
    runOfSlot = Arrays.copyOf(runOfSlot, size);
    timeOfSlot = Arrays.copyOf(timeOfSlot, size);
    Arrays.fill(runOfSlot, old, size, NONE);
  }
}

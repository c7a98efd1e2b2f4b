package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import java.util.Arrays;

/**
 * Tells damaged times from the recording's: counts samples by the magnitude of their time. Times
 * count from boot or from 1970, so that samples far from all others by factor are strays if they
 * are few.
 */
final class TimeRange implements RecordWalk.Visitor {
  private static final int FACTOR = 16;
  private static final long LEAST_NS = 10_000_000_000L;
  private static final int STEPS = 16;

  /** Strays are taken for the recording's own if there is more than one to so many others. */
  private static final int OTHERS_PER_STRAY = 4;

  private final Locator locator;
  private final long[] count = new long[64 * STEPS];
  private final long[] first = new long[64 * STEPS];
  private final long[] last = new long[64 * STEPS];
  private final long[] offset = new long[64 * STEPS];
  private long earliestNs;
  private long latestNs;

  TimeRange(Recording recording) {
    locator = new Locator(recording, false);
    Arrays.fill(first, Long.MAX_VALUE);
  }

  /** True if a time is so far from an earlier one that few recordings hold both. */
  static boolean isFar(long earlierNs, long laterNs) {
    return earlierNs <= laterNs / FACTOR && laterNs - earlierNs > LEAST_NS;
  }

  @Override
  public void record(byte[] bytes, int pos, int type, int size, long at)
      throws TraceFormatException {
    if (!RecordType.isEvent(type) || locator.find(bytes, pos, type, size, at) != Locator.TIMED) {
      return;
    }
    long time = locator.timeNs;
    int power = 63 - Long.numberOfLeadingZeros(time);
    int step = (int) (power < 4 ? time << (4 - power) : time >>> (power - 4)) & (STEPS - 1);
    int slot = power * STEPS + step;
    if (count[slot]++ == 0) {
      offset[slot] = at;
    }
    first[slot] = Math.min(first[slot], time);
    last[slot] = Math.max(last[slot], time);
  }

  /**
   * Finds the range that holds nearly all samples; those outside are counted as damage.
   *
   * @return true if there are any, and the recording's limits were set
   */
  boolean excludeStrays(Recording recording) throws TraceFormatException {
    long all = Arrays.stream(count).sum();
    long inside = largestGroup();
    long strays = all - inside;
    if (strays == 0 || strays * OTHERS_PER_STRAY > inside) {
      return false;
    }
    int stray = 0;
    while (count[stray] == 0 || (first[stray] >= earliestNs && last[stray] <= latestNs)) {
      stray++;
    }
    recording.earliestNs = earliestNs;
    recording.latestNs = latestNs;
    String code = "stray_time";
    String text =
        "a sample at "
            + first[stray]
            + " ns, far from the others, which lie from "
            + earliestNs
            + " to "
            + latestNs;
    String advice = "Such samples are skipped; the file may be damaged.";
    recording.problems.damage(code, offset[stray], first[stray], text, advice);
    recording.problems.more(code, strays - 1);
    return true;
  }

  /** Sets the limits to those of the group with the most samples; returns how many it has. */
  private long largestGroup() {
    long most = 0;
    long members = 0;
    long start = 0;
    long end = 0;
    for (int slot = 0; slot < count.length; slot++) {
      if (count[slot] == 0) {
        continue;
      }
      if (members == 0 || isFar(end, first[slot])) {
        members = 0;
        start = first[slot];
      }
      members += count[slot];
      end = last[slot];
      if (members > most) {
        most = members;
        earliestNs = start;
        latestNs = end;
      }
    }
    return most;
  }
}

package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.kernel.PrevState;

/**
 * Finds out from the states of a recording whether its kernel stored what its print format reads.
 * Two generations did not: Linux 4.14 stored the number of the state, and 4.15 to 4.19 its bit
 * shifted left by one. Both show in states that cannot be.
 */
public final class PrevStateCheck {
  /** Switches below which nothing is concluded. */
  private static final int ENOUGH = 16;

  private static final int SEEN = 8192;
  private static final int RUNNING = 0;
  private static final int SLEEPING = 1;

  /** States that are numbers go up to idle; as bits they would be traced, or combinations. */
  private static final int LAST_NUMBER = 8;

  private static final int LARGEST_BIT_READ_RIGHT = 2;

  private final long[] counts = new long[SEEN];
  private long switches;
  private long idleAsleep;

  /** True if a kernel of this release may have the fault. */
  public static boolean concerns(String osRelease) {
    int minor = minorOf4(osRelease);
    return minor >= 14 && minor <= 20;
  }

  /**
   * Takes in one switch.
   *
   * @param prevState as recorded
   */
  public void add(int prevTid, long prevState) {
    switches++;
    if (prevState >= 0 && prevState < SEEN) {
      counts[(int) prevState]++;
    }
    if (prevTid == 0 && prevState == SLEEPING) {
      idleAsleep++;
    }
  }

  /**
   * How the states read.
   *
   * @param told how the print format reads them
   * @param osRelease the recorded kernel's
   * @param problems is told of a fault
   */
  public PrevState repaired(PrevState told, String osRelease, ProblemLog problems) {
    if (switches < ENOUGH || !concerns(osRelease)) {
      return told;
    }
    // The idle task never sleeps: it runs again without being woken.
    if (counts[RUNNING] == 0 && idleAsleep > 0) {
      report(
          problems,
          "prev_state_shifted",
          "twice what they should be (1 for R, 2 for S), and 256 for both R+ and I");
      return told.shifted();
    }
    if (minorOf4(osRelease) == 14 && areNumbers(told.preemptedBit())) {
      report(problems, "prev_state_numbers", "the numbers of states, not their bits (8 for I)");
      return told.indexed();
    }
    return told;
  }

  /** True if no state is too large for a number, and some are none of the bits that often occur. */
  private boolean areNumbers(long preemptedBit) {
    boolean telling = false;
    for (int raw = 0; raw < SEEN; raw++) {
      long state = raw & ~preemptedBit;
      if (counts[raw] > 0) {
        if (state > LAST_NUMBER) {
          return false;
        }
        telling |= state > LARGEST_BIT_READ_RIGHT && state != 4;
      }
    }
    return telling;
  }

  private static void report(ProblemLog problems, String code, String what) {
    problems.add(
        Severity.INFO,
        code,
        1,
        -1,
        -1,
        "the recorded kernel has a known fault: its prev_state numbers are " + what,
        "Letters are shown as they should be; the numbers are left as recorded.");
  }

  /** The second number of a release that begins with 4., else -1. */
  private static int minorOf4(String osRelease) {
    if (osRelease == null || !osRelease.startsWith("4.")) {
      return -1;
    }
    int end = 2;
    while (end < osRelease.length() && end < 5 && Character.isDigit(osRelease.charAt(end))) {
      end++;
    }
    return end == 2 ? -1 : Integer.parseInt(osRelease.substring(2, end));
  }
}

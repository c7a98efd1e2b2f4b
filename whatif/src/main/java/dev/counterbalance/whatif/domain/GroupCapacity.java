package dev.counterbalance.whatif.domain;

/**
 * How many tasks a group has room for: its power in CPUs, to the closest. From K36 sched_fair.c:
 * the group_capacity of a group's statistics, and what is done when it comes out as 0.
 */
public final class GroupCapacity {
  private static final int ONE_CPU = 1024;

  private GroupCapacity() {}

  /**
   * @param power cpu_power of the group as it is now, 1024 = one CPU, at least 1
   * @param powerOrig the same without real-time load
   * @param isSmtLevel whether the group is of an SMT domain (SHARE_CPUPOWER): only a sibling may be
   *     far below a CPU and still have room for one task, if about 90 % of its power is left
   * @return tasks, 0 or more
   */
  public static int tasks(long power, long powerOrig, boolean isSmtLevel) {
    int closest = cpus(power);
    return closest != 0 ? closest : small(power, powerOrig, isSmtLevel);
  }

  /** Power in CPUs, to the closest. */
  public static int cpus(long power) {
    return (int) ((power + ONE_CPU / 2) / ONE_CPU);
  }

  /** What a group of less than half a CPU has room for (fix_small_capacity): 0 or 1. */
  public static int small(long power, long powerOrig, boolean isSmtLevel) {
    return isSmtLevel && power * 32 > powerOrig * 29 ? 1 : 0;
  }
}

package dev.counterbalance.trace.kernel;

/**
 * Weights of fair tasks, nice 0 = 1024 (kernel/sched.c prio_to_weight and WEIGHT_IDLEPRIO,
 * unchanged from 2.6.36 to 6.12).
 */
public final class Weights {
  public static final int NICE_0 = 1024;

  /** SCHED_IDLE, whatever its nice. */
  public static final int IDLE_POLICY = 3;

  private static final int MIN_NICE = -20;

  private static final int[] OF_NICE = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87,
    70, 56, 45, 36, 29, 23, 18, 15
  };

  private Weights() {}

  /**
   * The weight of a nice level.
   *
   * @param nice -20 to 19
   */
  public static int ofNice(int nice) {
    return OF_NICE[nice - MIN_NICE];
  }
}

package dev.counterbalance.whatif.run;

import dev.counterbalance.whatif.workload.Policy;

/** CFS weights (kernel/sched.c prio_to_weight, WEIGHT_IDLEPRIO; 2.6.36 to today). */
final class NiceWeights {
  private static final int IDLE = 3;
  private static final int[] BY_NICE = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
    9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
    1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
    110, 87, 70, 56, 45, 36, 29, 23, 18, 15
  };

  private NiceWeights() {}

  /** The weight of a task of a fair policy. */
  static int of(Policy policy, int nice) {
    return policy == Policy.IDLE ? IDLE : BY_NICE[nice + 20];
  }
}

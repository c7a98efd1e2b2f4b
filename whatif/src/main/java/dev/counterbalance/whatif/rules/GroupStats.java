package dev.counterbalance.whatif.rules;

import dev.counterbalance.whatif.domain.SchedGroup;

/** What one scan of a group found; scratch of a balancer, filled anew for each group. */
final class GroupStats {
  /** Null as long as nothing was scanned in this attempt. */
  SchedGroup group;

  /** Sum of the CPUs' biased loads; unit nice-0 = 1024. */
  long load;

  /** {@link #load} per CPU of full power. */
  long average;

  /** Sum of the weights queued right now. */
  long weightSum;

  long power;

  int nr;

  /** How many tasks the group counts as able to run; lowered where the rule says so. */
  int capacity;

  /** More capacity than tasks, judged before any lowering. */
  boolean hasCapacity;

  /** The loads within the group differ by more than two average tasks. */
  boolean imbalanced;

  int idleCpus;

  /** The first idle CPU, -1 if there is none. */
  int firstIdle;
}

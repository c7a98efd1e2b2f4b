package dev.counterbalance.whatif.rule;

import dev.counterbalance.whatif.domain.SchedGroup;

/** What find_busiest_group decided; filled anew by each call, so that no attempt allocates. */
public final class Selection {
  /** The busiest group, or null if balanced. */
  public SchedGroup busiest;

  /** How much weight to move (kernel: imbalance). */
  public long amount;

  /** Which test said balanced; null if {@link #busiest} is set. */
  public Reason reason;

  /** The group that was looked at last before the test in {@link #reason} said balanced. */
  public SchedGroup looked;

  /** Its average load, and the local group's, for explanations; unit nice-0 = 1024. */
  public long busiestLoad;

  public long localLoad;

  /** Tasks and capacity in tasks of the group looked at. */
  public int busiestNr;

  public int busiestCapacity;

  /** Tasks and capacity of the local group. */
  public int localNr;

  public int localCapacity;

  /** The domain's average load; 0 where it was not computed. */
  public long averageLoad;

  /** Whether the group looked at counts as imbalanced within. */
  public boolean groupImbalanced;
}

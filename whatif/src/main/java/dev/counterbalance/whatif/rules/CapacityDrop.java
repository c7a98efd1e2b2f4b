package dev.counterbalance.whatif.rules;

import java.util.Locale;

/**
 * When the capacity of a group counts as one task at most, because tasks prefer to spread over the
 * domain's groups (switch prefer_sibling_drop; kernel-rules section 3.2).
 */
enum CapacityDrop {
  /** 2.6.36: always. */
  ALWAYS,
  /** First version of the patch: where the group looked at is empty. */
  EXAMINED_EMPTY,
  /** Second version: other groups, while the local one has fewer tasks than capacity. */
  LOCAL_SPARE_V2,
  /** As merged in 2.6.37: says the same as the second version. */
  LOCAL_HAS_CAPACITY;

  static CapacityDrop of(String value) {
    for (CapacityDrop drop : values()) {
      if (drop.name().toLowerCase(Locale.ROOT).equals(value)) {
        return drop;
      }
    }
    throw new IllegalArgumentException(
        "must be a value that group-capacity-2.6 knows: prefer_sibling_drop=" + value);
  }

  /**
   * Whether the group's capacity is lowered.
   *
   * @param local the local group, null if {@code group} itself is it
   */
  boolean lowers(GroupStats group, GroupStats local) {
    return switch (this) {
      case ALWAYS -> true;
      case EXAMINED_EMPTY -> group.nr == 0;
      case LOCAL_SPARE_V2, LOCAL_HAS_CAPACITY -> local != null && local.hasCapacity;
    };
  }
}

package dev.counterbalance.whatif.domain;

import java.util.ArrayList;
import java.util.List;

/**
 * The parameters of one level of domains, as the kernel's SD_*_INIT tables have them.
 *
 * @param minIntervalMs bounds of balance_interval in ms
 * @param maxIntervalMs bounds of balance_interval in ms
 * @param initialIntervalMs balance_interval at the start, in ms
 * @param busyFactor what a busy CPU multiplies balance_interval with
 * @param imbalancePct in %
 * @param cacheNiceTries failed balances after which hot tasks move
 * @param busyIdx load index of a busy CPU's passes, 0 to 4
 * @param idleIdx load index of an idle CPU's passes
 * @param newidleIdx load index of newidle passes
 * @param flags SD_ flags
 */
public record DomainParams(
    int minIntervalMs,
    int maxIntervalMs,
    int initialIntervalMs,
    int busyFactor,
    int imbalancePct,
    int cacheNiceTries,
    int busyIdx,
    int idleIdx,
    int newidleIdx,
    int flags) {
  public static final int BALANCE_NEWIDLE = 1;
  public static final int BALANCE_EXEC = 1 << 1;
  public static final int BALANCE_FORK = 1 << 2;
  public static final int BALANCE_WAKE = 1 << 3;
  public static final int WAKE_AFFINE = 1 << 4;
  public static final int SHARE_CPUPOWER = 1 << 5;
  public static final int SHARE_PKG_RESOURCES = 1 << 6;
  public static final int SERIALIZE = 1 << 7;
  public static final int PREFER_SIBLING = 1 << 8;
  public static final int LOAD_BALANCE = 1 << 9;

  /** The lowest level at which every CPU sees one of the fastest. */
  public static final int ASYM_CPUCAPACITY = 1 << 10;

  /** A level between NUMA nodes (4.1 and later). */
  public static final int NUMA = 1 << 11;

  private static final List<String> NAMES =
      List.of(
          "SD_BALANCE_NEWIDLE",
          "SD_BALANCE_EXEC",
          "SD_BALANCE_FORK",
          "SD_BALANCE_WAKE",
          "SD_WAKE_AFFINE",
          "SD_SHARE_CPUPOWER",
          "SD_SHARE_PKG_RESOURCES",
          "SD_SERIALIZE",
          "SD_PREFER_SIBLING",
          "SD_LOAD_BALANCE",
          "SD_ASYM_CPUCAPACITY",
          "SD_NUMA");

  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** The names of the flags that are set, as 2.6.36 calls them, in the order of their bits. */
  public List<String> flagNames() {
    List<String> names = new ArrayList<>();
    for (int bit = 0; bit < NAMES.size(); bit++) {
      if (has(1 << bit)) {
        names.add(NAMES.get(bit));
      }
    }
    return names;
  }
}

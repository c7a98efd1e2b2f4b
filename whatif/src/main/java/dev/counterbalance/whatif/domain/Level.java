package dev.counterbalance.whatif.domain;

/**
 * One row of a kernel's table of domain levels.
 *
 * @param name the kernel's name
 * @param reach which CPUs a domain spans
 * @param unit what the intervals are counted in
 * @param min min_interval
 * @param max max_interval
 * @param initial balance_interval at the start
 * @param busyFactor busy_factor
 * @param imbalancePct imbalance_pct
 * @param cacheNiceTries cache_nice_tries
 * @param busyIdx busy_idx
 * @param idleIdx idle_idx
 * @param flags as in {@link DomainParams}
 */
record Level(
    String name,
    Reach reach,
    Unit unit,
    int min,
    int max,
    int initial,
    int busyFactor,
    int imbalancePct,
    int cacheNiceTries,
    int busyIdx,
    int idleIdx,
    int flags) {

  /** Which CPUs a domain of a CPU spans, of those that are online and not isolated. */
  enum Reach {
    /** The threads of its core. */
    CORE,
    /** Those of its node that share its last-level cache. */
    LLC,
    /** Its node. */
    NODE,
    /** Its node and the 15 nearest. */
    NEAREST_NODES,
    /** All. */
    ALL,
    /** The nodes no farther than a distance. */
    DISTANCE
  }

  /** What an interval is counted in. */
  enum Unit {
    /** All in ms. */
    MS,
    /** All in ms for each CPU of the span. */
    MS_PER_SPAN_CPU,
    /** In ms, max_interval for each CPU that is online. */
    MAX_PER_ONLINE_CPU
  }

  DomainParams params(int spanWeight, int online, int changedFlags) {
    int scale = unit == Unit.MS_PER_SPAN_CPU ? spanWeight : 1;
    int maxScale = unit == Unit.MAX_PER_ONLINE_CPU ? online : scale;
    return new DomainParams(
        min * scale,
        max * maxScale,
        initial * scale,
        busyFactor,
        imbalancePct,
        cacheNiceTries,
        busyIdx,
        idleIdx,
        0,
        changedFlags);
  }
}

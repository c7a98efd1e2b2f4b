package dev.counterbalance.whatif.rule;

import java.util.Map;
import java.util.TreeMap;

/**
 * The resolved tunables of a run, by the names of kernel-rules section 11.4: ns, ticks, percent as
 * said there. Per-level tunables such as {@code imbalance_pct[MC]} are applied when the domains are
 * built.
 */
public final class Tunables {
  private final Map<String, Long> values;

  public Tunables(Map<String, Long> values) {
    this.values = new TreeMap<>(values);
  }

  /** The value of a tunable of the rule's generation; on/off ones are 1 and 0. */
  public long get(String name) {
    Long value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("must be a tunable of this rule: " + name);
    }
    return value;
  }

  /** By name, sorted. */
  public Map<String, Long> asMap() {
    return new TreeMap<>(values);
  }
}

package dev.counterbalance.whatif.domain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Per-level tunables as a user sets them, {@code NAME[LEVEL]} = value. */
final class LevelOverrides {
  private static final long MOST = 1_000_000;

  private final Map<String, Map<String, Integer>> byLevel = new LinkedHashMap<>();

  /**
   * Checks names and values.
   *
   * @throws IllegalArgumentException for an unknown name or a value out of range
   */
  LevelOverrides(Map<String, Long> overrides) {
    overrides.forEach(
        (key, value) -> {
          int bracket = key.indexOf('[');
          String name = bracket < 0 ? key : key.substring(0, bracket);
          if (!DomainOptions.PER_LEVEL.contains(name)) {
            throw new IllegalArgumentException(
                "must be one of " + String.join(", ", DomainOptions.PER_LEVEL) + ": " + key);
          }
          if (bracket < 0 || !key.endsWith("]")) {
            throw new IllegalArgumentException("must name a level as in " + name + "[MC]: " + key);
          }
          long least = name.equals("imbalance_pct") ? 100 : name.equals("cache_nice_tries") ? 0 : 1;
          if (value < least || value > MOST) {
            throw new IllegalArgumentException(
                "must be within " + least + "-" + MOST + ": " + key + "=" + value);
          }
          byLevel
              .computeIfAbsent(
                  key.substring(bracket + 1, key.length() - 1), level -> new LinkedHashMap<>())
              .put(name, value.intValue());
        });
  }

  /**
   * Checks that each level that is set is there.
   *
   * @throws IllegalArgumentException names the first that is not, and those that are
   */
  void checkLevels(List<String> levels) {
    byLevel.forEach(
        (level, values) -> {
          if (!levels.contains(level)) {
            throw new IllegalArgumentException(
                (levels.isEmpty()
                        ? "must name a level, and this machine has no domains: "
                        : "must name a level of this machine's domains, "
                            + String.join(", ", levels)
                            + ": ")
                    + values.keySet().iterator().next()
                    + "["
                    + level
                    + "]");
          }
        });
  }

  /**
   * The parameters of a level, with what is set for it; balance_interval still starts as it did.
   */
  DomainParams apply(String level, DomainParams params) {
    Map<String, Integer> values = byLevel.get(level);
    if (values == null) {
      return params;
    }
    DomainParams changed =
        new DomainParams(
            values.getOrDefault("min_interval", params.minIntervalMs()),
            values.getOrDefault("max_interval", params.maxIntervalMs()),
            params.initialIntervalMs(),
            values.getOrDefault("busy_factor", params.busyFactor()),
            values.getOrDefault("imbalance_pct", params.imbalancePct()),
            values.getOrDefault("cache_nice_tries", params.cacheNiceTries()),
            params.busyIdx(),
            params.idleIdx(),
            params.newidleIdx(),
            params.flags());
    if (changed.minIntervalMs() > changed.maxIntervalMs()) {
      throw new IllegalArgumentException(
          String.format(
              "must be <= max_interval[%s]=%d: min_interval[%s]=%d",
              level, changed.maxIntervalMs(), level, changed.minIntervalMs()));
    }
    return changed;
  }
}

package dev.counterbalance.whatif.domain;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What decides how domains are built, beside the machine: the switches of kernel-rules section 11.1
 * that domains read, and the per-level tunables of section 11.4.
 *
 * @param domainParams {@code domain_params}: the kernel whose levels and parameters are built
 * @param smtCapacity {@code smt_capacity}: what a thread of a core with busy siblings is worth
 * @param numaGroupOrigin {@code numa_group_origin}: where the groups of a NUMA level begin
 * @param dropNumaLevels {@code drop_numa_levels_after_hotplug}: only SMT and MC are built
 * @param overrides values by name and level, such as {@code imbalance_pct[MC]}
 */
public record DomainOptions(
    String domainParams,
    String smtCapacity,
    String numaGroupOrigin,
    boolean dropNumaLevels,
    Map<String, Long> overrides) {
  public static final String SMT_1178_PER_CORE = "1178_per_core";
  public static final String SMT_1024_PER_THREAD = "1024_per_thread";
  public static final String FROM_LOWEST_CPU = "lowest-cpu";
  public static final String FROM_SELF = "self";

  /** The tunables that are given for a level, as {@code NAME[LEVEL]}. */
  public static final List<String> PER_LEVEL =
      List.of("imbalance_pct", "busy_factor", "min_interval", "max_interval", "cache_nice_tries");

  /**
   * Checks all but the levels of the overrides, which are known when the domains are built.
   *
   * @throws IllegalArgumentException for a value that does not exist
   */
  public DomainOptions {
    oneOf("domain_params", domainParams, Generations.names());
    oneOf("smt_capacity", smtCapacity, List.of(SMT_1178_PER_CORE, SMT_1024_PER_THREAD));
    oneOf("numa_group_origin", numaGroupOrigin, List.of(FROM_LOWEST_CPU, FROM_SELF));
    overrides = new TreeMap<>(overrides);
  }

  /** What Linux 2.6.36 does. */
  public static DomainOptions linux2636() {
    return of(Map.of(), Map.of());
  }

  /**
   * Picks what concerns domains out of a rule's resolved switches and tunables and ignores the
   * others. A switch that is not there has its default.
   */
  public static DomainOptions of(Map<String, String> switches, Map<String, Long> tunables) {
    Map<String, Long> overrides = new TreeMap<>();
    tunables.forEach(
        (name, value) -> {
          int bracket = name.indexOf('[');
          if (bracket >= 0 && PER_LEVEL.contains(name.substring(0, bracket))) {
            overrides.put(name, value);
          }
        });
    return new DomainOptions(
        switches.getOrDefault("domain_params", "2.6.36"),
        switches.getOrDefault("smt_capacity", SMT_1178_PER_CORE),
        switches.getOrDefault("numa_group_origin", FROM_LOWEST_CPU),
        "on".equals(switches.get("drop_numa_levels_after_hotplug")),
        overrides);
  }

  private static void oneOf(String name, String value, List<String> values) {
    if (!values.contains(value)) {
      throw new IllegalArgumentException(
          "must be one of " + String.join(", ", values) + ": " + name + "=" + value);
    }
  }
}

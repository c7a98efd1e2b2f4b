package dev.counterbalance.whatif.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.MachineChanges;
import dev.counterbalance.trace.machine.TopologySpec;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors and typical results of kernel-rules, section 1. */
class DomainBuilderTest {

  /** Section 1.2, typical results, and 1.7; as LEVEL[span]{group}{group}... of one CPU. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Q6600
        "1s2l2c | 0 | MC[0-1]{0}{1} CPU[0-3]{0-1}{2-3}",
        "1s2l2c | 2 | MC[2-3]{2}{3} CPU[0-3]{2-3}{0-1}",
        "1s2l2c | 3 | MC[2-3]{3}{2} CPU[0-3]{2-3}{0-1}",
        // quad-socket quad-core, without and with NUMA
        "4s4c | 5 | MC[4-7]{5}{6}{7}{4} CPU[0-15]{4-7}{8-11}{12-15}{0-3}",
        "4s1n4c | 5 | MC[4-7]{5}{6}{7}{4} NODE[0-15]{4-7}{8-11}{12-15}{0-3}",
        // 2 sockets x 2 cores x HT: first threads 0-3, second threads 4-7
        "2s2c2t | 0 | SMT[0,4]{0}{4} MC[0-1,4-5]{0,4}{1,5} CPU[0-7]{0-1,4-5}{2-3,6-7}",
        "2s2c2t | 7 | SMT[3,7]{7}{3} MC[2-3,6-7]{3,7}{2,6} CPU[0-7]{2-3,6-7}{0-1,4-5}",
        "2s1n2c2t | 0 | SMT[0,4]{0}{4} MC[0-1,4-5]{0,4}{1,5} NODE[0-7]{0-1,4-5}{2-3,6-7}",
        // one core has nothing to balance, one LLC needs one level
        "1c | 0 | ''",
        "8c | 0 | MC[0-7]{0}{1}{2}{3}{4}{5}{6}{7}",
        "1s4l1c | 2 | CPU[0-3]{2}{3}{0}{1}",
      })
  void levelsOf2636(String spec, int cpu, String expected) {
    assertThat(text(build(spec, "2.6.36"), cpu)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4.1 | 4s4c | 5 | MC[4-7]{5}{6}{7}{4} DIE[0-15]{4-7}{8-11}{12-15}{0-3}",
        "4.1 | 4s1n4c | 5 | MC[4-7]{5}{6}{7}{4} NUMA[0-15]{4-7}{8-11}{12-15}{0-3}",
        "5.10 | 4s1n4c | 5 | MC[4-7]{5}{6}{7}{4} NUMA[0-15]{4-7}{8-11}{12-15}{0-3}",
        "5.3 | 2s2n2l1c | 2 | DIE[2-3]{2}{3} NUMA[0-3]{2-3}{0-1} NUMA[0-7]{0-3}{4-7}",
        "5.10 | 2c2t | 3 | SMT[1,3]{3}{1} MC[0-3]{1,3}{0,2}",
      })
  void levelsOfLaterKernels(String kernel, String spec, int cpu, String expected) {
    assertThat(text(build(spec, kernel), cpu)).isEqualTo(expected);
  }

  /** Section 1.7, last: v5.10, 2 sockets x 8 cores x 2 threads, one LLC and one node each. */
  @Test
  void paramsOf510() {
    SchedDomain[] domains = build("2s1n8c2t", "5.10").of(0);
    assertThat(domains).extracting(domain -> domain.name).containsExactly("SMT", "MC", "NUMA");
    assertThat(domains).extracting(domain -> domain.span.size()).containsExactly(2, 16, 32);
    assertThat(domains)
        .extracting(domain -> domain.params.imbalancePct())
        .containsExactly(110, 117, 117);
    assertThat(domains)
        .extracting(domain -> domain.params.minIntervalMs())
        .containsExactly(2, 16, 32);
    assertThat(domains)
        .extracting(domain -> domain.params.maxIntervalMs())
        .containsExactly(4, 32, 64);
    assertThat(domains)
        .extracting(domain -> domain.params.cacheNiceTries())
        .containsExactly(0, 1, 2);
    assertThat(domains).extracting(domain -> domain.params.busyFactor()).containsOnly(16);
    assertThat(domains[0].child()).isNull();
    assertThat(domains[1].child()).isSameAs(domains[0]);
    assertThat(domains[1].parent()).isSameAs(domains[2]);
    assertThat(domains[2].parent()).isNull();
  }

  /** Section 1.7, first, and 1.5. */
  @Test
  void powersOfHyperThreads() {
    SchedDomain[] domains = build("2s2c2t", "2.6.36").of(0);
    assertThat(domains[0].groups).extracting(group -> group.power).containsOnly(589);
    assertThat(domains[1].groups).extracting(group -> group.power).containsOnly(1178);
    assertThat(domains[2].groups).extracting(group -> group.power).containsOnly(2356);
    assertThat(build("2s4c2t", "2.6.36").of(0)[2].groups[0].power).isEqualTo(4712);
    assertThat(build("2s4c", "2.6.36").of(0)[1].groups[0].power).isEqualTo(4096);
    // 1178 / 4 threads, truncated
    assertThat(build("2c4t", "2.6.36").of(0)[0].groups[0].power).isEqualTo(294);
  }

  @Test
  void laterThreadsAreWholeCpus() {
    DomainOptions options =
        DomainOptions.of(
            Map.of("domain_params", "5.3", "smt_capacity", "1024_per_thread"), Map.of());
    SchedDomains domains = DomainBuilder.build(TopologySpec.parse("2s2c2t"), options);
    assertThat(domains.of(0)[0].groups[0].power).isEqualTo(1024);
    assertThat(domains.of(0)[2].groups[0].power).isEqualTo(4096);
    assertThat(domains.power(7)).isEqualTo(1024);
  }

  /** Section 1.4, the table of 2.6.36. */
  @Test
  void paramsOf2636() {
    SchedDomains domains = build("17s1n2l2c2t", "2.6.36");
    assertThat(domains.of(0))
        .extracting(domain -> domain.name + " " + numbers(domain.params))
        .containsExactly(
            "SMT 1 2 1 64 110 0 0 0 0",
            "MC 1 4 1 64 125 1 2 0 0",
            "CPU 1 4 1 64 125 1 2 1 0",
            "NODE 8 32 1 32 125 2 3 2 0",
            "ALLNODES 64 " + 64 * 136 + " 64 128 133 1 3 3 0");
    assertThat(domains.of(0))
        .extracting(domain -> String.join(" ", domain.params.flagNames()).replace("SD_", ""))
        .containsExactly(
            "BALANCE_NEWIDLE BALANCE_EXEC BALANCE_FORK WAKE_AFFINE SHARE_CPUPOWER"
                + " SHARE_PKG_RESOURCES LOAD_BALANCE",
            "BALANCE_NEWIDLE BALANCE_EXEC BALANCE_FORK WAKE_AFFINE SHARE_PKG_RESOURCES"
                + " PREFER_SIBLING LOAD_BALANCE",
            "BALANCE_NEWIDLE BALANCE_EXEC BALANCE_FORK WAKE_AFFINE PREFER_SIBLING LOAD_BALANCE",
            "BALANCE_NEWIDLE BALANCE_EXEC BALANCE_FORK WAKE_AFFINE SERIALIZE LOAD_BALANCE",
            "BALANCE_NEWIDLE SERIALIZE LOAD_BALANCE");
  }

  /** Section 1.4, the table of 4.1 and later; level, span, interval, busy_factor, pct, tries. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4.1 | SMT | 2 4 2 32 110 0 0 0 0 | true",
        "4.1 | MC | 4 8 4 32 117 1 2 0 0 | false",
        "4.1 | DIE | 8 16 8 32 125 1 2 1 0 | true",
        "4.1 | NUMA | 16 32 16 32 125 2 3 2 0 | false",
        "5.3 | SMT | 2 4 2 32 110 0 0 0 0 | true",
        "5.3 | MC | 4 8 4 32 117 1 0 0 0 | true",
        "5.3 | DIE | 8 16 8 32 125 1 0 0 0 | true",
        "5.3 | NUMA | 16 32 16 32 125 2 0 0 0 | false",
        "5.10 | SMT | 2 4 2 16 110 0 0 0 0 | true",
        "5.10 | MC | 4 8 4 16 117 1 0 0 0 | true",
        "5.10 | DIE | 8 16 8 16 117 1 0 0 0 | true",
        "5.10 | NUMA | 16 32 16 16 117 2 0 0 0 | false",
      })
  void paramsOfLaterKernels(String kernel, String level, String numbers, boolean prefersSibling) {
    SchedDomain domain =
        Arrays.stream(build("2s1n2l2c2t", kernel).of(0))
            .filter(each -> each.name.equals(level))
            .findFirst()
            .orElseThrow();
    assertThat(numbers(domain.params)).isEqualTo(numbers);
    assertThat(domain.params.has(DomainParams.PREFER_SIBLING)).isEqualTo(prefersSibling);
    assertThat(domain.params.has(DomainParams.SERIALIZE)).isEqualTo(level.equals("NUMA"));
  }

  /** Section 1.2: a level that only adds PREFER_SIBLING stays in 2.6.36, later it hands it down. */
  @Test
  void preferSiblingOfADroppedLevel() {
    assertThat(text(build("1s2l1c2t", "2.6.36"), 0))
        .isEqualTo("SMT[0,2]{0}{2} MC[0,2]{0,2} CPU[0-3]{0,2}{1,3}");
    assertThat(text(build("1s2l1c2t", "5.10"), 0)).isEqualTo("SMT[0,2]{0}{2} DIE[0-3]{0,2}{1,3}");
    SchedDomain ofNode = build("4s1n4c", "4.1").of(0)[0];
    assertThat(ofNode.name).isEqualTo("MC");
    assertThat(ofNode.params.has(DomainParams.PREFER_SIBLING)).isTrue();
  }

  /**
   * With all of node 1 isolated: 2.6.36 keeps NODE for its SERIALIZE, which counts on a machine of
   * two nodes; K41 build_sched_domains stops at the level that spans all there is.
   */
  @Test
  void aNodeOfIsolatedCpus() {
    Machine machine = MachineChanges.isolated(TopologySpec.parse("2s1n2c"), "2-3");
    assertThat(text(domains(machine, "2.6.36"), 0)).isEqualTo("MC[0-1]{0}{1} NODE[0-1]{0-1}");
    assertThat(text(domains(machine, "4.1"), 0)).isEqualTo("MC[0-1]{0}{1}");
    assertThat(text(domains(machine, "5.10"), 0)).isEqualTo("MC[0-1]{0}{1}");
  }

  @Test
  void nodesFartherThanReclaimDistanceAreNotPlacedOn() {
    Machine machine = TopologySpec.parse("2s1n2c");
    machine.distances().clear();
    machine.distances().add(new Machine.Distance(0, 1, 31));
    machine.distances().add(new Machine.Distance(1, 0, 31));
    DomainParams far = domains(machine, "4.1").of(0)[1].params;
    assertThat(far.has(DomainParams.WAKE_AFFINE)).isFalse();
    assertThat(far.has(DomainParams.BALANCE_EXEC)).isFalse();
    assertThat(far.has(DomainParams.BALANCE_FORK)).isFalse();
    assertThat(far.has(DomainParams.BALANCE_NEWIDLE)).isTrue();
    DomainParams near = build("2s1n2c", "4.1").of(0)[1].params;
    assertThat(near.has(DomainParams.WAKE_AFFINE)).isTrue();
  }

  /** Section 1.2: NODE spans 16 nodes, own first; of equal distances the next in number. */
  @Test
  void nodeSpansSixteenNodes() {
    SchedDomain[] domains = build("20s1n2c", "2.6.36").of(2 * 18);
    assertThat(domains).extracting(domain -> domain.name).containsExactly("MC", "NODE", "ALLNODES");
    // node 18, then 19, then from 0: up to node 13
    assertThat(domains[1].span).hasToString("0-27,36-39");
    assertThat(domains[1].groups).hasSize(16);
    assertThat(domains[1].groups[0]).hasToString("{36-37}");
    assertThat(domains[1].groups[2]).hasToString("{0-1}");
    assertThat(domains[2].groups).hasSize(20);
    assertThat(build("16s1n2c", "2.6.36").of(0)).hasSize(2);
  }

  /** Section 10.3. */
  @Test
  void numaLevelsCanBeLost() {
    DomainOptions options =
        DomainOptions.of(
            Map.of("domain_params", "4.1", "drop_numa_levels_after_hotplug", "on"), Map.of());
    SchedDomains domains = DomainBuilder.build(TopologySpec.parse("4s1n4c"), options);
    assertThat(domains.levelNames()).containsExactly("MC");
    assertThat(domains.of(15)).hasSize(1);
  }

  /** Mike's quad core of the thread weight-2010: half of 8 CPUs isolated, two LLCs of two left. */
  @Test
  void isolatedAndOfflineCpusAreInNoDomain() {
    Machine machine = TopologySpec.parse("1s4l2c");
    SchedDomains isolated = domains(MachineChanges.isolated(machine, "4-7"), "2.6.36");
    assertThat(text(isolated, 0)).isEqualTo("MC[0-1]{0}{1} CPU[0-3]{0-1}{2-3}");
    assertThat(isolated.of(5)).isEmpty();
    assertThat(isolated.active()).hasToString("0-7");
    SchedDomains offline = domains(MachineChanges.offline(machine, "1,4-7"), "2.6.36");
    assertThat(text(offline, 0)).isEqualTo("CPU[0,2-3]{0}{2-3}");
    assertThat(text(offline, 2)).isEqualTo("MC[2-3]{2}{3} CPU[0,2-3]{2-3}{0}");
    assertThat(offline.active()).hasToString("0,2-3");
    assertThat(offline.cpus()).isEqualTo(8);
  }

  @Test
  void aThreadWithoutItsSiblingIsAWholeCpu() {
    Machine machine = TopologySpec.parse("2s2c2t");
    SchedDomains noSmt = domains(MachineChanges.noSmt(machine), "2.6.36");
    assertThat(text(noSmt, 0)).isEqualTo("MC[0-1]{0}{1} CPU[0-3]{0-1}{2-3}");
    assertThat(noSmt.power(0)).isEqualTo(1024);
    assertThat(domains(MachineChanges.isolated(machine, "4"), "2.6.36").power(0)).isEqualTo(1024);
    assertThat(domains(machine, "2.6.36").power(0)).isEqualTo(589);
  }

  @Test
  void whatIsUnknownIsTakenPlainly() {
    Machine machine = Machine.unknown();
    machine.cpu(3);
    assertThat(text(domains(machine, "2.6.36"), 1)).isEqualTo("MC[0-3]{1}{2}{3}{0}");
    machine.cpu(2).packageId = 1;
    machine.cpu(3).packageId = 1;
    assertThat(text(domains(machine, "2.6.36"), 1)).isEqualTo("MC[0-1]{1}{0} CPU[0-3]{0-1}{2-3}");
    assertThat(domains(Machine.unknown(), "2.6.36").all()).isEmpty();
  }

  /** An LLC over two nodes is cut at the node, as the kernel cuts it. */
  @Test
  void cachesEndAtTheNode() {
    Machine machine = TopologySpec.parse("1s2n2c");
    machine.cpus().forEach(cpu -> cpu.llcId = 0);
    assertThat(text(domains(machine, "5.10"), 0)).isEqualTo("MC[0-1]{0}{1} NUMA[0-3]{0-1}{2-3}");
  }

  @Test
  void tunablesOfALevel() {
    Map<String, Long> set =
        Map.of(
            "imbalance_pct[MC]", 110L,
            "busy_factor[MC]", 1L,
            "min_interval[CPU]", 3L,
            "max_interval[CPU]", 300L,
            "cache_nice_tries[CPU]", 7L,
            "balanceCostNs[MC]", 5L,
            "HZ", 1000L);
    SchedDomain[] domains =
        DomainBuilder.build(TopologySpec.parse("4s4c"), DomainOptions.of(Map.of(), set)).of(0);
    assertThat(numbers(domains[0].params)).isEqualTo("1 4 1 1 110 1 2 0 0");
    assertThat(numbers(domains[1].params)).isEqualTo("3 300 1 64 125 7 2 1 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "imbalance_pct[NODE] | 117 | must name a level of this machine's domains, MC, CPU:"
            + " imbalance_pct[NODE]",
        "imbalance_pct | 117 | must name a level as in imbalance_pct[MC]: imbalance_pct",
        "busy_idx[MC] | 1 | must be one of imbalance_pct, busy_factor, min_interval,"
            + " max_interval, cache_nice_tries: busy_idx[MC]",
        "imbalance_pct[MC] | 99 | must be within 100-1000000: imbalance_pct[MC]=99",
        "busy_factor[MC] | 0 | must be within 1-1000000: busy_factor[MC]=0",
        "min_interval[MC] | 5 | must be <= max_interval[MC]=4: min_interval[MC]=5",
      })
  void tunablesThatCannotBe(String key, long value, String message) {
    assertThatThrownBy(
            () ->
                DomainBuilder.build(
                    TopologySpec.parse("4s4c"),
                    new DomainOptions(
                        "2.6.36", "1178_per_core", "self", false, Map.of(key, value))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void switchesThatCannotBe() {
    assertThatThrownBy(() -> DomainOptions.of(Map.of("domain_params", "3.0"), Map.of()))
        .hasMessage("must be one of 2.6.36, 4.1, 5.3, 5.10: domain_params=3.0");
    assertThatThrownBy(() -> DomainOptions.of(Map.of("smt_capacity", "1"), Map.of()))
        .hasMessage("must be one of 1178_per_core, 1024_per_thread: smt_capacity=1");
  }

  /** Section 1.4: where capacities differ, the level below the one that sees them all. */
  @Test
  void unlikeCapacities() {
    SchedDomain[] domains = build("2l4c@4x446,4x1024", "5.3").of(0);
    assertThat(domains).extracting(domain -> domain.name).containsExactly("MC", "DIE");
    assertThat(domains[0].params.has(DomainParams.PREFER_SIBLING)).isFalse();
    assertThat(domains[1].params.has(DomainParams.PREFER_SIBLING)).isTrue();
    assertThat(domains[1].params.has(DomainParams.ASYM_CPUCAPACITY)).isTrue();
    assertThat(domains[1].groups).extracting(group -> group.power).containsExactly(1784, 4096);
    SchedDomain[] older = build("2l4c@4x446,4x1024", "4.1").of(0);
    assertThat(older[1].params.has(DomainParams.ASYM_CPUCAPACITY)).isFalse();
  }

  /**
   * Section 10.2, the group construction bug, on four nodes in a ring (0-1-2-3-0, two hops to the
   * opposite one): from the lowest CPU, the groups are those of node 0 whoever looks.
   */
  @Test
  void groupsOfFarNodes() {
    Machine machine = TopologySpec.parse("4s1n2c");
    machine.distances().clear();
    for (int from = 0; from < 4; from++) {
      for (int to = 0; to < 4; to++) {
        int hops = Math.min(Math.abs(from - to), 4 - Math.abs(from - to));
        machine.distances().add(new Machine.Distance(from, to, 10 + 10 * hops));
      }
    }
    SchedDomains self = numa(machine, "self", "5.3");
    assertThat(text(self, 2))
        .isEqualTo("MC[2-3]{2}{3} NUMA[0-5]{2-3}{4-5}{0-1} NUMA[0-7]{0-5}{0-1,4-7}");
    assertThat(self.of(2)[2].groups[0].balanceMask).hasToString("2-3");
    assertThat(self.of(2)[2].groups[0].balanceCpu()).isEqualTo(2);
    SchedDomains lowest = numa(machine, "lowest-cpu", "4.1");
    assertThat(text(lowest, 3))
        .isEqualTo("MC[2-3]{3}{2} NUMA[0-5]{2-3}{4-5}{0-1} NUMA[0-7]{0-3,6-7}{2-7}");
    // in two groups, it is the first CPU of the second, where its ring therefore begins
    assertThat(text(lowest, 2)).endsWith("NUMA[0-7]{2-7}{0-3,6-7}");
    assertThat(text(lowest, 4)).endsWith("NUMA[0-7]{2-7}{0-3,6-7}");
    assertThat(lowest.of(3)[2].groups[1].balanceCpu()).isEqualTo(2);
  }

  private static SchedDomains numa(Machine machine, String origin, String kernel) {
    return DomainBuilder.build(
        machine,
        DomainOptions.of(Map.of("domain_params", kernel, "numa_group_origin", origin), Map.of()));
  }

  private static SchedDomains build(String spec, String kernel) {
    return domains(TopologySpec.parse(spec), kernel);
  }

  private static SchedDomains domains(Machine machine, String kernel) {
    return DomainBuilder.build(
        machine, DomainOptions.of(Map.of("domain_params", kernel), Map.of()));
  }

  private static String text(SchedDomains domains, int cpu) {
    return Arrays.stream(domains.of(cpu))
        .map(
            domain ->
                domain
                    + Arrays.stream(domain.groups)
                        .map(SchedGroup::toString)
                        .collect(Collectors.joining()))
        .collect(Collectors.joining(" "));
  }

  private static String numbers(DomainParams params) {
    return String.join(
        " ",
        Arrays.stream(
                new int[] {
                  params.minIntervalMs(),
                  params.maxIntervalMs(),
                  params.initialIntervalMs(),
                  params.busyFactor(),
                  params.imbalancePct(),
                  params.cacheNiceTries(),
                  params.busyIdx(),
                  params.idleIdx(),
                  params.newidleIdx()
                })
            .mapToObj(String::valueOf)
            .toList());
  }
}

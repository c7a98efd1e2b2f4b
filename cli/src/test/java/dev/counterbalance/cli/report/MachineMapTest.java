package dev.counterbalance.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.MachineChanges;
import dev.counterbalance.trace.machine.TopologySpec;
import dev.counterbalance.whatif.domain.DomainBuilder;
import dev.counterbalance.whatif.domain.DomainOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures are those of kernel-rules, sections 1.2 to 1.5. */
class MachineMapTest {

  @Test
  void twoSocketsOfHyperThreads() {
    assertThat(map(TopologySpec.parse("2s2c2t"), "2.6.36"))
        .isEqualTo(
            """
            8 CPUs: 2 sockets, 1 NUMA node, 2 LLCs, 4 cores

            socket 0  LLC 0  0+4 1+5
            socket 1  LLC 2  2+6 3+7

            level  CPUs  domains  groups  power  imbalance_pct  interval  busy_factor  nice_tries  flags
            SMT       2        4  2x1     589            110 %  1-2 ms             64           0  SHARE_CPUPOWER SHARE_PKG_RESOURCES
            MC        4        2  2x2     1178           125 %  1-4 ms             64           1  SHARE_PKG_RESOURCES PREFER_SIBLING
            CPU       8        1  2x4     2356           125 %  1-4 ms             64           1  PREFER_SIBLING
            all levels: BALANCE_NEWIDLE BALANCE_EXEC BALANCE_FORK WAKE_AFFINE LOAD_BALANCE

            first domain of each line, its groups from the local one on:
            SMT  0,4      {0} {4}
            MC   0-1,4-5  {0,4} {1,5}
            CPU  0-7      {0-1,4-5} {2-3,6-7}
            """);
  }

  @Test
  void isolatedAndOfflineCpusAreMarked() {
    Machine machine = TopologySpec.parse("1s4l2c");
    machine = MachineChanges.offline(MachineChanges.isolated(machine, "4-7"), "3");
    assertThat(map(machine, "2.6.36"))
        .startsWith(
            """
            8 CPUs, 7 online: 1 socket, 1 NUMA node, 4 LLCs, 8 cores

            socket 0  LLC 0  0 1
                      LLC 2  2 3x
                      LLC 4  4i 5i
                      LLC 6  6i 7i
            isolated: 4-7 (marked i, in no domain)
            offline: 3 (marked x)
            """)
        .endsWith(
            """
            MC   0-1  {0} {1}
            CPU  0-2  {0-1} {2}
            """);
  }

  @Test
  void nodesAndCapacitiesWhereThereAreSome() {
    assertThat(map(TopologySpec.parse("2s1n1c"), "5.10"))
        .contains("socket 0  node 0  LLC 0  0\nsocket 1  node 1  LLC 1  1\n");
    assertThat(map(TopologySpec.parse("2l4c@4x446,4x1024"), "5.10"))
        .contains("LLC 0  0 1 2 3  capacity 446\n", "LLC 4  4 5 6 7  capacity 1024\n")
        .contains("2x4     1784-4096");
  }

  @Test
  void whatRepeatsIsFolded() {
    assertThat(map(TopologySpec.parse("2s4n2l4c2t"), "2.6.36"))
        .contains(
            """
            socket 0  node 0  LLC 0   0+64 1+65 2+66 3+67
            ... 14 more like these, CPUs 4-59,68-123
            socket 1  node 7  LLC 60  60+124 61+125 62+126 63+127
            """)
        .contains("NODE  0-127      {0-7,64-71} {8-15,72-79} ... {56-63,120-127}\n");
    assertThat(map(TopologySpec.parse("2s1n64c2t"), "2.6.36"))
        .contains("LLC 64  64+192 65+193 ... 127+255 (64 cores)\n");
  }

  /** Folded or not, with every second CPU isolated or none. */
  @ParameterizedTest
  @ValueSource(strings = {"256c", "256l1c", "256s1n1c", "2s64l1c2t", "8s4n8c", "128l2c"})
  void largeMachinesHaveShortMaps(String spec) {
    Machine machine = TopologySpec.parse(spec);
    assertThat(map(machine, "5.10").lines().count()).isLessThan(80);
    machine.cpus().forEach(cpu -> cpu.isolated = cpu.cpu % 3 == 0);
    String text = map(machine, "2.6.36");
    assertThat(text.lines().count()).isLessThan(80);
    assertThat(text).doesNotContain(" \n");
  }

  @Test
  void rowsThatDifferAreCutShort() {
    Machine machine = TopologySpec.parse("256l1c");
    machine.cpus().forEach(cpu -> cpu.isolated = cpu.cpu % 2 == 1);
    assertThat(map(machine, "2.6.36"))
        .contains(
            "LLC 39  39i\n... 216 more, CPUs 40-255\nisolated: 1,3,5,7,9,",
            ",... 128 CPUs (marked i, in no domain)\n");
  }

  @Test
  void unknownMachines() {
    Machine machine = Machine.unknown();
    machine.cpu(1);
    assertThat(map(machine, "2.6.36"))
        .startsWith("2 CPUs, topology unknown\n\nsocket ?  LLC ?  0 1\n\nlevel ");
    assertThat(map(TopologySpec.parse("1c"), "2.6.36"))
        .endsWith("\nNo CPU has a domain: nothing is balanced.\n");
  }

  private static String map(Machine machine, String kernel) {
    return MachineMap.render(
        machine,
        DomainBuilder.build(machine, DomainOptions.of(Map.of("domain_params", kernel), Map.of())));
  }
}

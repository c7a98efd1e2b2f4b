package dev.counterbalance.trace.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologySpecTest {

  /** The examples of the design, and what the words in front of the counts say. */
  @ParameterizedTest
  @CsvSource({
    // spec, CPUs, packages, nodes, LLCs, cores
    "1s2l2c, 4, 1, 1, 2, 4",
    "4s4c, 16, 4, 1, 4, 16",
    "4s1n4c, 16, 4, 4, 4, 16",
    "2s4n2l4c2t, 128, 2, 8, 16, 64",
    "2s1n11l2c4t, 176, 2, 2, 22, 44",
    "2l4c, 8, 1, 1, 2, 8",
    "2s2c2t, 8, 2, 1, 2, 4",
    "8c, 8, 1, 1, 1, 8",
    "2t, 2, 1, 1, 1, 1",
    "1n, 1, 1, 1, 1, 1",
    "4096c, 4096, 1, 1, 1, 4096",
  })
  void counts(String spec, int cpus, int packages, int nodes, int llcs, int cores) {
    Machine machine = TopologySpec.parse(spec);
    assertThat(machine.cpus()).hasSize(cpus);
    assertThat(distinct(machine, cpu -> cpu.packageId)).hasSize(packages);
    assertThat(distinct(machine, cpu -> cpu.nodeId)).hasSize(nodes);
    assertThat(distinct(machine, cpu -> cpu.llcId)).hasSize(llcs);
    assertThat(distinct(machine, cpu -> cpu.coreId)).hasSize(cores);
    assertThat(machine.distances()).hasSize(nodes * nodes);
  }

  @Test
  void q6600HasTwoPairs() {
    Machine machine = TopologySpec.parse("1s2l2c");
    assertThat(machine.cpus()).extracting(cpu -> cpu.llcId).containsExactly(0, 0, 2, 2);
    assertThat(machine.cpus()).extracting(cpu -> cpu.coreId).containsExactly(0, 1, 2, 3);
    assertThat(machine.cpus()).extracting(cpu -> cpu.packageId).containsOnly(0);
    assertThat(machine.cpus()).extracting(cpu -> cpu.capacity).containsOnly(-1);
  }

  @Test
  void secondThreadsComeAfterAllFirstOnes() {
    Machine machine = TopologySpec.parse("2s1n2c2t");
    assertThat(machine.cpus())
        .extracting(cpu -> cpu.coreId)
        .containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
    assertThat(machine.cpus())
        .extracting(cpu -> cpu.nodeId)
        .containsExactly(0, 0, 1, 1, 0, 0, 1, 1);
    assertThat(machine.cpus()).extracting(cpu -> cpu.llcId).containsExactly(0, 0, 2, 2, 0, 0, 2, 2);
  }

  @Test
  void capacitiesAreOfCores() {
    assertThat(TopologySpec.parse("2l4c@4x446,4x1024").cpus())
        .extracting(cpu -> cpu.capacity)
        .containsExactly(446, 446, 446, 446, 1024, 1024, 1024, 1024);
    assertThat(TopologySpec.parse("2c2t@1x446,1x1024").cpus())
        .extracting(cpu -> cpu.capacity)
        .containsExactly(446, 1024, 446, 1024);
  }

  @Test
  void nodesOfOneSocketAreNearer() {
    assertThat(TopologySpec.parse("2s2n").distances())
        .contains(
            new Machine.Distance(1, 1, 10),
            new Machine.Distance(0, 1, 12),
            new Machine.Distance(3, 2, 12),
            new Machine.Distance(1, 2, 20));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | character 1: no count at all",
        "@4x1024 | character 1: no count at all",
        "s4c | character 1: 's', expected a count",
        "4s4 | character 4: the count 4 is followed by nothing",
        "4S4c | character 2: 'S' after a count, expected one of s n l c t",
        "2s2s | character 4: 's' for the second time",
        "4c2s | character 4: 's' after 'c', from the inside out",
        "2s0c | character 3: must be >= 1: c=0",
        "4097c | character 1: more than 4096 CPUs",
        "64s65c | character 4: more than 4096 CPUs",
        "99999999999999999999c | character 1: more than 4096 CPUs",
        "2s 4c | character 3: ' ', expected a count",
        "-4c | character 1: '-', expected a count",
        "2c@ | character 4: the end, expected a number of cores",
        "2c@2 | character 5: the end after a number of cores, expected x",
        "2c@2x | character 6: the end, expected a capacity",
        "2c@2x0 | character 6: must be within 1-1024: capacity=0",
        "2c@2x2000 | character 6: must be within 1-1024: capacity=2000",
        "2c@3x1024 | character 4: must be within 1-2, the cores left: cores=3",
        "2c@1x1024 | character 10: capacities for 1 of 2 cores",
        "2c@1x10;1x9 | character 8: ';' after a capacity, expected a comma",
        "2c@1x10, | character 9: the end, expected a number of cores",
      })
  void mistakesNameThePlaceAndAnExample(String spec, String message) {
    assertThatThrownBy(() -> TopologySpec.parse(spec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("topology " + spec + ": ")
        .hasMessageContaining(message)
        .hasMessageContaining("such as ");
  }

  private static List<Integer> distinct(Machine machine, ToIntFunction<Machine.Cpu> id) {
    return machine.cpus().stream().map(id::applyAsInt).distinct().toList();
  }
}

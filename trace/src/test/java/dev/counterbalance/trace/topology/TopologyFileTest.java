package dev.counterbalance.trace.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.trace.machine.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyFileTest {

  @TempDir Path folder;

  @Test
  void readsEverything() throws IOException {
    Machine machine =
        read(
            """
            {"description": "two sockets, core numbers as in sysfs",
             "cpus": [
              {"cpu": 2, "core": 0, "llc": 7, "node": 4, "package": 1, "die": 0, "cluster": 9},
              {"cpu": 0, "core": 0, "llc": 3, "node": 2, "package": 0, "die": 0, "capacity": 446},
              {"cpu": 1, "core": 0, "llc": 3, "node": 2, "package": 0, "online": false,
               "isolated": true}],
             "distances": [[10, 21], [22, 10]]}
            """);
    assertThat(machine.cpus()).extracting(cpu -> cpu.cpu).containsExactly(0, 1, 2);
    assertThat(machine.cpus()).extracting(cpu -> cpu.coreId).containsExactly(0, 0, 2);
    assertThat(machine.cpus()).extracting(cpu -> cpu.dieId).containsExactly(0, -1, 2);
    assertThat(machine.cpus()).extracting(cpu -> cpu.llcId).containsExactly(3, 3, 7);
    assertThat(machine.cpus()).extracting(cpu -> cpu.nodeId).containsExactly(2, 2, 4);
    assertThat(machine.cpus()).extracting(cpu -> cpu.packageId).containsExactly(0, 0, 1);
    assertThat(machine.cpus()).extracting(cpu -> cpu.clusterId).containsExactly(-1, -1, 9);
    assertThat(machine.cpus()).extracting(cpu -> cpu.capacity).containsExactly(446, -1, -1);
    assertThat(machine.cpus()).extracting(cpu -> cpu.online).containsExactly(true, false, true);
    assertThat(machine.cpus()).extracting(cpu -> cpu.isolated).containsExactly(false, true, false);
    assertThat(machine.distances())
        .containsExactly(
            new Machine.Distance(2, 2, 10),
            new Machine.Distance(2, 4, 21),
            new Machine.Distance(4, 2, 22),
            new Machine.Distance(4, 4, 10));
  }

  @Test
  void readsDistancesOneByOne() throws IOException {
    Machine machine =
        read("{'distances': [{'to': 1, 'from': 0, 'distance': 20}], 'cpus': [{'cpu': 0}]}");
    assertThat(machine.distances()).containsExactly(new Machine.Distance(0, 1, 20));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[]|expected an object with cpus",
        "{}|no cpus",
        "{'cpus': []}|no CPU in cpus",
        "{'cpus': [{'cpu': 0}]|no JSON",
        "{'cpus': [{'cpu': 0}]} 1|more after the end of the object",
        "{'cpus': [{'cpu': 0}], 'cpus': [{'cpu': 0}]}|no JSON: Duplicate field 'cpus'",
        "{'cpus': [{'cpu': 0, 'nodes': 1}]}|unknown key 'nodes' of a CPU, expected cpu, core,",
        "{'cpu': []}|unknown key 'cpu', expected description, cpus, distances",
        "{'cpus': [{'core': 0}]}|a CPU without its number",
        "{'cpus': [{'cpu': 1}]}|CPU 0 is missing, expected 'online': false",
        "{'cpus': [{'cpu': 0}, {'cpu': 0}]}|CPU 0 for the second time",
        "{'cpus': [{'cpu': 0, 'online': false}]}|no CPU is online",
        "{'cpus': [{'cpu': 4096}]}|must be a whole number within 0 to 4095: cpu=4096",
        "{'cpus': [{'cpu': 99999999999999999999}]}|within 0 to 4095: cpu=99999999999999999999",
        "{'cpus': [{'cpu': 0.5}]}|must be a whole number within 0 to 4095: cpu=0.5",
        "{'cpus': [{'cpu': '0'}]}|must be a whole number within 0 to 4095: cpu=0",
        "{'cpus': [{'cpu': 0, 'capacity': 0}]}|within 1 to 1024: capacity=0",
        "{'cpus': [{'cpu': 0, 'online': 1}]}|must be true or false: online",
        "{'cpus': [{'cpu': 0, 'core': {}}]}|must be a whole number within -1 to 65535: core={",
        "{'cpus': [{'cpu': 0, 'node': 0}], 'distances': [[10, 20]]}|2 distances in row 1, expected 1",
        "{'cpus': [{'cpu': 0}], 'distances': [[10]]}|1 rows of distances for 0 nodes",
        "{'cpus': [{'cpu': 0}], 'distances': [[9]]}|within 10 to 255: distance=9",
        "{'cpus': [{'cpu': 0}], 'distances': [{'from': 0}]}|without from, to or distance",
        "{'cpus': [{'cpu': 0}], 'distances': [[10], {'from': 0, 'to': 0, 'distance': 10}]}|mixed",
        "{'cpus': [{'cpu': 0, 'core': 1, 'llc': 0}, {'cpu': 1, 'core': 1, 'llc': 1}]}|the CPUs 0"
            + " and 1 are one core and in different LLCs",
      })
  void mistakesNameThePlaceAndWhatIsExpected(String json, String message) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(TopologyFormatException.class)
        .hasMessageMatching("(?s)machine.json: line 1, column \\d+: .*")
        .satisfies(e -> assertThat(e.getMessage().replace('"', '\'')).contains(message));
  }

  @Test
  void deepNestingIsRefused() {
    assertThatThrownBy(() -> read("{'description':" + "[".repeat(100_000)))
        .isInstanceOf(TopologyFormatException.class);
    assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(TopologyFormatException.class);
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    assertThatThrownBy(() -> read("{'a\\u001b[2J': 1}"))
        .hasMessageContaining("unknown key \"a?[2J\"");
  }

  @Test
  void aFileComesBeforeASpec() throws IOException {
    Path file = folder.resolve("4s4c");
    Files.writeString(file, "{\"cpus\": [{\"cpu\": 0}]}");
    assertThat(Topology.read(file.toString()).cpus()).hasSize(1);
    assertThat(Topology.read("4s4c").cpus()).hasSize(16);
    assertThatThrownBy(() -> Topology.read(folder.resolve("none.json").toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("There is no such file, and as a spec: topology ");
    assertThatThrownBy(() -> Topology.read("4x")).hasMessageStartingWith("topology 4x: ");
  }

  @Test
  void aHugeFileIsNotRead() throws IOException {
    Path file = folder.resolve("huge.json");
    Files.write(file, new byte[(16 << 20) + 1]);
    assertThatThrownBy(() -> TopologyFile.read(file))
        .hasMessage("huge.json: larger than 16 MiB, which no topology is.");
  }

  private static Machine read(String json) throws IOException {
    return TopologyFile.read("machine.json", json.replace('\'', '"').getBytes(UTF_8));
  }
}

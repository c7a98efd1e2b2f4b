package dev.counterbalance.trace.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineChangesTest {

  @Test
  void eachChangeIsMadeToACopy() {
    Machine machine = TopologySpec.parse("2c2t");
    Machine offline = MachineChanges.offline(machine, "1,3");
    assertThat(online(offline)).containsExactly(0, 2);
    assertThat(MachineChanges.isolated(machine, "0-1").cpus())
        .extracting(cpu -> cpu.isolated)
        .containsExactly(true, true, false, false);
    assertThat(online(MachineChanges.noSmt(machine))).containsExactly(0, 1);
    assertThat(online(machine)).containsExactly(0, 1, 2, 3);
    assertThat(machine.cpus()).noneMatch(cpu -> cpu.isolated);
  }

  @Test
  void aCopyHasAllThatIsKnown() {
    Machine machine = TopologySpec.parse("2s2n2c@8x446");
    machine.cpu(3).clusterId = 5;
    machine.cpu(3).dieId = 6;
    machine.cpu(3).isolated = true;
    machine.cpu(2).online = false;
    assertThat(machine.copy()).usingRecursiveComparison().isEqualTo(machine);
  }

  @Test
  void theirOrderDoesNotMatter() {
    Machine machine = TopologySpec.parse("2c2t");
    Machine one = MachineChanges.noSmt(MachineChanges.offline(machine, "0"));
    Machine other = MachineChanges.offline(MachineChanges.noSmt(machine), "0");
    assertThat(online(one)).containsExactly(1).isEqualTo(online(other));
  }

  @Test
  void cpusWithUnknownCoresStayWithoutSmt() {
    Machine machine = Machine.unknown();
    machine.cpu(2);
    assertThat(online(MachineChanges.noSmt(machine))).containsExactly(0, 1, 2);
  }

  @Test
  void whatCannotBeIsRefused() {
    Machine machine = TopologySpec.parse("4c");
    assertThatThrownBy(() -> MachineChanges.offline(machine, "0-3"))
        .hasMessage("--offline 0-3: no CPU would be online. Leave one at least.");
    assertThatThrownBy(() -> MachineChanges.isolated(machine, "4"))
        .hasMessage(
            "--isolated: must be ranges within 0-3: cpulist=4. The machine has the CPUs 0-3.");
    assertThatThrownBy(() -> MachineChanges.offline(Machine.unknown(), "0"))
        .hasMessage("--offline: the machine's CPUs are not known.");
    Machine half = MachineChanges.offline(TopologySpec.parse("2t"), "0");
    assertThatThrownBy(() -> MachineChanges.noSmt(half))
        .hasMessage("--nosmt: no CPU would be online. Leave one at least.");
  }

  private static List<Integer> online(Machine machine) {
    return machine.cpus().stream().filter(cpu -> cpu.online).map(cpu -> cpu.cpu).toList();
  }
}

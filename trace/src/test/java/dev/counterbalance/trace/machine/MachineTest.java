package dev.counterbalance.trace.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineTest {

  @Test
  void cpuLists() {
    assertThat(Machine.parseCpuList("0-3,8,10-11", 64)).containsExactly(0, 1, 2, 3, 8, 10, 11);
    assertThat(Machine.parseCpuList("7\n", 64)).containsExactly(7);
    assertThat(Machine.parseCpuList("", 64)).isEmpty();
    assertThat(Machine.parseCpuList("0-63", 64)).hasSize(64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "3-1", "-1", "0-4000000000", "64", "1,,2", "0-63,0-63", "1-2-3"})
  void whatIsNoCpuListIsRefused(String text) {
    assertThatThrownBy(() -> Machine.parseCpuList(text, 64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cpulist=");
  }
}

package dev.counterbalance.whatif.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernel-rules, section 1.5. */
class GroupCapacityTest {

  @ParameterizedTest
  @CsvSource({
    // power, without real-time load, SMT level, tasks
    "589, 589, true, 1",
    "1178, 1178, false, 1",
    "2356, 2356, false, 2",
    "4712, 4712, false, 5",
    "1024, 1024, false, 1",
    "16384, 16384, false, 16",
    // half a CPU rounds up, less is none
    "512, 1024, false, 1",
    "511, 1024, false, 0",
    // a quarter of a core: room for one if 29/32 of it is left
    "294, 294, true, 1",
    "294, 294, false, 0",
    "267, 294, true, 1",
    "266, 294, true, 0",
    "1, 1024, true, 0",
  })
  void tasks(long power, long powerOrig, boolean isSmtLevel, long expected) {
    assertThat(GroupCapacity.tasks(power, powerOrig, isSmtLevel)).isEqualTo(expected);
  }
}

package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeOffsetTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1.5, 1500000000",
    "1.5s, 1500000000",
    "200ms, 200000000",
    "0.25ms, 250000",
    "30us, 30000",
    "30µs, 30000",
    "12ns, 12",
    "0.000000001, 1"
  })
  void readsTimes(String text, long ns) {
    assertThat(TimeOffset.parse(text).ns()).isEqualTo(ns);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "1h", "s", "1 s", "1e3", "1,5", "99999999999999s", "999999999999s"})
  void refusesWhatIsNoTime(String text) {
    assertThatThrownBy(() -> TimeOffset.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}

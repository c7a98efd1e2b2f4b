package dev.counterbalance.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "812, 812 ns",
    "999, 999 ns",
    "1000, 1.00 us",
    "1234, 1.23 us",
    "9994, 9.99 us",
    "9995, 10.0 us",
    "99949, 99.9 us",
    "99950, 100 us",
    "999499, 999 us",
    "999500, 1.00 ms",
    "1230000, 1.23 ms",
    "75000000000, 75.0 s",
    "-1500, -1.50 us"
  })
  void durationHasThreeDigitsAndAUnit(long ns, String text) {
    assertThat(Units.duration((double) ns, false)).isEqualTo(text);
  }

  @Test
  void longDurationsStayInSeconds() {
    assertThat(Units.duration(3.6e12, true)).isEqualTo("3,600 s");
    assertThat(Units.duration(1500, true)).isEqualTo("1.50 µs");
    assertThat(Units.duration(812.25, true)).isEqualTo("812 ns");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.0 %",
    "0.04, <0.1 %",
    "12.345, 12.3 %",
    "99.94, 99.9 %",
    "99.96, >99.9 %",
    "100, 100.0 %"
  })
  void percentNeverRoundsToNothingOrAll(double percent, String text) {
    assertThat(Units.percent(percent)).isEqualTo(text);
  }

  @Test
  void countsAreGrouped() {
    assertThat(Units.count(41203)).isEqualTo("41,203");
    assertThat(Units.counted(1, "task", "tasks")).isEqualTo("1 task");
    assertThat(Units.counted(0, "task", "tasks")).isEqualTo("0 tasks");
  }

  @Test
  void plainNumbersAreExact() {
    assertThat(Units.plain(1e-5)).isEqualTo("0.00001");
    assertThat(Units.plain(1e17)).isEqualTo("100000000000000000");
    assertThat(Units.plain(100.0 / 3)).isEqualTo("33.333333333333336");
    assertThat(Units.plain(Double.NaN)).isEqualTo("NaN");
    assertThat(Units.plain(new BigInteger("170141183460469231731687303715884105727")))
        .isEqualTo("170141183460469231731687303715884105727");
    assertThat(Units.plain(new BigDecimal("1E+3"))).isEqualTo("1000");
  }

  @Test
  void offsetsCountFromTheStart() {
    assertThat(Units.offset(1_234_567_890L)).isEqualTo("1.234568 s");
  }
}

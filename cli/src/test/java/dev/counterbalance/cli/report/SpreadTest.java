package dev.counterbalance.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterbalance.cli.render.Kind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
  /** whatif-method.md 6.2: mean 10.05, std % 2.437303. */
  @Test
  void theSampleStandardDeviationIsTaken() {
    Spread spread = Spread.of(List.of(10.10, 9.80, 10.40, 10.00, 9.90, 10.20, 10.30, 9.70));
    assertThat(spread.mean()).isCloseTo(10.05, within(1e-12));
    assertThat(100 * spread.std() / spread.mean()).isCloseTo(2.437303, within(5e-7));
    assertThat(spread.min()).isEqualTo(9.7);
    assertThat(spread.max()).isEqualTo(10.4);
  }

  @Test
  void aSingleValueHasNoSpread() {
    Spread spread = Spread.of(List.of(18.75));
    assertThat(spread.std()).isNull();
    assertThat(spread.text(Kind.PERCENT, true)).isEqualTo("18.8 %");
    assertThat(Spread.of(List.of(1204.0)).text(Kind.COUNT, true)).isEqualTo("1,204");
  }

  @Test
  void valuesThatAreNotThereAreLeftOut() {
    assertThat(Spread.of(Arrays.asList(null, 3.0)).n()).isEqualTo(1);
    Spread none = Spread.of(Arrays.asList(null, null));
    assertThat(none.text(Kind.DURATION, true)).isNull();
    assertThat(none.range(true)).isNull();
  }

  @Test
  void meanAndSpreadShareAUnit() {
    Spread waits = Spread.of(List.of(3_000_000.0, 5_000_000.0));
    // Squares of 1 ms on both sides over n - 1: the root of 2.
    assertThat(waits.text(Kind.DURATION, true)).isEqualTo("4.00 ± 1.41 ms");
    assertThat(waits.text(Kind.DURATION, false)).isEqualTo("4.00 +- 1.41 ms");
    assertThat(Spread.of(List.of(2000.0, 2000.0)).text(Kind.DURATION, false))
        .isEqualTo("2.00 +- 0.00 us");
    assertThat(Spread.of(List.of(10.0, 20.0)).text(Kind.PERCENT, true)).isEqualTo("15.0 ± 7.1 %");
    assertThat(Spread.of(List.of(10.0, 20.0)).range(false)).isEqualTo("10.0-20.0 %");
    assertThat(Spread.of(List.of(1000.0, 3000.0)).text(Kind.COUNT, true))
        .isEqualTo("2,000 ± 1,414");
  }
}

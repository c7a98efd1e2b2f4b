package dev.counterbalance.trace.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PrevStateTest {

  @Test
  void currentKernels() {
    PrevState modern = PrevState.modern();
    assertThat(modern.text(0)).isEqualTo("R");
    assertThat(modern.text(256)).isEqualTo("R+");
    assertThat(modern.text(1)).isEqualTo("S");
    assertThat(modern.text(2)).isEqualTo("D");
    assertThat(modern.text(32)).isEqualTo("Z");
    assertThat(modern.text(128)).isEqualTo("I");
    assertThat(modern.isRunnable(0)).isTrue();
    assertThat(modern.isRunnable(256)).isTrue();
    assertThat(modern.isRunnable(257)).as("S and preempted: still on the runqueue").isTrue();
    assertThat(modern.text(257)).isEqualTo("S+");
    assertThat(modern.isRunnable(1)).isFalse();
  }

  @Test
  void oldKernelsCombineLetters() {
    PrevState k310 =
        PrevState.of(
            new long[] {1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
            new String[] {"S", "D", "T", "t", "Z", "X", "x", "K", "W", "P"},
            1024);
    assertThat(k310.text(130)).isEqualTo("D|K");
    assertThat(k310.value("D|K")).isEqualTo(130);
    assertThat(k310.text(1024)).isEqualTo("R+");
    assertThat(k310.text(64)).isEqualTo("x");
    assertThat(k310.isRunnable(1024)).isTrue();
    assertThat(k310.isRunnable(256)).isFalse();
  }

  @Test
  void kernelsWithoutAPlusHaveOnlyZeroRunnable() {
    PrevState old = PrevState.of(new long[] {1, 2}, new String[] {"S", "D"}, 0);
    assertThat(old.isRunnable(0)).isTrue();
    assertThat(old.isRunnable(256)).isFalse();
    assertThat(old.text(256)).isEqualTo("R");
  }

  @Test
  void kernelsThatStoreOtherNumbers() {
    PrevState shifted = PrevState.modern().shifted();
    assertThat(shifted.text(1)).isEqualTo("R");
    assertThat(shifted.isRunnable(1)).isTrue();
    assertThat(shifted.text(2)).isEqualTo("S");
    assertThat(shifted.isRunnable(2)).isFalse();
    assertThat(shifted.text(256)).isEqualTo("R+");
    PrevState indexed = PrevState.modern().indexed();
    assertThat(indexed.text(0)).isEqualTo("R");
    assertThat(indexed.text(2)).isEqualTo("D");
    assertThat(indexed.text(6)).isEqualTo("Z");
    assertThat(indexed.text(8)).isEqualTo("I");
    assertThat(indexed.text(256)).isEqualTo("R+");
    assertThat(indexed.text(300 - 256)).as("no such state").isEqualTo("R");
    assertThat(indexed.value("I")).isEqualTo(8);
    for (String state : new String[] {"R", "S", "D", "T", "t", "X", "Z", "P", "R+"}) {
      assertThat(shifted.text(shifted.value(state))).isEqualTo(state);
      assertThat(indexed.text(indexed.value(state))).isEqualTo(state);
    }
  }

  @Test
  void aTextReadsBackAsItsNumber() {
    PrevState modern = PrevState.modern();
    for (long raw : new long[] {0, 1, 2, 4, 8, 16, 32, 64, 128, 256}) {
      assertThat(modern.value(modern.text(raw))).isEqualTo(raw);
    }
    assertThatThrownBy(() -> modern.value("Q")).isInstanceOf(IllegalArgumentException.class);
  }
}

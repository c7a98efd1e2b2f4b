package dev.counterbalance.ingest.tracefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.LeBytes;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels whose stored states are not what their print format reads. */
class PrevStateCheckTest {

  /** Switches between the idle task and task 7, with the states given for each in turn. */
  private static PerfDataBuilder builder(String release, long idleState, long... states) {
    PerfDataBuilder builder =
        new PerfDataBuilder()
            .event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID)
            .feature(4, new LeBytes().headerString(release).toBytes());
    for (int i = 0; i < 20; i++) {
      builder.sample(0, 0, 0, 1000 + 20 * i, EventTexts.switchEvent(0, idleState, 7));
      long state = states[i % states.length];
      builder.sample(0, 0, 7, 1010 + 20 * i, EventTexts.switchEvent(7, state, 0));
    }
    return builder;
  }

  private static List<String> states(TextSink sink) {
    return sink.texts.stream()
        .map(text -> text.replaceAll(".*prev_state=(\\S+) .*", "$1"))
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void statesShiftedByOneAreReadShiftedBack() throws IOException {
    for (String release : List.of("4.15.0-20-generic", "4.18.0", "4.19.2", "4.20-rc1")) {
      TextSink sink = Reading.read(builder(release, 1, 2, 4, 0x100, 0x20).file());
      assertThat(states(sink)).containsExactly("D", "R", "R+", "S", "X");
      assertThat(sink.problemCodes()).containsExactly("prev_state_shifted");
      assertThat(sink.info.prevState.isRunnable(1)).isTrue();
      assertThat(sink.info.prevState.isRunnable(2)).isFalse();
      assertThat(states(Reading.read(builder(release, 1, 2, 4).pipe())))
          .containsExactly("D", "R", "S");
    }
  }

  @Test
  void statesThatAreNumbersAreRead() throws IOException {
    TextSink sink = Reading.read(builder("4.14.62", 0, 1, 2, 5, 0x100).file());
    assertThat(states(sink)).containsExactly("D", "R", "R+", "S", "X");
    assertThat(sink.problemCodes()).containsExactly("prev_state_numbers");
  }

  @Test
  void otherKernelsAreLeftAlone() throws IOException {
    assertThat(Reading.read(builder("4.19.100", 0, 1, 2, 4).file()).problems).isEmpty();
    assertThat(Reading.read(builder("5.4.0", 1, 2, 4).file()).problems).isEmpty();
    assertThat(Reading.read(builder("4.13.0", 1, 2, 4).file()).problems).isEmpty();
    assertThat(Reading.read(builder("4.14.0", 0, 1, 2, 8, 0x80).file()).problems).isEmpty();
    assertThat(Reading.read(builder("4.14.0", 0, 1, 2).file()).problems).isEmpty();
    assertThat(Reading.read(builder("", 1, 2).file()).problems).isEmpty();
  }
}

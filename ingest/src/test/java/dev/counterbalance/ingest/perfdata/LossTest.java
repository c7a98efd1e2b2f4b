package dev.counterbalance.ingest.perfdata;

import static dev.counterbalance.ingest.EventTexts.switchEvent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LossTest {

  private static PerfDataBuilder builder() {
    return new PerfDataBuilder()
        .event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID)
        .idIndex(-1);
  }

  private static List<String> losses(TextSink sink) {
    return sink.others.stream().filter(o -> o.startsWith("loss")).collect(Collectors.toList());
  }

  @Test
  void aLossBeginsAtTheRecordBeforeIt() throws IOException {
    TextSink sink =
        Reading.read(
            builder()
                .sample(0, 0, 7, 1000, switchEvent(7, 1, 0))
                .lost(0, 33, 5000, 12)
                .sample(0, 0, 33, 5000, switchEvent(33, 1, 0))
                .sample(0, 1, 0, 2000, switchEvent(0, 0, 9))
                .lostSamples(0, 0, 12)
                .file());
    assertThat(losses(sink))
        .containsExactly("loss begin 1000 cpu=0", "loss end 5000 cpu=0 lost=12 tid=33 LOST");
    assertThat(sink.lostEvents).isEqualTo(12);
    assertThat(sink.problemCodes()).containsExactly("lost_events");
  }

  @Test
  void aLossBeforeTheFirstEventBeginsWithTheRecording() throws IOException {
    TextSink sink =
        Reading.read(
            builder()
                .lost(0, 33, 5000, 12)
                .sample(0, 0, 33, 5000, switchEvent(33, 1, 0))
                .sample(0, 1, 0, 2000, switchEvent(0, 0, 9))
                .file());
    assertThat(losses(sink))
        .containsExactly("loss begin 2000 cpu=0", "loss end 5000 cpu=0 lost=12 tid=33 LOST");
  }

  @Test
  void lostSamplesBeyondLostAreTheTailOfTheirCpu() throws IOException {
    TextSink sink =
        Reading.read(
            builder()
                .sample(0, 0, 7, 1000, switchEvent(7, 1, 0))
                .sample(0, 1, 0, 2000, switchEvent(0, 0, 9))
                .lostSamples(0, 0, 5)
                .file());
    assertThat(losses(sink))
        .containsExactly("loss begin 1000 cpu=0", "loss end 2000 cpu=0 lost=5 tid=-1 LOST_SAMPLES");
    assertThat(sink.lostEvents).isEqualTo(5);
  }

  @Test
  void lossesAreFoundInSortedFilesToo() throws IOException {
    PerfDataBuilder builder = builder();
    for (int i = 5000; i > 0; i--) {
      builder.sample(0, 1, 7, 1000 + i, switchEvent(7, 0, 8));
    }
    builder.sample(0, 0, 7, 2000, switchEvent(7, 1, 0)).lost(0, 33, 5000, 12).lostSamples(0, 0, 14);
    TextSink sink = Reading.read(builder.file());
    assertThat(losses(sink))
        .containsExactly(
            "loss begin 2000 cpu=0",
            "loss end 5000 cpu=0 lost=12 tid=33 LOST",
            "loss begin 5000 cpu=0",
            "loss end 6000 cpu=0 lost=2 tid=-1 LOST_SAMPLES");
  }
}

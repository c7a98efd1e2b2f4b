package dev.counterbalance.ingest.tracedat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceDatBuilder;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Where events are missing, and how many. */
class LossTest {

  private static TraceDatBuilder steady(TraceDatBuilder b) {
    return b.cpu(
        0,
        b.ring().page(1000).event(0, b.switchEvent(7, 1, 0)).event(5000, b.switchEvent(0, 0, 7)));
  }

  private static List<String> losses(TextSink sink) {
    return sink.others.stream().filter(o -> o.startsWith("loss")).collect(Collectors.toList());
  }

  @Test
  void betweenTwoPages() throws IOException {
    TraceDatBuilder b = steady(TraceDatBuilder.v7("zstd"));
    b.cpu(
        1,
        b.ring()
            .page(1100)
            .event(0, b.switchEvent(7, 1, 8))
            .page(2000, 12)
            .event(5, b.switchEvent(9, 1, 8))
            .page(3000, -1)
            .page(3001)
            .event(5, b.switchEvent(4, 1, 8)));
    TextSink sink = Reading.read(b.file());
    assertThat(losses(sink))
        .containsExactly(
            "loss begin 1100 cpu=1",
            "loss end 2005 cpu=1 lost=12 tid=9 LOST",
            "loss begin 2005 cpu=1",
            "loss end 3006 cpu=1 lost=-1 tid=4 LOST");
    assertThat(sink.lostEvents).isEqualTo(12);
    assertThat(sink.problemCodes()).containsExactly("lost_events");
  }

  @Test
  void overwrittenCpuStartsAtItsFirstEvent() throws IOException {
    TraceDatBuilder b = steady(TraceDatBuilder.v6());
    b.cpu(1, b.ring().page(2000, 30).event(5, b.switchEvent(9, 1, 8)));
    b.cpu(2, b.ring().page(3000).event(5, b.switchEvent(6, 1, 8)));
    b.cpu(3, b.ring().page(4000).event(5, b.switchEvent(5, 1, 8)));
    b.option(2, "CPU: 1\nentries: 0\noverrun: 30\ndropped events: 0\n");
    b.option(2, "CPU: 2\nentries: 0\noverrun: 40\ndropped events: 0\n");
    TextSink sink = Reading.read(b.file());
    assertThat(sink.others)
        .contains(
            "start 1000 cpu=0 tid=7",
            "start 2005 cpu=1 tid=9",
            "start 3005 cpu=2 tid=6",
            "start 1000 cpu=3 tid=5");
    assertThat(losses(sink))
        .containsExactly(
            "loss begin 2005 cpu=1",
            "loss end 2005 cpu=1 lost=30 tid=9 LOST",
            "loss begin 3005 cpu=2",
            "loss end 3005 cpu=2 lost=40 tid=6 LOST");
    assertThat(sink.lostEvents).isEqualTo(70);
  }

  @Test
  void droppedAtTheEnd() throws IOException {
    TraceDatBuilder b = steady(TraceDatBuilder.v7("none"));
    b.cpu(1, b.ring().page(2000).event(5, b.switchEvent(9, 1, 8)));
    b.option(2, "\nBuffer: elsewhere\n\n");
    b.option(2, "CPU: 0\noverrun: 9\ndropped events: 9\n");
    b.option(2, "\nBuffer: \n\n");
    b.option(2, "CPU: 1\noverrun: 0\ndropped events: 25\n");
    TextSink sink = Reading.read(b.file());
    assertThat(losses(sink))
        .containsExactly("loss begin 2005 cpu=1", "loss end 6000 cpu=1 lost=25 tid=-1 CPUSTAT");
    assertThat(sink.lostEvents).isEqualTo(25);
  }

  @Test
  void pagesThatCannotBeRightAreLosses() throws IOException {
    TraceDatBuilder b = steady(TraceDatBuilder.v6());
    b.cpu(
        1,
        b.ring()
            .page(1500)
            .event(5, b.switchEvent(9, 1, 8))
            .page(1L << 60) // later than the next page
            .event(5, b.switchEvent(8, 1, 7))
            .page(2000)
            .event(5, b.switchEvent(7, 1, 6))
            .word(28, 1) // reaches beyond the page
            .page(3000)
            .event(5, b.switchEvent(6, 1, 5)));
    TextSink sink = Reading.read(b.file());
    assertThat(losses(sink))
        .containsExactly(
            "loss begin 1505 cpu=1",
            "loss end 2005 cpu=1 lost=-1 tid=7 LOST",
            "loss begin 2005 cpu=1",
            "loss end 3005 cpu=1 lost=-1 tid=6 LOST");
    assertThat(sink.problemCodes()).contains("bad_page_time", "broken_page", "lost_events");
    assertThat(sink.endNs).isEqualTo(6000);
  }
}

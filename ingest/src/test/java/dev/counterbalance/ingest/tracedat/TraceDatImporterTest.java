package dev.counterbalance.ingest.tracedat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.RingBuilder;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceDatBuilder;
import dev.counterbalance.trace.event.Problem;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceDatImporterTest {
  private static final String[] TWO_CPUS = {
    "1010 0 7 sched:sched_switch: prev_comm=task7 prev_pid=7 prev_prio=120 prev_state=S"
        + " ==> next_comm=task0 next_pid=0 next_prio=120",
    "1015 1 9 sched:sched_waking: comm=woken pid=7 prio=120 target_cpu=001",
    "1020 0 0 sched:sched_stat_runtime: comm=name pid=0 runtime=5 [ns]",
    "300001020 0 0 sched:sched_switch: prev_comm=task0 prev_pid=0 prev_prio=120 prev_state=R"
        + " ==> next_comm=task7 next_pid=7 next_prio=120",
    "400000000 1 9 sched:sched_switch: prev_comm=task9 prev_pid=9 prev_prio=120 prev_state=R+"
        + " ==> next_comm=task8 next_pid=8 next_prio=120",
  };

  private static TraceDatBuilder twoCpus(TraceDatBuilder b) {
    return b.cpu(
            0,
            b.ring()
                .page(1000)
                .event(10, b.switchEvent(7, 1, 0))
                .event(10, b.runtime(0, "name", 5))
                .page(1020)
                .extend(300_000_000)
                .event(0, b.switchEvent(0, 0, 7)))
        .cpu(
            1,
            b.ring()
                .page(1015)
                .event(0, b.waking(9, 7, 1))
                .page(2000)
                .absolute(400_000_000)
                .longEvent(0, b.switchEvent(9, 256, 8)));
  }

  private static Problem problem(TextSink sink, String code) {
    return sink.problems.stream().filter(p -> p.code().equals(code)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "6,none,false,8,4096",
    "6,none,true,8,4096",
    "6,none,false,4,4096",
    "6,none,true,4,8192",
    "7,none,false,8,4096",
    "7,none,true,4,4096",
    "7,zlib,false,8,4096",
    "7,zlib,true,8,65536",
    "7,zstd,false,8,4096",
    "7,zstd,true,8,4096",
    "7,zstd,false,4,16384",
  })
  void readsEveryVariant(
      int version, String compression, boolean bigEndian, int longSize, int pageSize)
      throws IOException {
    TraceDatBuilder builder =
        new TraceDatBuilder(version, compression, bigEndian, longSize, pageSize).schedFormats();
    TextSink sink = Reading.read(twoCpus(builder).file());
    assertThat(sink.texts).containsExactly(TWO_CPUS);
    assertThat(sink.problems).isEmpty();
    assertThat(sink.others)
        .containsExactly("start 1010 cpu=0 tid=7", "start 1010 cpu=1 tid=9", "name -1 -1/7 seven");
    assertThat(sink.eventCount).isEqualTo(5);
    assertThat(sink.lostEvents).isZero();
    assertThat(sink.endNs).isEqualTo(400_000_000);
    assertThat(sink.info.format).isEqualTo("trace.dat v" + version);
    assertThat(sink.info.startNs).isEqualTo(1010);
    assertThat(sink.info.tickDriven).isTrue();
    assertThat(sink.info.events)
        .containsExactly("sched:sched_switch", "sched:sched_waking", "sched:sched_stat_runtime");
  }

  @Test
  void silentCpusAreRecordedToo() throws IOException {
    TextSink sink = Reading.read(twoCpus(TraceDatBuilder.v7("zstd")).cpus(4).file());
    assertThat(sink.others).contains("start 1010 cpu=3 tid=-1 silent");
    assertThat(sink.info.cpusAvailable).isEqualTo(4);
  }

  @Test
  void headerTellsMachineAndRecorder() throws IOException {
    TraceDatBuilder builder =
        twoCpus(TraceDatBuilder.v6())
            .clock("mono")
            .option(5, "Linux box 6.1.0-57-amd64 x86_64")
            .option(9, "3.1.6")
            .option(1, "0x5af3107a4000"); // µs: 1973
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.info.clock).isEqualTo("monotonic");
    assertThat(sink.info.hostname).isEqualTo("box");
    assertThat(sink.info.osRelease).isEqualTo("6.1.0-57-amd64");
    assertThat(sink.info.arch).isEqualTo("x86_64");
    assertThat(sink.info.facts).containsEntry("trace_cmd_version", "3.1.6");
    assertThat(sink.info.wallStartNs).isEqualTo(-1);
    sink = Reading.read(twoCpus(TraceDatBuilder.v6()).option(1, "0x63e7c5ac5c000").file());
    assertThat(sink.info.wallStartNs).isEqualTo(0x63e7c5ac5c000L * 1000 + 1010);
    builder = twoCpus(TraceDatBuilder.v6()).option(1, "0x63e7c5ac5c000").option(7, "500");
    sink = Reading.read(builder.file());
    assertThat(sink.info.wallStartNs).isEqualTo(-1);
    assertThat(sink.info.facts).containsEntry("time_offset_ns", "500");
  }

  @Test
  void cyclesBecomeNs() throws IOException {
    TraceDatBuilder builder = TraceDatBuilder.v7("none").clock("x86-tsc");
    builder.option(14, builder.bytes().u32(1 << 30).u32(31).u64(77).toBytes());
    TextSink sink =
        Reading.read(
            builder
                .cpu(0, builder.ring().page(1000).event(10, builder.switchEvent(7, 1, 0)))
                .file());
    assertThat(sink.info.startNs).isEqualTo(505);
    assertThat(sink.info.clock).isEqualTo("x86-tsc");
  }

  @Test
  void unknownOptionsAndBadFormatsCostOnlyThemselves() throws IOException {
    TraceDatBuilder builder =
        twoCpus(TraceDatBuilder.v7("zlib"))
            .option(777, "from a later version")
            .format("other", "name: nonsense\nformat:\n")
            .format("sched", EventTexts.format("sched_bad", 400, "\tfield:;;;\n", "\"\""));
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).containsExactly(TWO_CPUS);
    assertThat(problem(sink, "unknown_option").text()).contains("777");
    assertThat(problem(sink, "bad_event_format").count()).isEqualTo(1);
  }

  @Test
  void badPrintFormatCostsOnlyTheStates() throws IOException {
    TraceDatBuilder builder =
        new TraceDatBuilder(6, "none", false, 8)
            .format("sched", EventTexts.SWITCH.replace("{ 0x01,", "{ nonsense,"))
            .format("sched", EventTexts.WAKING)
            .format("sched", EventTexts.RUNTIME);
    TextSink sink = Reading.read(twoCpus(builder).file());
    assertThat(sink.texts).hasSize(5);
    assertThat(sink.problemCodes()).containsExactly("bad_print_format");
  }

  @Test
  void onlySwitchesOfTheLargestBufferCount() throws IOException {
    for (TraceDatBuilder b : List.of(TraceDatBuilder.v6(), TraceDatBuilder.v7("zstd"))) {
      twoCpus(b)
          .cpu(
              "copy",
              0,
              b.ring()
                  .page(1000)
                  .event(10, b.switchEvent(7, 1, 0))
                  .event(0, b.bytes().u16(EventTexts.OTHER_ID).zeros(18).toBytes()));
      TextSink sink = Reading.read(b.file());
      assertThat(sink.texts).hasSize(6).contains(TWO_CPUS);
      assertThat(sink.eventCount).isEqualTo(6);
      assertThat(problem(sink, "recorded_twice").count()).isEqualTo(1);
      assertThat(problem(sink, "recorded_twice").text())
          .isEqualTo(
              "the instance copy holds kinds of events that other buffers hold, too:"
                  + " sched_switch (1)");
      assertThat(sink.info.facts).containsEntry("instance", "copy");
    }
  }

  @Test
  void instanceWithAnotherClockIsLeftOut() throws IOException {
    TraceDatBuilder b = TraceDatBuilder.v7("none");
    RingBuilder pages = b.ring().page(1000).event(10, b.switchEvent(7, 1, 0));
    TextSink sink = Reading.read(b.cpu("only", 2, pages).clock("boot").file());
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.info.clock).isEqualTo("boot");
    assertThat(sink.info.facts).containsEntry("instance", "only");
  }
}

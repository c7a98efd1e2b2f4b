package dev.counterbalance.ingest.perfdata;

import static dev.counterbalance.ingest.EventTexts.runtime;
import static dev.counterbalance.ingest.EventTexts.switchEvent;
import static dev.counterbalance.ingest.EventTexts.waking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.LeBytes;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerfDataImporterTest {

  private static PerfDataBuilder builder() {
    return new PerfDataBuilder()
        .event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID)
        .event("sched", EventTexts.WAKING, EventTexts.WAKING_ID)
        .event("sched", EventTexts.RUNTIME, EventTexts.RUNTIME_ID);
  }

  private static PerfDataBuilder twoCpus(PerfDataBuilder builder) {
    return builder
        .sample(0, 0, 7, 1000, switchEvent(7, 1, 0))
        .sample(1, 0, 0, 3000, waking(0, 7, 1, 0))
        .sample(0, 1, 0, 2000, switchEvent(0, 0, 9))
        .sample(2, 1, 9, 2500, runtime(9, "longer name", 500));
  }

  private static final List<String> TWO_CPUS =
      List.of(
          "1000 0 7 sched:sched_switch: prev_comm=task7 prev_pid=7 prev_prio=120 prev_state=S ==>"
              + " next_comm=task0 next_pid=0 next_prio=120",
          "2000 1 0 sched:sched_switch: prev_comm=task0 prev_pid=0 prev_prio=120 prev_state=R ==>"
              + " next_comm=task9 next_pid=9 next_prio=120",
          "2500 1 9 sched:sched_stat_runtime: comm=longer name pid=9 runtime=500 [ns]",
          "3000 0 0 sched:sched_waking: comm=woken pid=7 prio=120 target_cpu=000");

  @ParameterizedTest
  @ValueSource(ints = {0, 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 1000})
  void readsAttrsOfEverySize(int size) throws IOException {
    PerfDataBuilder builder = twoCpus(builder().attrSize(size));
    assertThat(Reading.read(builder.file()).texts).isEqualTo(TWO_CPUS);
    assertThat(Reading.read(builder.pipe()).texts).isEqualTo(TWO_CPUS);
  }

  @Test
  void tellsWhenEachCpuStartsAndWhatRanThere() throws IOException {
    TextSink sink = Reading.read(twoCpus(builder().cpus(3).idIndex(-1)).file());
    assertThat(sink.others)
        .containsExactly(
            "start 1000 cpu=0 tid=7", "start 1000 cpu=1 tid=0", "start 1000 cpu=2 tid=-1 silent");
    assertThat(sink.info.startNs).isEqualTo(1000);
    assertThat(sink.endNs).isEqualTo(3000);
    assertThat(sink.eventCount).isEqualTo(4);
    assertThat(sink.info.tickDriven).isTrue();
    assertThat(sink.problems).isEmpty();
  }

  @Test
  void findsTheEventByIdPositionWithoutIdentifier() throws IOException {
    long type =
        (PerfDataBuilder.USUAL & ~PerfDataBuilder.IDENTIFIER)
            | PerfDataBuilder.ID
            | PerfDataBuilder.STREAM_ID;
    PerfDataBuilder builder = twoCpus(builder().sampleType(type)).comm(0, 7, 2700, "new", true);
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).isEqualTo(TWO_CPUS);
    assertThat(sink.others).contains("name 2700 7/7 new exec");
  }

  @Test
  void findsTheEventByItsRawTypeWithoutAnyId() throws IOException {
    long type = PerfDataBuilder.USUAL & ~PerfDataBuilder.IDENTIFIER;
    assertThat(Reading.read(twoCpus(builder().sampleType(type)).file()).texts).isEqualTo(TWO_CPUS);
  }

  @Test
  void skipsReadValuesAndCallChains() throws IOException {
    long type = PerfDataBuilder.USUAL | PerfDataBuilder.READ | PerfDataBuilder.CALLCHAIN;
    PerfDataBuilder builder = builder().sampleType(type).readFormat(1 | 2 | 4 | 8);
    byte[] group = new LeBytes().u64(2).u64(11).u64(12).u64(1).u64(2).u64(3).u64(4).toBytes();
    byte[] chain = new LeBytes().u64(3).u64(1).u64(2).u64(3).toBytes();
    byte[] between = new LeBytes().bytes(group).bytes(chain).toBytes();
    builder.sampleWithId(builder.id(0, 0), 0, 7, 1000, between, switchEvent(7, 1, 0));
    assertThat(Reading.read(builder.file()).texts).containsExactly(TWO_CPUS.get(0));
  }

  @Test
  void countsCallChainsLongerThanTheRecord() throws IOException {
    long type = PerfDataBuilder.USUAL | PerfDataBuilder.CALLCHAIN;
    PerfDataBuilder builder = builder().sampleType(type);
    byte[] endless = new LeBytes().u64(1L << 61).toBytes();
    byte[] none = new LeBytes().u64(0).toBytes();
    builder
        .sampleWithId(builder.id(0, 0), 0, 7, 900, endless, switchEvent(7, 1, 0))
        .sampleWithId(builder.id(0, 0), 0, 7, 1000, none, switchEvent(7, 1, 0));
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).containsExactly(TWO_CPUS.get(0));
    assertThat(sink.problemCodes()).containsExactly("malformed_event");
    assertThat(sink.eventCount).isEqualTo(2);
  }

  @Test
  void mergesRoundsOfEachCpu() throws IOException {
    PerfDataBuilder builder = builder();
    for (int round = 0; round < 50; round++) {
      for (int cpu = 1; cpu >= 0; cpu--) {
        for (int i = 0; i < 3; i++) {
          builder.sample(0, cpu, 7, 1000 + round * 100 + i * 10 + cpu, switchEvent(7, 0, 8));
        }
      }
      builder.record(68, 0, new byte[0]);
    }
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).hasSize(300);
    assertThat(sink.texts.get(0)).startsWith("1000 0 ");
    assertThat(sink.texts.get(1)).startsWith("1001 1 ");
    assertThat(sink.texts.get(2)).startsWith("1010 0 ");
  }

  @Test
  void breaksTiesByFilePosition() throws IOException {
    TextSink sink =
        Reading.read(
            builder()
                .sample(0, 1, 7, 1000, switchEvent(7, 0, 8))
                .sample(0, 0, 7, 1000, switchEvent(7, 0, 8))
                .sample(0, 1, 8, 1000, switchEvent(8, 0, 7))
                .file());
    assertThat(sink.texts)
        .extracting(text -> text.substring(0, 8))
        .containsExactly("1000 1 7", "1000 0 7", "1000 1 8");
  }

  @Test
  void sortsRingsThatWereWrittenBackward() throws IOException {
    PerfDataBuilder builder = builder().flag(27);
    int count = 5000;
    for (int i = count; i > 0; i--) {
      builder.sample(0, i & 1, i, 1000 + i, switchEvent(i, 0, i + 2));
    }
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).hasSize(count);
    assertThat(sink.others).containsExactly("start 1002 cpu=0 tid=2", "start 1001 cpu=1 tid=1");
  }

  @Test
  void sortsFilesWhereTheCpuChangesWithEveryRecord() throws IOException {
    PerfDataBuilder builder = builder();
    for (int i = 0; i < 10_000; i++) {
      builder.sample(0, i & 1, 7, 1000 + i / 3 * 2 - i % 3, switchEvent(7, 0, 8));
    }
    assertThat(Reading.read(builder.file()).texts).hasSize(10_000);
  }

  @Test
  void deliversTasksBeforeOrWithTheEvents() throws IOException {
    PerfDataBuilder builder = builder().comm(0, 7, 0, "old", false).fork(0, 8, 7, 0);
    twoCpus(builder)
        .fork(0, 20, 7, 3100)
        .comm(0, 20, 3200, "child", true)
        .exit(0, 20, 3300)
        .sample(0, 0, 0, 3400, switchEvent(0, 0, 7));
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.others)
        .containsExactly(
            "start 1000 cpu=0 tid=7",
            "start 1000 cpu=1 tid=0",
            "name -1 7/7 old",
            "fork -1 8/8 of 7/7",
            "fork 3100 20/20 of 7/7",
            "name 3200 20/20 child exec",
            "exit 3300 20/20");
  }

  @Test
  void readsTasksOfRecordingsWithoutTrailers() throws IOException {
    PerfDataBuilder builder = builder().withoutTrailers().comm(0, 7, 2000, "old", false);
    TextSink sink = Reading.read(twoCpus(builder).fork(0, 20, 7, 2600).file());
    assertThat(sink.texts).isEqualTo(TWO_CPUS);
    assertThat(sink.others).contains("name -1 7/7 old", "fork 2600 20/20 of 7/7");
  }

  @Test
  void skipsUnknownRecordsAndSamplesOfOtherEvents() throws IOException {
    PerfDataBuilder builder = builder().hardwareEvent().record(40, 0, new byte[24]);
    builder.record(1000, 0, new byte[8]).sample(3, 0, 7, 1, new byte[12]);
    builder.sampleWithId(9999, 0, 7, 1, new byte[0], new byte[12]);
    builder.record(71, 0, new LeBytes().u64(24).zeros(32).toBytes()).loose(new byte[24]);
    TextSink sink = Reading.read(twoCpus(builder).file());
    assertThat(sink.texts).isEqualTo(TWO_CPUS);
    assertThat(sink.problemCodes())
        .containsExactly("unknown_record_type", "other_samples", "unknown_event_id");
    assertThat(sink.problems.get(0).count()).isEqualTo(2);
  }

  @Test
  void doesNotTakeFailedWakesForWakes() throws IOException {
    PerfDataBuilder builder = twoCpus(builder()).sample(1, 0, 0, 4000, waking(0, 7, 0, 0));
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).isEqualTo(TWO_CPUS);
    assertThat(sink.problemCodes()).containsExactly("wakeup_without_success");
  }

  @Test
  void countsEventsWhoseTypeIsNotTheRecordedOne() throws IOException {
    PerfDataBuilder builder = twoCpus(builder()).sample(0, 0, 0, 4000, new byte[64]);
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).isEqualTo(TWO_CPUS);
    assertThat(sink.problemCodes()).containsExactly("event_type_mismatch");
  }

  @Test
  void deliversEventsWithoutMethodAsJson() throws IOException {
    PerfDataBuilder builder = builder().event("sched", EventTexts.OTHER, EventTexts.OTHER_ID);
    builder.sample(3, 0, 7, 1000, EventTexts.other(7, 1, "a\"b\n"));
    assertThat(Reading.read(builder.file()).texts)
        .containsExactly(
            "1000 0 7 other:sched_wake_idle_without_ipi: {\"cpu\":1,\"note\":\"a\\\"b\\u000a\"}");
  }

  @Test
  void deliversOtherSystemsOnlyOnRequest() throws IOException {
    PerfDataBuilder builder = builder().event("net", EventTexts.OTHER, EventTexts.OTHER_ID);
    twoCpus(builder).sample(3, 0, 7, 3500, EventTexts.other(7, 1, "x"));
    assertThat(Reading.read(builder.file()).texts).isEqualTo(TWO_CPUS);
    assertThat(Reading.read(builder.file(), o -> o.withAllEvents(true)).texts).hasSize(5);
  }

  @Test
  void saysThatATaskRecordingIsPartial() throws IOException {
    TextSink byIndex = Reading.read(twoCpus(builder().idIndex(7)).file());
    TextSink byFlag = Reading.read(twoCpus(builder().flag(12)).file());
    assertThat(byIndex.problemCodes()).containsExactly("per_task_recording");
    assertThat(byFlag.problemCodes()).containsExactly("per_task_recording");
  }

  @Test
  void tellsClockAndWallTime() throws IOException {
    byte[] clockData = new LeBytes().u32(1).u32(1).u64(50_000).u64(400).toBytes();
    PerfDataBuilder builder = builder().clock(1).feature(29, clockData);
    TextSink sink = Reading.read(twoCpus(builder).file());
    assertThat(sink.info.clock).isEqualTo("monotonic");
    assertThat(sink.info.wallStartNs).isEqualTo(50_600);
  }

  @Test
  void readsTheSampleRecording() throws IOException {
    TextSink sink = Reading.read(Reading.sample());
    assertThat(sink.texts).hasSize(687);
    assertThat(sink.info.format).isEqualTo("perf.data (pipe)");
    assertThat(sink.info.machine.cpus()).hasSize(8);
    assertThat(sink.info.osRelease).startsWith("6.1.0");
    assertThat(sink.problems).isEmpty();
  }
}

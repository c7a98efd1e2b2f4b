package dev.counterbalance.ingest.perfdata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Switches from the records that perf record --switch-events writes. */
class SwitchRecordsTest {
  private static final int IN = 0;
  private static final int OUT = 0x2000;
  private static final int OUT_RUNNABLE = 0x6000;

  private static PerfDataBuilder builder() {
    return new PerfDataBuilder().flag(26).hardwareEvent();
  }

  private static String text(long ns, int cpu, int prev, String state, int next) {
    return ns
        + " "
        + cpu
        + " "
        + prev
        + " sched:sched_switch: prev_comm= prev_pid="
        + prev
        + " prev_prio=-2147483648 prev_state="
        + state
        + " ==> next_comm= next_pid="
        + next
        + " next_prio=-2147483648";
  }

  @Test
  void eachPairIsOneSwitch() throws IOException {
    PerfDataBuilder builder = builder().comm(0, 7, 0, "seven", false);
    builder
        .switchCpuWide(0, 0, OUT_RUNNABLE, 7, 1000)
        .switchCpuWide(0, 7, IN, 0, 1001)
        .switchCpuWide(0, 7, OUT_RUNNABLE, 8, 2000)
        .switchCpuWide(0, 8, IN, 7, 2001)
        .switchCpuWide(1, 9, OUT, 0, 1500)
        .switchCpuWide(1, 0, IN, 9, 1501)
        .switchCpuWide(0, -1, OUT, 0, 3000)
        .switchCpuWide(0, 0, IN, -1, 3001);
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts)
        .containsExactly(
            text(1000, 0, 0, "R", 7),
            text(1500, 1, 9, "?", 0),
            text(2000, 0, 7, "R+", 8),
            text(3000, 0, 8, "?", 0));
    assertThat(sink.others).contains("start 1000 cpu=0 tid=0", "start 1000 cpu=1 tid=9");
    assertThat(sink.eventCount).isEqualTo(4);
    assertThat(sink.problemCodes()).containsExactly("switch_records");
    assertThat(sink.info.events).containsExactly("sched_switch");
    assertThat(Reading.read(builder.pipe()).texts).isEqualTo(sink.texts);
  }

  @Test
  void halvesOfPairsStandForTheSwitch() throws IOException {
    PerfDataBuilder builder =
        builder()
            .switchCpuWide(0, 7, IN, 5, 1001)
            .switchCpuWide(0, 7, OUT, 8, 2000)
            .lost(0, 8, 2500, 10)
            .switchCpuWide(0, 9, IN, 8, 3001)
            .switchCpuWide(0, 0, IN, 9, 4001);
    assertThat(Reading.read(builder.file()).texts)
        .containsExactly(
            text(1001, 0, 5, "?", 7),
            text(2000, 0, 7, "?", 8),
            text(3001, 0, 8, "?", 9),
            text(4001, 0, 9, "?", 0));
  }

  @Test
  void switchesOfTasksAreFromAndToIdle() throws IOException {
    PerfDataBuilder builder =
        builder()
            .switchOfTask(0, 7, OUT_RUNNABLE, 1000)
            .switchOfTask(0, 7, IN, 2000)
            .switchOfTask(0, 7, OUT, 3000);
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts)
        .containsExactly(
            text(1000, 0, 7, "R+", 0), text(2000, 0, 0, "R", 7), text(3000, 0, 7, "?", 0));
    assertThat(sink.problemCodes()).containsExactly("switch_records", "per_task_recording");
  }

  @Test
  void childrenHaveTheirParentsName() throws IOException {
    PerfDataBuilder builder = builder().comm(0, 7, 0, "seven", false);
    builder
        .switchCpuWide(0, 0, OUT_RUNNABLE, 7, 1000)
        .fork(0, 20, 7, 1100)
        .fork(0, 21, 20, 1200)
        .fork(0, 22, 99, 1300)
        .switchCpuWide(0, 7, OUT, 20, 2000);
    assertThat(Reading.read(builder.file()).others)
        .contains("name 1100 20/20 seven", "name 1200 21/21 seven")
        .noneMatch(text -> text.contains("22/22 seven"));
  }

  @Test
  void tracepointsWin() throws IOException {
    PerfDataBuilder builder =
        builder()
            .event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID)
            .switchCpuWide(0, 0, OUT_RUNNABLE, 7, 1000)
            .switchCpuWide(0, 7, IN, 0, 1001)
            .sample(1, 0, 7, 1500, EventTexts.switchEvent(7, 1, 0));
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.problems).isEmpty();
  }

  @Test
  void bigEndianAndDamagedOnes() throws IOException {
    PerfDataBuilder builder = new PerfDataBuilder().bigEndian().flag(26).hardwareEvent();
    builder.switchCpuWide(1, 7, OUT, 8, 1000).record(15, OUT, new byte[8]);
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).containsExactly(text(1000, 1, 7, "?", 8));
    assertThat(sink.problemCodes()).containsExactly("malformed_record", "switch_records");
  }
}

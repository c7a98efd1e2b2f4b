package dev.counterbalance.ingest.perfdata;

import static dev.counterbalance.ingest.EventTexts.switchEvent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.LeBytes;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.trace.event.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be saved of recordings that were cut or damaged. */
class SalvageTest {
  private static final String ADVICE =
      "Give a copy of the recorded kernel's /sys/kernel/tracing/events with --formats DIR, or record"
          + " again.";

  @TempDir Path formats;

  @BeforeEach
  void copyFormats() throws IOException {
    write("sched", "sched_switch", EventTexts.SWITCH);
    write("sched", "sched_waking", EventTexts.WAKING);
    Files.writeString(formats.resolve("header_page"), "no format");
    Files.createDirectories(formats.resolve("sched/no_format"));
  }

  private void write(String system, String event, String text) throws IOException {
    Path folder = Files.createDirectories(formats.resolve(system).resolve(event));
    Files.writeString(folder.resolve("format"), text);
  }

  private TextSink readWithFormats(byte[] bytes) throws IOException {
    return Reading.read(bytes, options -> options.withFormats(formats));
  }

  private static PerfDataBuilder builder() {
    return filled(new PerfDataBuilder());
  }

  private static PerfDataBuilder filled(PerfDataBuilder builder) {
    builder.event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID);
    for (int i = 0; i < 10; i++) {
      builder.sample(0, i % 2, 7, 1000 + i, switchEvent(7, 1, 0));
    }
    return builder;
  }

  /** The file as a killed recorder leaves it. */
  private static byte[] killed(PerfDataBuilder builder) {
    int records = builder.records().length;
    byte[] file = builder.withoutFormats().file();
    Arrays.fill(file, 48, 56, (byte) 0);
    // Ids and attrs come before the data, and no features were written.
    int dataEnd = 104 + 16 + 136 + 16 + records;
    return Arrays.copyOf(file, dataEnd);
  }

  @Test
  void aKilledRecordingIsReadWithGivenFormats() throws IOException {
    TextSink sink = readWithFormats(killed(builder()));
    assertThat(sink.texts).hasSize(10);
    assertThat(sink.info.events).containsExactly("sched:sched_switch");
    assertThat(sink.problemCodes()).containsExactly("recorder_killed", "formats_given");
    assertThatThrownBy(() -> Reading.read(killed(builder())))
        .isInstanceOf(TraceFormatException.class)
        .hasMessage(
            "test.data: at offset 0x28: the data size is 0: the recorder was killed before it wrote"
                + " the event formats. "
                + ADVICE);
  }

  @Test
  void soAreKilledCompressedAndBigEndianOnes() throws IOException {
    assertThat(readWithFormats(killed(builder().compress(0, 61, 81))).texts).hasSize(10);
    assertThat(readWithFormats(killed(filled(new PerfDataBuilder().bigEndian()))).problemCodes())
        .as("the given formats are taken to be big-endian, and these events are not")
        .contains("event_type_mismatch");
  }

  @Test
  void aTruncatedFileIsReadWithGivenFormats() throws IOException {
    byte[] file = builder().file();
    byte[] cut = Arrays.copyOf(file, 104 + 16 + 136 + 16 + builder().records().length - 20);
    TextSink sink = readWithFormats(cut);
    assertThat(sink.texts).hasSize(9);
    assertThat(sink.problemCodes()).containsExactly("truncated", "formats_given");
    assertThatThrownBy(() -> Reading.read(cut))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("the file ends within its data")
        .hasMessageEndingWith(ADVICE);
  }

  @Test
  void otherRecordingsThatLackFormatsAreReadWithGivenOnes() throws IOException {
    assertThat(readWithFormats(builder().withoutFormats().file()).problemCodes())
        .containsExactly("formats_given");
    assertThat(readWithFormats(builder().withoutFormats().oldHeader().file()).texts).hasSize(10);
    assertThat(readWithFormats(builder().withoutFormats().pipe()).texts).hasSize(10);
    assertThat(readWithFormats(builder().pipe()).problems).isEmpty();
    assertThatThrownBy(() -> Reading.read(builder().withoutFormats().pipe()))
        .hasMessageContaining("holds no event formats")
        .hasMessageEndingWith(ADVICE);
  }

  @Test
  void aFolderWithoutFormatsIsRefused(@TempDir Path empty) {
    assertThatThrownBy(
            () ->
                Reading.read(
                    builder().withoutFormats().file(), options -> options.withFormats(empty)))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith(
            empty + ": holds no event formats, expected files SYSTEM/EVENT/format");
  }

  private static PerfDataBuilder atUsualTimes() {
    PerfDataBuilder builder =
        new PerfDataBuilder().event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID);
    for (int i = 0; i < 20; i++) {
      builder.sample(0, i % 2, 7, 60_000_000_000L + i, switchEvent(7, 1, 0));
    }
    return builder;
  }

  @Test
  void samplesFarFromTheRecordingAreCountedAndLeftOut() throws IOException {
    PerfDataBuilder builder = atUsualTimes();
    builder.sample(0, 0, 7, 0, switchEvent(7, 1, 0));
    builder.sample(0, 0, 7, 1, switchEvent(7, 1, 0));
    builder.sample(0, 1, 7, 1L << 60, switchEvent(7, 1, 0));
    builder.comm(1, 7, 1L << 61, "late", false);
    builder.comm(1, 7, 5, "early", false);
    byte[] file = builder.file();
    TextSink sink = Reading.read(file);
    assertThat(sink.texts).hasSize(20);
    assertThat(sink.info.startNs).isEqualTo(60_000_000_000L);
    assertThat(sink.info.endNs).isEqualTo(60_000_000_019L);
    assertThat(sink.eventCount).isEqualTo(20);
    assertThat(sink.problemCodes()).containsExactly("malformed_sample", "stray_time");
    assertThat(sink.problems.get(1).count()).isEqualTo(2);
    assertThatThrownBy(() -> Reading.read(file, options -> options.withStrict(true)))
        .isInstanceOf(TraceFormatException.class);
    TextSink pipe = Reading.read(builder.pipe());
    assertThat(pipe.texts).isEqualTo(sink.texts);
    assertThat(pipe.others).isEqualTo(sink.others);
  }

  @Test
  void aRecordingThatReallyTakesLongKeepsItsBeginning() throws IOException {
    PerfDataBuilder builder = new PerfDataBuilder();
    builder.event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID);
    for (int i = 0; i < 20; i++) {
      builder.sample(0, 0, 7, 1_000_000_000L * (i + 1), switchEvent(7, 1, 0));
    }
    for (int i = 0; i < 20; i++) {
      builder.sample(0, 0, 7, 1_000_000_000_000L * (i + 1), switchEvent(7, 1, 0));
    }
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).hasSize(40);
    assertThat(sink.problems).isEmpty();
  }

  @Test
  void zerosThatInjectLeftAreTold() throws IOException {
    PerfDataBuilder builder = builder();
    TextSink sink = Reading.read(builder.sample(0, 0, 7, 1100, new byte[64]).file());
    assertThat(sink.texts).hasSize(10);
    Problem problem = sink.problems.get(0);
    assertThat(problem.code()).isEqualTo("event_type_mismatch");
    assertThat(problem.text()).contains("perf inject -s");
  }

  @Test
  void attrsBehindTheDataAreRead() throws IOException {
    TextSink plain = Reading.read(builder().file());
    assertThat(Reading.read(builder().attrsLast().file()).texts).isEqualTo(plain.texts);
    byte[] big = filled(new PerfDataBuilder().bigEndian()).attrsLast().file();
    assertThat(Reading.read(big).texts).isEqualTo(plain.texts);
    byte[] compressed = builder().compress(0, 100, 81).attrsLast().file();
    assertThat(Reading.read(compressed).texts).isEqualTo(plain.texts);
  }

  /** One damaged sample between good ones; big-endian ones go through another reader first. */
  private static void oneIsMalformed(
      long type, long format, Function<LeBytes, LeBytes> damaged, String code) throws IOException {
    for (boolean big : new boolean[] {false, true}) {
      PerfDataBuilder builder = big ? new PerfDataBuilder().bigEndian() : new PerfDataBuilder();
      builder.sampleType(type).readFormat(format);
      builder.event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID);
      builder.record(9, 0, damaged.apply(new LeBytes(big)).toBytes());
      builder.record(63, 0, new byte[8]).record(200, 0, new byte[8]);
      TextSink sink = readBothWays(builder);
      assertThat(sink.texts).isEmpty();
      assertThat(sink.problemCodes()).contains(code, "unknown_record_type");
    }
  }

  private static TextSink readBothWays(PerfDataBuilder builder) throws IOException {
    TextSink sink = Reading.read(builder.file());
    assertThat(Reading.read(builder.pipe()).problemCodes()).isEqualTo(sink.problemCodes());
    return sink;
  }

  private static LeBytes fixedFields(LeBytes body) {
    return body.u64(100).u64(0).u32(7).u32(7).u64(1000).u32(0).u32(0).u64(1);
  }

  @Test
  void partsLongerThanTheirRecordAreCounted() throws IOException {
    long usual = PerfDataBuilder.USUAL;
    long read = usual | PerfDataBuilder.READ;
    long chain = usual | PerfDataBuilder.CALLCHAIN;
    byte[] raw = switchEvent(7, 1, 0);
    String code = "malformed_event";
    oneIsMalformed(usual, 0, b -> fixedFields(b).u32(68 + 8).bytes(raw).u32(0), code);
    oneIsMalformed(usual, 0, b -> fixedFields(b).u32(-1).bytes(raw).u32(0), code);
    oneIsMalformed(chain, 0, b -> fixedFields(b).u64(1 << 20).u32(68).bytes(raw).u32(0), code);
    oneIsMalformed(chain, 0, b -> fixedFields(b).u64(-1).u32(68).bytes(raw).u32(0), code);
    oneIsMalformed(read, 8 | 4, b -> fixedFields(b).u64(1L << 60).u32(68).bytes(raw), code);
    oneIsMalformed(read, 3 | 4, b -> fixedFields(b).u64(1).u64(2), code);
    LeBytes tooShort = new LeBytes().u64(100).u64(0).u32(7).u32(7).u64(1000);
    assertThat(Reading.read(builder().record(9, 0, tooShort.toBytes()).file()).problemCodes())
        .containsExactly("malformed_sample");
    PerfDataBuilder nothingElse = new PerfDataBuilder();
    nothingElse.event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID);
    nothingElse.record(9, 0, tooShort.toBytes());
    assertThatThrownBy(() -> Reading.read(nothingElse.file()))
        .hasMessage("test.data: holds no event that makes sense. It is damaged; record again.");
  }
}

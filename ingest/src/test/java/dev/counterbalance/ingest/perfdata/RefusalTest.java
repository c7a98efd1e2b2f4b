package dev.counterbalance.ingest.perfdata;

import static dev.counterbalance.ingest.EventTexts.switchEvent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.LeBytes;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be read ends in one sentence that says what it is and what to do. */
class RefusalTest {
  private static final int ROUND = 68;

  private static PerfDataBuilder builder() {
    return empty().record(ROUND, 0, new byte[0]);
  }

  private static PerfDataBuilder empty() {
    return new PerfDataBuilder().event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID);
  }

  private static byte[] good() {
    PerfDataBuilder builder = builder();
    for (int i = 0; i < 10; i++) {
      builder.sample(0, 0, 7, 1000 + i, switchEvent(7, 1, 0));
    }
    return builder.file();
  }

  private static void refused(byte[] bytes, String message) {
    assertThatThrownBy(() -> Reading.read(bytes))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith("test.data: ")
        .hasMessageContaining(message);
  }

  private static byte[] patched(int offset, long value) {
    byte[] bytes = good();
    System.arraycopy(new LeBytes().u64(value).toBytes(), 0, bytes, offset, 8);
    return bytes;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void thingsThatAreNoTrace() {
    refused(new byte[0], "is empty");
    refused(text("\u0089PNG\r\n\u001a\n"), "is a PNG image");
    refused(text("\u001f\u008b\b"), "is compressed with gzip, but damaged (it ends too early)");
    refused(text("hello world"), "no known trace format begins with \"hello world\"");
    refused(new byte[] {1, 2}, "the bytes 01 02");
  }

  @Test
  void otherKindsOfPerfData() {
    refused(text("2ELIFREP and more"), "header: size ");
    refused(text("PERFFILE and more bytes than that"), "of neither byte order");
    refused(text("PERFFILE or"), "ends within its header");
    refused(
        builder().feature(24, new byte[8]).file(),
        "is one of several files that perf record --threads wrote. Give the directory");
    refused(
        builder().feature(129, new byte[8]).file(),
        "was recorded by simpleperf (Android), which is not read yet. Record with perf sched"
            + " record, or with ftrace.");
  }

  @Test
  void recordingsWithoutWhatIsNeeded() {
    refused(
        new PerfDataBuilder().hardwareEvent().record(ROUND, 0, new byte[0]).file(),
        "holds no scheduler events, only cycles");
    refused(
        new PerfDataBuilder().record(ROUND, 0, new byte[0]).file(), "describes no recorded events");
    refused(empty().file(), "the data size is 0");
    refused(builder().file(), "holds no events at all");
    long type = PerfDataBuilder.USUAL;
    refused(
        builder().sampleType(type & ~PerfDataBuilder.TIME).file(),
        "do not tell time. Record with -T");
    refused(builder().sampleType(type & ~PerfDataBuilder.CPU).file(), "do not tell CPU");
    refused(builder().sampleType(type & ~PerfDataBuilder.RAW).file(), "Record with -R");
    refused(builder().feature(1, text("nonsense!!")).file(), "holds no event formats");
  }

  @Test
  void headersThatMakeNoSense() {
    refused(Arrays.copyOf(good(), 12), "the file ends within its header");
    refused(Arrays.copyOf(good(), 90), "the file ends within its header");
    refused(patched(8, 77), "header: size 77");
    refused(patched(16, 3), "event descriptions of 3 bytes each");
    refused(patched(32, Long.MAX_VALUE), "bytes of event descriptions");
    refused(patched(48, 1L << 40), "the file ends within its data");
    refused(Arrays.copyOf(good(), 600), "at offset 0x258: the file ends within its data");
  }

  @Test
  void directoriesAndMissingFiles(@TempDir Path folder) throws IOException {
    try (TraceInput in = Importers.open(folder.toString())) {
      assertThatThrownBy(() -> Importers.load().choose(in))
          .hasMessageContaining(folder + ": is a directory that holds no recording, expected a ");
    }
    assertThatThrownBy(() -> Importers.open(folder.resolve("nothing").toString()))
        .hasMessageContaining("there is no such file");
  }

  @Test
  void aCutPipeIsReadUpToTheCut() throws IOException {
    PerfDataBuilder builder = builder();
    for (int i = 0; i < 10; i++) {
      builder.sample(0, 0, 7, 1000 + i, switchEvent(7, 1, 0));
    }
    byte[] pipe = builder.pipe();
    byte[] cut = Arrays.copyOf(pipe, pipe.length - 20);
    TextSink sink = Reading.read(cut);
    assertThat(sink.texts).hasSize(9);
    assertThat(sink.problemCodes()).containsExactly("truncated");
    assertThatThrownBy(() -> Reading.read(cut, options -> options.withStrict(true)))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("the data ends within a record");
  }

  @Test
  void whatFollowsARecordOfNoSizeIsGivenUp() throws IOException {
    PerfDataBuilder builder = builder().sample(0, 0, 7, 1000, switchEvent(7, 1, 0));
    builder.loose(new byte[16]).sample(0, 0, 7, 2000, switchEvent(7, 1, 0));
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.problemCodes()).contains("bad_record_size");
  }

  @Test
  void aFileCutBehindItsFormatsIsRead() throws IOException {
    byte[] arch = new LeBytes().headerString("x86_64").toBytes();
    PerfDataBuilder builder = builder().sample(0, 0, 7, 1000, switchEvent(7, 1, 0));
    byte[] file = builder.feature(6, arch).file();
    TextSink sink = Reading.read(Arrays.copyOf(file, file.length - 10));
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.problemCodes()).containsExactly("feature_unreadable");
  }
}

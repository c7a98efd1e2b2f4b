package dev.counterbalance.ingest.rawdump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.RingBuilder;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceDatBuilder;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RawDumpImporterTest {
  @TempDir Path directory;

  private static TextSink read(Path path, Path formats) throws IOException {
    TextSink sink = new TextSink(new Names());
    try (TraceInput in = Importers.open(path.toString())) {
      Importers.load().read(in, ImportOptions.of(sink.names).withFormats(formats), sink);
    }
    return sink;
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private static void writeFormats(Path events) throws IOException {
    write(
        events.resolve("sched/sched_switch/format"),
        EventTexts.SWITCH.getBytes(StandardCharsets.UTF_8));
    write(
        events.resolve("sched_waking.format"), EventTexts.WAKING.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] pages(boolean bigEndian, int longSize, int cpu) {
    TraceDatBuilder b = new TraceDatBuilder(6, "none", bigEndian, longSize);
    RingBuilder ring = b.ring();
    ring.page(1000 + cpu).event(1, b.switchEvent(7, 1, 0)).event(2, b.waking(0, 7, cpu));
    return ring.page(2000 + cpu).event(1, b.switchEvent(0, 0, 7)).toBytes();
  }

  @ParameterizedTest
  @CsvSource({"false,8", "false,4", "true,8", "true,4"})
  void readsOneFile(boolean bigEndian, int longSize) throws IOException {
    write(directory.resolve("dump/cpu3"), pages(bigEndian, longSize, 3));
    writeFormats(directory.resolve("formats"));
    TextSink sink = read(directory.resolve("dump/cpu3"), directory.resolve("formats"));
    assertThat(sink.texts).hasSize(3);
    assertThat(sink.texts.get(1))
        .isEqualTo("1006 3 0 sched:sched_waking: comm=woken pid=7 prio=120 target_cpu=003");
    assertThat(sink.others).containsExactly("start 1004 cpu=3 tid=7");
    assertThat(sink.problems).isEmpty();
  }

  @Test
  void readsDirectories() throws IOException {
    for (String name : new String[] {"cpu%d", "per_cpu/cpu%d/trace_pipe_raw", "x.dat.cpu%d"}) {
      Path dump = directory.resolve(name.replaceAll("\\W", "_"));
      write(dump.resolve(String.format(name, 0)), pages(false, 8, 0));
      write(dump.resolve(String.format(name, 11)), pages(false, 8, 11));
      write(dump.resolve(String.format(name, 12)), new byte[0]);
      writeFormats(dump.resolve("events"));
      TextSink sink = read(dump, null);
      assertThat(sink.texts).hasSize(6);
      assertThat(sink.others)
          .containsExactly(
              "start 1001 cpu=0 tid=7",
              "start 1001 cpu=11 tid=7",
              "start 1001 cpu=12 tid=-1 silent");
    }
  }

  @Test
  void saysThatFormatsAreNeeded() throws IOException {
    write(directory.resolve("cpu0"), pages(false, 8, 0));
    assertThatThrownBy(() -> read(directory.resolve("cpu0"), null))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("without the formats of their events")
        .hasMessageContaining("--formats DIR");
    assertThatThrownBy(() -> read(directory.resolve("cpu0"), directory))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("holds no event formats");
  }

  @Test
  void claimsNothingElse() {
    RawDumpImporter importer = new RawDumpImporter();
    Random random = new Random(7);
    for (int round = 0; round < 2000; round++) {
      byte[] bytes = new byte[8192];
      random.nextBytes(bytes);
      if (round % 2 == 0) {
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = random.nextInt(8) > 0 ? 0 : bytes[i];
        }
      }
      assertThat(importer.sniff(new Head(bytes, bytes.length))).isZero();
    }
    assertThat(importer.sniff(new Head(new byte[8192], 8192))).isZero();
    byte[] pages = pages(false, 8, 0);
    assertThat(importer.sniff(new Head(pages, pages.length))).isPositive();
    assertThat(importer.sniff(new Head(pages, pages.length + 1))).isZero();
  }
}

package dev.counterbalance.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.task.Names;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads raw ring-buffer pages of the corpus and compares the counts of an independent reader. */
class GoldenRawDumpTest {
  @TempDir Path directory;

  private static Path dumps() {
    Path folder = GoldenPerfDataTest.corpus().resolve("public/google+schedviz");
    Assumptions.assumeTrue(Files.exists(folder), "not in this corpus: " + folder);
    return folder;
  }

  private static TextSink read(Path path, Path formats) throws IOException {
    TextSink sink = new TextSink(new Names());
    try (TraceInput in = Importers.open(path.toString())) {
      Importers.load().read(in, ImportOptions.of(sink.names).withFormats(formats), sink);
    }
    return sink;
  }

  private static Map<String, Integer> counts(TextSink sink) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String text : sink.texts) {
      String name = text.split(" ", 5)[3];
      counts.merge(name.substring(name.indexOf(':') + 1, name.length() - 1), 1, Integer::sum);
    }
    return counts;
  }

  /** Unpacks the plain files of a tar archive. */
  private void unpack(Path archive) throws IOException {
    try (DataInputStream tar =
        new DataInputStream(
            new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive))))) {
      byte[] header = tar.readNBytes(512);
      while (header.length == 512 && header[0] != 0) {
        String text = new String(header, StandardCharsets.ISO_8859_1);
        String name = text.substring(0, text.indexOf(0));
        int size = Integer.parseInt(text.substring(124, 135).strip(), 8);
        byte[] body = tar.readNBytes((size + 511) / 512 * 512);
        Path target = directory.resolve(name).normalize();
        if (header[156] == '0' && target.startsWith(directory)) {
          Files.createDirectories(target.getParent());
          Files.write(target, java.util.Arrays.copyOf(body, size));
        }
        header = tar.readNBytes(512);
      }
    }
  }

  @Test
  void directoryWithItsFormats() throws IOException {
    unpack(dumps().resolve("test.tar.gz"));
    TextSink sink = read(directory, null);
    assertThat(counts(sink))
        .isEqualTo(Map.of("sched_switch", 15056, "sched_wakeup", 11134, "sched_wakeup_new", 2732));
    assertThat(sink.info.startNs).isEqualTo(87088345677L);
    assertThat(sink.endNs).isEqualTo(89097496232L);
    assertThat(sink.problems).isEmpty();
  }

  @Test
  void oneFileWithFormatsElsewhere() throws IOException {
    unpack(dumps().resolve("test.tar.gz"));
    TextSink sink = read(dumps().resolve("cpu0"), directory.resolve("formats"));
    assertThat(counts(sink)).isEqualTo(Map.of("sched_switch", 779, "sched_wakeup", 587));
    assertThat(sink.info.startNs).isEqualTo(1396206979287L);
    assertThat(sink.endNs).isEqualTo(1398183247250L);
  }

  @Test
  void oneFileOfMachineWith32Bits() throws IOException {
    String fields = EventTexts.field("char comm[16]", 8, 16) + EventTexts.field("pid_t pid", 24, 4);
    for (int id = 221; id <= 223; id++) {
      String name = "sched_unknown" + id;
      Files.writeString(
          directory.resolve(name + ".format"), EventTexts.format(name, id, fields, "\"\""));
    }
    TextSink sink = read(dumps().resolve("cpu0-32"), directory);
    assertThat(counts(sink))
        .isEqualTo(Map.of("sched_unknown221", 39, "sched_unknown223", 23, "sched_unknown222", 1));
    assertThat(sink.info.startNs).isEqualTo(961770160790L);
    assertThat(sink.endNs).isEqualTo(961782067124L);
    assertThat(sink.texts.get(0)).startsWith("961770160790 0 10 other:sched_unknown223: ");
  }
}

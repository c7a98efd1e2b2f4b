package dev.counterbalance.ingest.tracedat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.CountingSink;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.RingBuilder;
import dev.counterbalance.ingest.TraceDatBuilder;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.task.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged input is read as far as it goes or refused, and nothing else happens. */
@Timeout(300)
class TraceDatDamageTest {

  private static long read(byte[] bytes) throws IOException {
    CountingSink sink = new CountingSink();
    try (TraceInput in = TraceInput.ofStream(new ByteArrayInputStream(bytes), "damaged")) {
      ImportOptions options = ImportOptions.of(new Names()).withAllEvents(true);
      new TraceDatImporter().read(in, options, sink);
      assertThat(sink.ended).isTrue();
    } catch (TraceFormatException e) {
      assertThat(e).hasMessageStartingWith("damaged: ");
    }
    return sink.events;
  }

  private static List<byte[]> files() {
    return List.of(
        file(new TraceDatBuilder(6, "none", false, 8, 512)),
        file(new TraceDatBuilder(6, "none", true, 4, 512)),
        file(new TraceDatBuilder(7, "none", false, 8, 512)),
        file(new TraceDatBuilder(7, "zlib", false, 8, 512)),
        file(new TraceDatBuilder(7, "zstd", false, 8, 512)));
  }

  private static byte[] file(TraceDatBuilder b) {
    b.schedFormats().clock("local").option(5, "Linux a b c").option(2, "CPU: 0\noverrun: 7\n");
    for (int cpu = 0; cpu < 3; cpu++) {
      RingBuilder ring = b.ring();
      for (int page = 0; page < 6; page++) {
        ring.page(1000 + 1000 * page + cpu, page == 3 ? 5 : 0)
            .event(5, b.switchEvent(7, 1, 0))
            .padding(1, 8)
            .longEvent(6, b.waking(7, 9, 1))
            .extend(200)
            .event(7, b.runtime(7, "name", 5));
      }
      b.cpu(cpu == 2 ? "more" : "", cpu, ring);
    }
    return b.file();
  }

  @Test
  void truncatedAnywhere() throws IOException {
    for (byte[] file : files()) {
      assertThat(read(file)).isGreaterThan(30);
      for (int length = 0; length < file.length; length += 23) {
        read(Arrays.copyOf(file, length));
      }
    }
  }

  @Test
  void flippedAnywhere() throws IOException {
    long seed = Long.getLong("seed") == null ? 20261207 : Long.getLong("seed");
    Random random = new Random(seed);
    List<byte[]> files = files();
    for (int round = 0; round < 10_000; round++) {
      byte[] bytes = files.get(round % files.size()).clone();
      for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
        int at = random.nextInt(random.nextInt(4) > 0 ? bytes.length : Math.min(300, bytes.length));
        bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ 0x80);
      }
      try {
        read(bytes);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("round " + round + " of seed " + seed, e);
      }
    }
  }
}

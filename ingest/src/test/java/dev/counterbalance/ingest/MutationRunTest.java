package dev.counterbalance.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.counterbalance.trace.task.Names;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A minute of random changes to small files of every format: each is read or refused, in time and
 * within bounded memory. {@code -Dseed=N} repeats a run, {@code -Dfuzz.seconds=N} makes a longer
 * one. The seeds of the Jazzer tests are the files.
 */
class MutationRunTest {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 60);
  private static final long MAX_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long MAX_ALLOCATED = 192L << 20;
  private static final int LARGEST = 64 * 1024;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static List<byte[]> files() throws IOException {
    Path root = Path.of(System.getProperty("repo.root", ".."));
    List<byte[]> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(root.resolve("ingest/src/test/resources"))) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        if (!file.toString().endsWith(".json") && Files.size(file) <= LARGEST) {
          files.add(Files.readAllBytes(file));
        }
      }
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(Arrays.copyOf(Reading.sample(), LARGEST));
    }
    files.add(packed.toByteArray());
    files.add(Reading.sample());
    return files;
  }

  @Test
  @Timeout(900)
  void everythingIsReadOrRefused() throws IOException {
    long seed = Long.getLong("seed") == null ? System.nanoTime() : Long.getLong("seed");
    System.out.println("MutationRunTest: seed " + seed);
    Random random = new Random(seed);
    List<byte[]> files = files();
    assertThat(files).hasSizeGreaterThan(20);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    int rounds = 0;
    int refused = 0;
    while (System.nanoTime() < end) {
      byte[] bytes = changed(files.get(random.nextInt(files.size())), random);
      String where = "seed " + seed + ", round " + rounds++;
      long started = System.nanoTime();
      long allocated = threads.getCurrentThreadAllocatedBytes();
      try (TraceInput in = TraceInput.ofStream(new ByteArrayInputStream(bytes), "changed")) {
        ImportOptions options = ImportOptions.of(new Names()).withAllEvents(true);
        Importers.load().read(in, options, new CountingSink());
      } catch (TraceFormatException e) {
        assertThat(e.getMessage()).as(where).startsWith("changed: ");
        refused++;
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError(where, e);
      }
      assertThat(System.nanoTime() - started).as(where).isLessThan(MAX_NS);
      assertThat(threads.getCurrentThreadAllocatedBytes() - allocated)
          .as(where)
          .isLessThan(MAX_ALLOCATED);
    }
    System.out.println("MutationRunTest: " + rounds + " rounds, " + refused + " refused");
    assertThat(rounds).isGreaterThan(refused).isGreaterThan(100);
  }

  private static byte[] changed(byte[] file, Random random) {
    byte[] bytes = file.clone();
    for (int changes = 1 + random.nextInt(6); changes > 0 && bytes.length > 16; changes--) {
      int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(512, bytes.length));
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> extreme(bytes, at, random);
        case 3 -> bytes = random.nextInt(8) > 0 ? bytes : Arrays.copyOf(bytes, at);
        case 4 -> copyWithin(bytes, at, random);
        default -> bytes = without(bytes, at, 1 + random.nextInt(16));
      }
    }
    return bytes;
  }

  /** A number of 1, 2, 4 or 8 bytes that is very large, negative or zero. */
  private static void extreme(byte[] bytes, int at, Random random) {
    byte fill = (byte) (random.nextBoolean() ? 0xff : 0);
    int end = Math.min(bytes.length, at + (1 << random.nextInt(4)));
    Arrays.fill(bytes, at, end, fill);
    if (random.nextBoolean()) {
      bytes[end - 1] = 0x7f;
    }
  }

  private static void copyWithin(byte[] bytes, int at, Random random) {
    int from = random.nextInt(bytes.length);
    int length = Math.min(1 + random.nextInt(256), bytes.length - Math.max(at, from));
    System.arraycopy(bytes, from, bytes, at, length);
  }

  private static byte[] without(byte[] bytes, int at, int count) {
    int cut = Math.min(count, bytes.length - at);
    byte[] shorter = Arrays.copyOf(bytes, bytes.length - cut);
    System.arraycopy(bytes, at + cut, shorter, at, bytes.length - at - cut);
    return shorter;
  }
}

package dev.counterbalance.ingest.perfdata;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.counterbalance.ingest.CountingSink;
import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.LeBytes;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.task.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged input is read as far as it goes or refused, and nothing else happens. */
@Timeout(300)
class DamageTest {

  private static long read(byte[] bytes) throws IOException {
    CountingSink sink = new CountingSink();
    try (TraceInput in = TraceInput.ofStream(new ByteArrayInputStream(bytes), "damaged")) {
      Importers.load().read(in, ImportOptions.of(new Names()).withAllEvents(true), sink);
      assertThat(sink.ended).isTrue();
    } catch (TraceFormatException e) {
      assertThat(e).hasMessageStartingWith("damaged: ");
    }
    return sink.events;
  }

  private static byte[] file() {
    return filled(new PerfDataBuilder()).file();
  }

  private static PerfDataBuilder filled(PerfDataBuilder empty) {
    PerfDataBuilder builder =
        empty
            .event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID)
            .event("sched", EventTexts.WAKING, EventTexts.WAKING_ID)
            .event("sched", EventTexts.RUNTIME, EventTexts.RUNTIME_ID)
            .event("sched", EventTexts.OTHER, EventTexts.OTHER_ID)
            .idIndex(-1)
            .comm(0, 7, 0, "seven", false);
    for (int i = 0; i < 20; i++) {
      int cpu = i % 2;
      builder
          .sample(0, cpu, 7, 1000 + i * 10, EventTexts.switchEvent(7, 1, 0))
          .sample(1, cpu, 7, 1001 + i * 10, EventTexts.waking(7, 9, 1, 0))
          .sample(2, cpu, 7, 1002 + i * 10, EventTexts.runtime(7, "name", 5))
          .sample(3, cpu, 7, 1003 + i * 10, EventTexts.other(7, 1, "note"))
          .lost(cpu, 7, 1004 + i * 10, 3)
          .fork(cpu, 20 + i, 7, 1005 + i * 10);
    }
    return builder.lostSamples(0, 0, 100);
  }

  @Test
  void truncatedAnywhere() throws IOException {
    byte[] sample = Reading.sample();
    long last = 0;
    for (int i = 0; i <= 100; i++) {
      long events = read(Arrays.copyOf(sample, (int) ((long) sample.length * i / 100)));
      assertThat(events).isGreaterThanOrEqualTo(last);
      last = events;
    }
    assertThat(last).isEqualTo(687);
    byte[] file = file();
    for (int length = 0; length < file.length; length += 37) {
      read(Arrays.copyOf(file, length));
    }
  }

  private static void flip(byte[] bytes, Random random) {
    for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
      int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(2000, bytes.length));
      bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ 0x80);
    }
  }

  @Test
  void flippedAnywhere() throws IOException {
    long seed = Long.getLong("seed") == null ? 20261201 : Long.getLong("seed");
    Random random = new Random(seed);
    byte[] sample = Reading.sample();
    byte[] file = file();
    for (int round = 0; round < 4000; round++) {
      byte[] bytes = (round % 4 == 0 ? sample : file).clone();
      flip(bytes, random);
      try {
        read(bytes);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("round " + round + " of seed " + seed, e);
      }
    }
  }

  /** Inputs that are rewritten before they are read. */
  private static List<byte[]> rewritten() {
    List<byte[]> inputs = new ArrayList<>();
    for (int type : new int[] {81, 83}) {
      inputs.add(filled(new PerfDataBuilder()).compress(0, 300, type).file());
      inputs.add(filled(new PerfDataBuilder()).compress(272, 70, type).pipe());
      inputs.add(filled(new PerfDataBuilder().bigEndian()).compress(0, 300, type).file());
    }
    inputs.add(filled(new PerfDataBuilder().bigEndian()).file());
    inputs.add(filled(new PerfDataBuilder().bigEndian()).pipe());
    return inputs;
  }

  @Test
  void rewrittenInputsTruncatedAnywhere() throws IOException {
    for (byte[] input : rewritten()) {
      assertThat(read(input)).isEqualTo(80);
      for (int length = 0; length < input.length; length += 41) {
        read(Arrays.copyOf(input, length));
      }
    }
  }

  @Test
  void rewrittenInputsFlippedAnywhere() throws IOException {
    long seed = Long.getLong("seed") == null ? 20261207 : Long.getLong("seed");
    Random random = new Random(seed);
    List<byte[]> inputs = rewritten();
    for (int round = 0; round < 3000; round++) {
      byte[] bytes = inputs.get(round % inputs.size()).clone();
      flip(bytes, random);
      try {
        read(bytes);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("round " + round + " of seed " + seed, e);
      }
    }
  }

  @Test
  void directoriesWithDamagedFiles(@TempDir Path folder) throws IOException {
    long seed = Long.getLong("seed") == null ? 20261208 : Long.getLong("seed");
    Random random = new Random(seed);
    byte[] plain = filled(new PerfDataBuilder()).records();
    List<byte[]> good =
        List.of(
            filled(new PerfDataBuilder()).feature(24, new byte[8]).file(),
            filled(new PerfDataBuilder()).compress(0, 300, 81).records(),
            plain);
    for (int round = 0; round < 500; round++) {
      for (int i = 0; i < good.size(); i++) {
        byte[] bytes = good.get(i).clone();
        if (random.nextBoolean()) {
          flip(bytes, random);
        }
        if (random.nextInt(4) == 0) {
          bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        Files.write(folder.resolve(i == 0 ? "data" : "data." + i), bytes);
      }
      CountingSink sink = new CountingSink();
      try (TraceInput in = TraceInput.ofFile(folder)) {
        Importers.load().byName("perf.data").read(in, ImportOptions.of(new Names()), sink);
        assertThat(sink.ended).isTrue();
      } catch (TraceFormatException e) {
        assertThat(e).hasMessageStartingWith(folder + "/data");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("round " + round + " of seed " + seed, e);
      }
    }
  }

  @Test
  void whatInflatesALotTakesNoMemory() throws IOException {
    int records = 2000;
    byte[] round = new LeBytes().u32(68).u16(0).u16(65528).zeros(65520).toBytes();
    LeBytes many = new LeBytes();
    for (int i = 0; i < records; i++) {
      many.bytes(round);
    }
    PerfDataBuilder builder = new PerfDataBuilder();
    builder.event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID);
    builder.sample(0, 0, 7, 1000, EventTexts.switchEvent(7, 1, 0));
    byte[] bomb = builder.compressed(many.toBytes(), 81).file();
    assertThat(bomb.length).isLessThan(100_000);
    read(bomb);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(read(bomb)).isEqualTo(1);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16L << 20);
  }
}

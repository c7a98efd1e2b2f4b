package dev.counterbalance.ingest.perfdata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.CountingSink;
import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.task.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
    PerfDataBuilder builder =
        new PerfDataBuilder()
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
    return builder.lostSamples(0, 0, 100).file();
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

  @Test
  void flippedAnywhere() throws IOException {
    long seed = Long.getLong("seed") == null ? 20261201 : Long.getLong("seed");
    Random random = new Random(seed);
    byte[] sample = Reading.sample();
    byte[] file = file();
    for (int round = 0; round < 4000; round++) {
      byte[] bytes = (round % 4 == 0 ? sample : file).clone();
      for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
        int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(2000, bytes.length));
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

package dev.counterbalance.whatif.rtapp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Damaged files are refused with our exception, or read as something that is a workload. */
class RtAppFuzzTest {
  private static final String ALL_EVENTS =
      """
      { "tasks" : {
          "a" : { "instance" : 3, "priority" : -5, "cpus" : [0, 1], "delay" : 7, "loop" : 2,
                  "phases" : {
                    "one" : { "loop" : 3, "cpus" : [1], "run0" : 5, "runtime" : 6, "sleep" : 7,
                        "timer" : { "ref" : "unique", "period" : 9, "mode" : "absolute" } },
                    "two" : { "lock" : "m", "wait" : { "ref" : "c", "mutex" : "m" },
                        "unlock" : "m", "barrier" : "B", "suspend" : "s", "yield" : "" } },
                  "counterbalance" : { "start_cpu" : [0, 1, 1] } },
          "b" : { "policy" : "SCHED_FIFO", "priority" : 5, "loop" : 9, "signal" : "c",
                  "broad" : "c", "sync" : { "ref" : "c", "mutex" : "m" }, "resume" : "s",
                  "barrier" : "B", "fork" : "d", "sem_post" : "p" },
          "d" : { "instance" : 0, "loop" : 1, "sem_wait" : "p" } },
        "global" : { "duration" : 3, "default_policy" : "SCHED_OTHER" },
        "counterbalance" : { "name" : "n", "actions" : [
            { "at" : 5, "task" : "a", "cpus" : "all" }, { "at" : 6, "cpu_off" : 1 } ] } }
      """;

  private static final String[] TOKENS = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "null",
    "true",
    "-1",
    "0",
    "99",
    "1e9",
    "\"\"",
    "/*",
    "//",
    "\"run\":1",
    "\"loop\":3",
    "\"cpus\":[9]",
    "\"fork\":\"a\"",
    "\u0000",
    "\\u",
    "9999999999999"
  };

  private static List<byte[]> seeds() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    seeds.add(ALL_EVENTS.getBytes(StandardCharsets.UTF_8));
    try (Stream<Path> files = Files.list(SampleWorkloadsTest.FOLDER)) {
      for (Path file : files.sorted().toList()) {
        seeds.add(Files.readAllBytes(file));
      }
    }
    return seeds;
  }

  private static byte[] mutate(byte[] seed, Random random) {
    byte[] bytes = seed.clone();
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes = splice(bytes, at, Math.min(bytes.length, at + random.nextInt(9)), "");
        case 2 -> bytes = splice(bytes, at, at, TOKENS[random.nextInt(TOKENS.length)]);
        case 3 -> {
          int end = Math.min(bytes.length, at + random.nextInt(40));
          bytes =
              splice(bytes, at, at, new String(bytes, at, end - at, StandardCharsets.ISO_8859_1));
        }
        default -> bytes = splice(bytes, at, bytes.length, "");
      }
      if (bytes.length == 0) {
        return bytes;
      }
    }
    return bytes;
  }

  private static byte[] splice(byte[] bytes, int from, int to, String middle) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return (text.substring(0, from) + middle + text.substring(to))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void onlyOurExceptionComesOut() throws IOException {
    long seed = Long.getLong("seed", 1L);
    Random random = new Random(seed);
    List<byte[]> seeds = seeds();
    int refused = 0;
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = mutate(seeds.get(i % seeds.size()), random);
      try {
        Workload workload = RtApp.read("fuzz.json", bytes, 16);
        assertThat(workload.minCpus()).isLessThanOrEqualTo(16);
        read++;
      } catch (WorkloadException e) {
        assertThat(e.getMessage()).startsWith("fuzz.json:");
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError(
            "seed " + seed + ", case " + i + ": " + new String(bytes, StandardCharsets.UTF_8), e);
      }
    }
    assertThat(refused).isGreaterThan(1000);
    assertThat(read).isGreaterThan(1000);
  }
}

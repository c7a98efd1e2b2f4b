package dev.counterbalance.ingest.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.CountingSink;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.task.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged texts are read as far as they go or refused, and nothing else happens. */
@Timeout(300)
class TextDamageTest {
  private static final List<String> FILES =
      List.of(
          "01-idle-slot/in.txt",
          "03-lost-events/in.txt",
          "04-comm-spaces/perfscript.txt",
          "06-old-shapes/a-trace-cmd-plugin.txt",
          "06-old-shapes/b-2.6.31.txt",
          "06-old-shapes/c-2.6.3x-sched_switch-tracer.txt",
          "06-old-shapes/d-perf-script-short.txt",
          "08-flag-columns/in.txt",
          "09-prev-state/raw.txt",
          "14-pid-reuse/in.txt",
          "16-sparse-cpus/trace-cmd.txt");

  private static long read(byte[] bytes, int round) throws IOException {
    CountingSink sink = new CountingSink();
    try (TraceInput in = TraceInput.ofStream(new ByteArrayInputStream(bytes), "damaged")) {
      ImportOptions options = ImportOptions.of(new Names()).withAllEvents(round % 2 == 0);
      if (round % 3 == 0) {
        Importers.load().byName("perf-script").read(in, options, sink);
      } else {
        Importers.load().read(in, options, sink);
      }
      assertThat(sink.ended).isTrue();
    } catch (TraceFormatException e) {
      assertThat(e).hasMessageStartingWith("damaged: ");
    }
    return sink.events;
  }

  private static byte[] file(int i) {
    return BugCasesTest.file(FILES.get(i % FILES.size())).getBytes(StandardCharsets.UTF_8);
  }

  private static long seed() {
    return Long.getLong("seed") == null ? 20261207 : Long.getLong("seed");
  }

  @Test
  void truncatedAnywhere() throws IOException {
    for (int i = 0; i < FILES.size(); i++) {
      byte[] bytes = file(i);
      for (int length = 0; length < bytes.length; length += 13) {
        read(Arrays.copyOf(bytes, length), length);
      }
    }
  }

  @Test
  void flippedAnywhere() throws IOException {
    Random random = new Random(seed());
    byte[] odd = "[]()-: \t\n\r=>+/|0918\u0000".getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 8000; round++) {
      byte[] bytes = file(round);
      for (int flips = 1 + random.nextInt(20); flips > 0; flips--) {
        int at = random.nextInt(bytes.length);
        bytes[at] =
            switch (random.nextInt(3)) {
              case 0 -> (byte) random.nextInt(256);
              case 1 -> odd[random.nextInt(odd.length)];
              default -> bytes[random.nextInt(bytes.length)];
            };
      }
      try {
        read(bytes, round);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("round " + round + " of seed " + seed(), e);
      }
    }
  }

  @Test
  void linesShuffledDoubledAndMixed() throws IOException {
    Random random = new Random(seed());
    for (int round = 0; round < 1000; round++) {
      List<String> lines = new ArrayList<>();
      for (int files = 1 + random.nextInt(3); files > 0; files--) {
        String text = BugCasesTest.file(FILES.get(random.nextInt(FILES.size())));
        lines.addAll(Arrays.asList(text.split("\n", -1)));
      }
      Collections.shuffle(lines, random);
      lines.addAll(lines.subList(0, random.nextInt(lines.size())));
      byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
      try {
        read(bytes, round);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("round " + round + " of seed " + seed(), e);
      }
    }
  }

  @Test
  void keysRepeatedManyTimes() throws IOException {
    String front = "a-1 [000] 1.000000: ";
    for (String part :
        List.of(" next_comm=", " ==> ", " child_comm=", " pid=", "[1] ", "a=1 ", "x:1 [2] ")) {
      for (String event :
          List.of("sched_switch", "sched_process_fork", "sched_wakeup", "sched_x")) {
        String many = part.repeat(Lines.MAX_LINE / part.length() - 20);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5; i++) {
          text.append(front).append(event).append(": prev_comm=").append(many).append('\n');
          text.append(front).append(event).append(": ").append(many).append('\n');
        }
        assertThat(read(text.toString().getBytes(StandardCharsets.UTF_8), 1)).isPositive();
      }
    }
  }
}

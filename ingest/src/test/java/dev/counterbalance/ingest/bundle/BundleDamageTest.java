package dev.counterbalance.ingest.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A damaged bundle is read as far as it goes or refused, and nothing else happens. */
@Timeout(300)
class BundleDamageTest {
  private static final int ROUNDS = 1500;

  @TempDir Path folder;

  private static byte[] damaged(byte[] bytes, Random random) {
    if (random.nextInt(3) == 0) {
      return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    }
    byte[] changed = bytes.clone();
    for (int flips = 1 + random.nextInt(6); flips > 0; flips--) {
      changed[random.nextInt(changed.length)] =
          (byte)
              (random.nextBoolean()
                  ? random.nextInt(256)
                  : "\t\n\\-,09 \"{}[]:x".charAt(random.nextInt(15)));
    }
    return changed;
  }

  @Test
  void cutsAndFlipsAnywhere() throws IOException {
    long seed = Long.getLong("seed") == null ? 20261210 : Long.getLong("seed");
    Random random = new Random(seed);
    MadeUpBundle bundle = new MadeUpBundle();
    List<String> names = new ArrayList<>(bundle.files.keySet());
    int imported = 0;
    int refused = 0;
    int withProblems = 0;
    bundle.write(folder);
    List<String> touched = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (String name : touched) {
        Files.write(folder.resolve(name), bundle.files.get(name));
      }
      touched.clear();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        String name = names.get(random.nextInt(names.size()));
        Files.write(folder.resolve(name), damaged(bundle.files.get(name), random));
        touched.add(name);
      }
      try {
        MadeUpBundle.Sink sink = MadeUpBundle.read(folder, false);
        assertThat(sink.ended).isTrue();
        imported++;
        withProblems += sink.sidecar.problems.isEmpty() ? 0 : 1;
      } catch (TraceFormatException e) {
        assertThat(e).hasMessageStartingWith(folder.toString());
        refused++;
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError("round " + round + " of seed " + seed, e);
      }
    }
    assertThat(imported).isGreaterThan(ROUNDS / 2);
    assertThat(withProblems).isGreaterThan(ROUNDS / 3);
    assertThat(refused).isPositive();
  }

  /** Whatever happens to the facts, the recording is there. */
  @Test
  void damagedFactsNeverStopTheRecording() throws IOException {
    long seed = Long.getLong("seed") == null ? 20261211 : Long.getLong("seed");
    Random random = new Random(seed);
    MadeUpBundle bundle = new MadeUpBundle();
    List<String> names = new ArrayList<>(bundle.files.keySet());
    names.removeAll(List.of("perf.data", "bundle.json"));
    for (int round = 0; round < ROUNDS / 5; round++) {
      Files.write(folder.resolve("perf.data"), bundle.files.get("perf.data"));
      Files.write(folder.resolve("bundle.json"), bundle.files.get("bundle.json"));
      for (String name : names) {
        if (random.nextInt(8) == 0) {
          Files.deleteIfExists(folder.resolve(name));
        } else {
          Files.write(folder.resolve(name), damaged(bundle.files.get(name), random));
        }
      }
      assertThat(MadeUpBundle.read(folder, false).events).as("seed " + seed).isEqualTo(2);
    }
  }
}

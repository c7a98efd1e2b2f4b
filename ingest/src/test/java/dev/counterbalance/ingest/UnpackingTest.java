package dev.counterbalance.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Recordings that were compressed as a whole. */
class UnpackingTest {
  private static byte[] pack(String tool, byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = packer(tool, packed)) {
      for (int at = 0; at < content.length; at += 16_384) {
        out.write(content, at, Math.min(16_384, content.length - at));
        out.flush();
      }
    }
    return packed.toByteArray();
  }

  private static OutputStream packer(String tool, OutputStream out) throws IOException {
    return switch (tool) {
      case "gzip" -> new GZIPOutputStream(out);
      case "zstd" -> new ZstdOutputStream(out);
      default -> new XZOutputStream(out, new LZMA2Options(3));
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd", "xz"})
  void givesTheEventsOfTheContent(String tool) throws IOException {
    byte[] plain = Reading.sample();
    assertThat(Reading.read(pack(tool, plain)).texts).isEqualTo(Reading.read(plain).texts);
  }

  @Test
  void unpacksFilesAndWhatIsPackedTwice(@TempDir Path folder) throws IOException {
    byte[] twice = pack("gzip", pack("xz", Reading.sample()));
    Path file = Files.write(folder.resolve("perf.data"), twice);
    try (TraceInput in = TraceInput.ofFile(file)) {
      assertThat(in.wrappers()).containsExactly("gzip", "xz");
      assertThat(in.size()).isEqualTo(Reading.sample().length);
    }
    byte[] fourTimes = pack("gzip", pack("gzip", twice));
    assertThatThrownBy(() -> Reading.read(fourTimes))
        .hasMessageContaining("is compressed with xz within 3 others");
  }

  @Test
  void readsSeveralMembersOfOneFile() throws IOException {
    byte[] plain = Reading.sample();
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(pack("gzip", Arrays.copyOf(plain, 70_000)));
    both.write(pack("gzip", Arrays.copyOfRange(plain, 70_000, plain.length)));
    assertThat(Reading.read(both.toByteArray()).texts).isEqualTo(Reading.read(plain).texts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd", "xz"})
  void whatIsCutIsReadUpToTheCut(String tool) throws IOException {
    byte[] packed = pack(tool, Reading.sample());
    byte[] cut = Arrays.copyOf(packed, packed.length - 20);
    assertThat(Reading.read(cut).problems)
        .anyMatch(
            p ->
                p.code().equals("wrapper_damaged")
                    && p.text().startsWith("the file is " + tool + " data that is cut"));
    assertThatThrownBy(() -> Reading.read(cut, options -> options.withStrict(true)))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining(tool + " data that is cut");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd", "xz"})
  void anyDamageIsReadOrRefused(String tool) throws IOException {
    long seed = Long.getLong("seed", 0) == 0 ? System.nanoTime() : Long.getLong("seed");
    Random random = new Random(seed);
    byte[] packed = pack(tool, Reading.sample());
    for (int round = 0; round < 60; round++) {
      byte[] bad = packed.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      bad = Arrays.copyOf(bad, 1 + random.nextInt(bad.length));
      try {
        Reading.read(bad);
      } catch (TraceFormatException e) {
        assertThat(e.getMessage()).as("seed " + seed).isNotEmpty();
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
  }

  @Test
  void anEmptyContentIsSaid() throws IOException {
    for (String tool : List.of("gzip", "zstd", "xz")) {
      assertThatThrownBy(() -> Reading.read(pack(tool, new byte[0])))
          .hasMessageContaining("is empty");
    }
  }
}

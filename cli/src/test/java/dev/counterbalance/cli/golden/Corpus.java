package dev.counterbalance.cli.golden;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Finds the recordings that tests compare with: the shipped ones, and those of {@code -Dcorpus}.
 */
final class Corpus {
  private Corpus() {}

  /** The samples that every clone has. */
  static Path samples() {
    return Path.of(System.getProperty("repo.root", "..")).resolve("sample-traces");
  }

  /**
   * Tests over the kernel recordings of the large corpus; where there is none, one test that is
   * skipped and says so.
   */
  static Stream<DynamicTest> large(Tests tests) throws IOException {
    String folder = System.getProperty("corpus", "");
    if (folder.isEmpty()) {
      return Stream.of(
          DynamicTest.dynamicTest(
              "large corpus",
              () -> assumeTrue(false, "skipped: give the large recordings with -Dcorpus=DIR")));
    }
    return tests.over(Path.of(folder).resolve("kernels"));
  }

  /** Makes the tests over the recordings of a folder. */
  interface Tests {
    Stream<DynamicTest> over(Path folder) throws IOException;
  }

  /** Files below a folder that have perf's own answer beside them, in order. */
  static List<Path> recordings(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> Files.exists(scriptOf(file))).sorted().toList();
    }
  }

  /** perf script's output for a recording. */
  static Path scriptOf(Path recording) {
    return recording
        .resolveSibling(recording.getFileName() + ".expected")
        .resolve("perf-script-ns.txt.gz");
  }

  static InputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
  }
}

package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.counterbalance.trace.store.TraceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that are there but cannot be opened. */
class LockedStoreTest {
  @TempDir private Path folder;

  /** Opens a store for writing, says so, and holds it until its input ends. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws IOException {
      try (TraceStore store = TraceStore.openReadWrite(Path.of(args[0]))) {
        System.out.println(store.traces().size());
        while (System.in.read() >= 0) {
          // Wait for the end.
        }
      }
    }
  }

  @Test
  void aStoreInUseIsSaidToBe() throws Exception {
    Path file = SampleStore.create(folder.resolve("perf.duckdb"), "perf", "hog", "late");
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(holder.getInputStream().read()).isEqualTo('1');
      assertThat(run("trace-sql", file.toString(), "SELECT 1"))
          .isEqualTo(
              List.of(
                  "1",
                  "trace-sql: "
                      + file
                      + ": is in use by another process. Wait until it ends, or work on a copy of"
                      + " the file."));
    } finally {
      holder.getOutputStream().close();
      holder.waitFor();
    }
    assertThat(run("trace-sql", file.toString(), "SELECT 1").get(0)).isEqualTo("0");
  }

  @Test
  void withoutPermissionItSaysSo() throws Exception {
    Path file = SampleStore.create(folder.resolve("perf.duckdb"), "perf", "hog", "late");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(file), "root may read everything");
    assertThat(run("trace-report", file.toString()))
        .isEqualTo(
            List.of("1", "trace-report: " + file + ": cannot be read. Check its permissions."));
  }

  private static List<String> run(String... arguments) {
    InProcess command = InProcess.run(arguments);
    return List.of(String.valueOf(command.exitCode()), command.err().strip());
  }
}

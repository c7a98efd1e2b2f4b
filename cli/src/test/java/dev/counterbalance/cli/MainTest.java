package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program does when its own surroundings fail. */
@SuppressWarnings("InputStreamSlowMultibyteRead")
class MainTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(InputStream in, String failure, String... arguments) {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            if (failure != null) {
              throw new IOException(failure);
            }
          }
        };
    Console console =
        new Console(
            in,
            new PrintStream(
                new WatchedStream(broken, "standard output"), false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false,
            false,
            false,
            true);
    return Main.run(console, arguments);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aFullDiskIsNotSilent() {
    int exitCode = run(InputStream.nullInputStream(), "No space left on device", "--version");
    assertThat(exitCode).isEqualTo(Main.EXIT_DATA);
    assertThat(said())
        .isEqualTo(
            "counterbalance: standard output: No space left on device. The output is"
                + " incomplete.\n");
  }

  @Test
  void aReaderThatHasSeenEnoughIsNoError() {
    int exitCode = run(InputStream.nullInputStream(), "Broken pipe", "--version");
    assertThat(exitCode).isEqualTo(Main.EXIT_OK);
    assertThat(said()).isEmpty();
  }

  @Test
  void aBugSaysHowToReportIt() {
    InputStream bug =
        new InputStream() {
          @Override
          public int read() {
            return read(new byte[1], 0, 1);
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            throw new IllegalStateException("the cat sat on the keyboard");
          }
        };
    assertThat(run(bug, null, "trace-sql", "x.duckdb")).isEqualTo(Main.EXIT_BUG);
    assertThat(said())
        .isEqualTo(
            "trace-sql: IllegalStateException: the cat sat on the keyboard. This is a bug in"
                + " Counterbalance; please report it with the output of the same command and"
                + " --debug.\n");
  }

  @Test
  void aStackTraceIsShownOnRequest() {
    assertThat(
            run(InputStream.nullInputStream(), null, "trace-sql", "x.duckdb", "FROM t", "--debug"))
        .isEqualTo(Main.EXIT_DATA);
    assertThat(said()).contains("x.duckdb: no such store").contains("\tat dev.counterbalance");
  }

  @Test
  void tooLittleMemoryIsNoBug() {
    InputStream hungry =
        new InputStream() {
          @Override
          public int read() {
            return read(new byte[1], 0, 1);
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    assertThat(run(hungry, null, "trace-sql", "x.duckdb")).isEqualTo(Main.EXIT_DATA);
    assertThat(said()).startsWith("counterbalance: there is not enough memory for this.");
  }

  @Test
  void aFailedOutputOfACommandIsSaidOnce() {
    Path store = SampleStore.create(folder.resolve("perf.duckdb"), "perf", "hog", "late");
    int exitCode =
        run(
            InputStream.nullInputStream(),
            "No space left on device",
            "trace-report",
            store.toString());
    assertThat(exitCode).isEqualTo(Main.EXIT_DATA);
    assertThat(said())
        .isEqualTo(
            "counterbalance: standard output: No space left on device. The output is"
                + " incomplete.\n");
    err.reset();
    assertThat(run(InputStream.nullInputStream(), "Broken pipe", "trace-store", store.toString()))
        .isEqualTo(Main.EXIT_OK);
    assertThat(said()).isEmpty();
  }
}

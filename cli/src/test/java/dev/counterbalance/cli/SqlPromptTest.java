package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.store.TraceStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session at the prompt, with keys from a byte array. */
class SqlPromptTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private void session(String keys) throws Exception {
    Path file = folder.resolve("s.duckdb");
    if (!Files.exists(file)) {
      SampleStore.create(file, "t", "hog", "late");
    }
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            true,
            true,
            true,
            true);
    try (TraceStore store = TraceStore.openReadOnly(file);
        Terminal terminal =
            TerminalBuilder.builder()
                .system(false)
                .dumb(true)
                .streams(
                    new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
                    new ByteArrayOutputStream())
                .build()) {
      new SqlPrompt(console, new OutputOptions(), store, sql -> {})
          .run(terminal, folder.resolve("history"));
    }
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void answersStatementsOverSeveralLines() throws Exception {
    session("SELECT 40\n  + 2\nAS answer;\nSELECT 'a;b' AS x; SELECT 7 AS y;\n\\q\n");
    assertThat(printed()).contains("answer", "42", "a;b", "7");
    assertThat(Files.readString(folder.resolve("history"))).contains("+ 2", "SELECT 'a;b'");
  }

  @Test
  void errorsDoNotEndIt() throws Exception {
    session("SELECT nope;\nSELECT 1 AS after_error;\n\\nothing\n\\d nowhere\n");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("\"nope\"", "There is no \\nothing.", "no entry or table named 'nowhere'");
    assertThat(printed()).contains("after_error");
  }

  @Test
  void describesAndFormats() throws Exception {
    session("\\d cpu_time\n\\format csv\nSELECT 1 AS a, 2 AS b;\n\\?\n");
    assertThat(printed()).contains("What did each CPU spend its time on?", "a,b\n1,2", "Ctrl-R");
  }
}

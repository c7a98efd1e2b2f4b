package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the commands of the files in {@code src/test/resources/transcripts} and compares what they
 * print. A line that begins with {@code $} is a command; below it stand its standard output, its
 * standard error with {@code ! } before each line, and {@code exit N} unless N is 0. Files are
 * named {@code ./NAME}; {@link TranscriptFiles} says which ones there are. Above the first command
 * there may be comments.
 *
 * <p>A mismatch leaves what was printed in {@code target/transcripts}; with {@code
 * -Dgolden.update=true} it takes the place of what was expected.
 */
class TranscriptTest {
  private static final Path FOLDER = Path.of("src/test/resources/transcripts");

  /** Short and the same everywhere, because columns are as wide as the paths in them. */
  private static final Path FILES = Path.of("target/t");

  @TempDir private static Path files;

  @BeforeAll
  static void createFiles() throws IOException {
    TranscriptFiles.create(files);
  }

  static Stream<String> transcripts() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.endsWith(".txt"))
          .forEach(names::add);
    }
    return names.stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("transcripts")
  void printsWhatIsExpected(String name) throws IOException {
    TranscriptFiles.copy(files, FILES);
    Path golden = FOLDER.resolve(name);
    String expected = Files.readString(golden);
    StringBuilder actual = new StringBuilder();
    for (String line : expected.split("\n", -1)) {
      if (line.startsWith("# ") && actual.indexOf("$ ") < 0) {
        actual.append(line).append('\n');
      } else if (line.startsWith("$ ")) {
        actual.append(actual.isEmpty() ? "" : "\n").append(line).append('\n');
        run(line.substring(2), actual);
      }
    }
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, actual);
    } else if (!expected.contentEquals(actual)) {
      Path side = Files.createDirectories(Path.of("target/transcripts")).resolve(name);
      Files.writeString(side, actual);
    }
    assertThat(actual.toString()).isEqualTo(Files.readString(golden));
  }

  private static void run(String command, StringBuilder transcript) {
    List<String> words = words(command);
    String input = "";
    int pipe = words.indexOf("|");
    if (pipe >= 0) {
      // echo TEXT | command
      input = words.get(pipe - 1) + "\n";
      words = words.subList(pipe + 1, words.size());
    }
    boolean unicode = !words.get(0).equals("LC_ALL=C");
    List<String> command1 = unicode ? words : words.subList(1, words.size());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            command1.contains("--terminal"),
            false,
            false,
            unicode);
    String[] arguments =
        command1.stream().filter(w -> !w.equals("--terminal")).toArray(String[]::new);
    int exitCode = Main.run(console, arguments);
    transcript.append(clean(out.toString(StandardCharsets.UTF_8)));
    for (String line : clean(err.toString(StandardCharsets.UTF_8)).split("\n", -1)) {
      transcript.append(line.isEmpty() ? "" : "! " + line + "\n");
    }
    if (exitCode != 0) {
      transcript.append("exit ").append(exitCode).append('\n');
    }
  }

  private static String clean(String text) {
    return text.replace(FILES.toAbsolutePath() + "/", "./").replace(FILES + "/", "./");
  }

  /** Words of a command line: blanks separate, single and double quotes keep together. */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean open = false;
    for (char c : (command + " ").toCharArray()) {
      if (quote == 0 && c == ' ') {
        if (open) {
          words.add(place(word.toString()));
        }
        word.setLength(0);
        open = false;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
        open = true;
      } else if (c == quote) {
        quote = 0;
      } else {
        word.append(c);
        open = true;
      }
    }
    return words;
  }

  private static String place(String word) {
    return word.startsWith("./") || word.contains("=./") || word.contains("'./")
        ? word.replace("./", FILES + "/")
        : word;
  }
}

package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sizes that keep the source readable, for all modules: files and methods. */
class SourceLimitsTest {
  private static final Path ROOT = Path.of(System.getProperty("repo.root", ".."));
  private static final int FILE_LINES = 500;

  /** The schema as data: a list that grows with the tables, not code. */
  private static final String SCHEMA = "Tables.java";

  private static final int METHOD_LINES = 80;

  /** A member's first line in google-java-format: two blanks per type that encloses it. */
  private static final Pattern METHOD =
      Pattern.compile("^( {2}| {4})(?! )(?!.*\\b(class|interface|enum|record|new)\\b).*\\{$");

  @Test
  void filesAreShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources()) {
      int lines = Files.readAllLines(file).size();
      if (lines > FILE_LINES && !file.endsWith(SCHEMA)) {
        tooLong.add(ROOT.relativize(file) + ": " + lines + " lines");
      }
    }
    assertThat(tooLong).as("files of more than %d lines", FILE_LINES).isEmpty();
  }

  @Test
  void methodsAreShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources()) {
      for (String method : longMethods(Files.readAllLines(file))) {
        tooLong.add(ROOT.relativize(file) + ": " + method);
      }
    }
    assertThat(tooLong).as("methods of more than %d lines", METHOD_LINES).isEmpty();
  }

  @Test
  void longMethodsAreFound() {
    List<String> lines = new ArrayList<>(List.of("class A {", "  void shortOne() {", "  }"));
    lines.add("  void longOne() {");
    for (int i = 0; i < METHOD_LINES; i++) {
      lines.add("    work();");
    }
    lines.addAll(List.of("  }", "}"));
    assertThat(longMethods(lines)).containsExactly("line 4: 82 lines");
  }

  private static List<String> longMethods(List<String> lines) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (!METHOD.matcher(lines.get(i)).matches()) {
        continue;
      }
      String indent = lines.get(i).replaceAll("\\S.*", "");
      int end = i + 1;
      while (end < lines.size() && !lines.get(end).startsWith(indent + "}")) {
        end++;
      }
      int length = end - i + 1;
      if (length > METHOD_LINES) {
        found.add("line " + (i + 1) + ": " + length + " lines");
      }
    }
    return found;
  }

  private static List<Path> sources() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module : List.of("trace", "ingest", "analysis", "whatif", "cli")) {
      Path source = ROOT.resolve(module).resolve("src");
      if (!Files.isDirectory(source)) {
        continue;
      }
      try (Stream<Path> tree = Files.walk(source)) {
        tree.filter(p -> p.toString().endsWith(".java")).forEach(files::add);
      }
    }
    assertThat(files).isNotEmpty();
    return files;
  }
}

package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Format;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import picocli.CommandLine.Option;

/** {@code --format} and {@code -o}: how results are shown and where they go. */
final class OutputOptions {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = FormatWord.class,
      description = "text, csv, json or markdown; default: ${DEFAULT-VALUE}.",
      defaultValue = "text")
  Format format = Format.TEXT;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the result to FILE, which appears when it is complete.")
  Path file;

  /** Writes a result. */
  interface Body {
    /**
     * Writes it.
     *
     * @param unicode whether more than ASCII may be written
     */
    void write(Writer out, boolean unicode) throws IOException;
  }

  /** Lets the body write to the file or, without one, to standard output. */
  void write(Console console, Body body) {
    if (file == null) {
      try {
        Writer out =
            new BufferedWriter(
                new OutputStreamWriter(console.out(), StandardCharsets.UTF_8), 1 << 16);
        body.write(out, console.unicode());
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return;
    }
    if (Files.isDirectory(file)) {
      throw Refusal.data(file + ": is a directory, expected a file to write. Choose another -o.");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // /dev/stdout, a named pipe, ...: nothing to rename there.
      writeTo(file, body);
      return;
    }
    Path target = file.toAbsolutePath();
    Path part =
        target.resolveSibling("." + target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      writeTo(part, body);
      move(part, target);
    } catch (IOException e) {
      throw failed(e);
    } finally {
      part.toFile().delete();
    }
  }

  private void writeTo(Path path, Body body) {
    try (Writer out = Files.newBufferedWriter(path, StandardCharsets.UTF_8)) {
      body.write(out, true);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Refusal failed(IOException e) {
    return Refusal.data(file + ": cannot be written: " + Reasons.of(e) + ".", e);
  }
}

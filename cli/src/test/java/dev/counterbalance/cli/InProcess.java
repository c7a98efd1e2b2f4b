package dev.counterbalance.cli;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A command that ran in this process, without a terminal and without input.
 *
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
record InProcess(int exitCode, String out, String err) {
  static InProcess run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false,
            false,
            false,
            true);
    int exitCode = Main.run(console, arguments);
    return new InProcess(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}

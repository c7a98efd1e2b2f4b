package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Escape;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams a command talks to, and what stands at their ends.
 *
 * @param in standard input
 * @param out results
 * @param err errors and progress
 * @param inTerminal whether a person types the input
 * @param outTerminal whether a person reads the results
 * @param errTerminal whether a person watches the progress
 * @param unicode whether the reader's locale shows more than ASCII
 */
record Console(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean inTerminal,
    boolean outTerminal,
    boolean errTerminal,
    boolean unicode) {

  /**
   * The process's own streams. The launcher tells what stands at their ends, which Java cannot find
   * out for each: {@code -Dcounterbalance.terminals=012} names the descriptors that are terminals.
   */
  static Console ofProcess() {
    String terminals = System.getProperty("counterbalance.terminals", "");
    return new Console(
        new FileInputStream(FileDescriptor.in),
        stream(FileDescriptor.out, "standard output"),
        stream(FileDescriptor.err, "standard error"),
        terminals.contains("0"),
        terminals.contains("1"),
        terminals.contains("2"),
        Boolean.getBoolean("counterbalance.unicode"));
  }

  /** Writes a line to standard output, safe for a terminal. */
  void line(String text) {
    out.println(Escape.text(text, unicode));
  }

  /** Writes a message to standard error, safe for a terminal. */
  void say(String message) {
    // A query's error has more lines: the query's own and the mark below it.
    for (String part : message.split("\n", -1)) {
      err.println(Escape.text(part, unicode));
    }
  }

  private static PrintStream stream(FileDescriptor descriptor, String name) {
    return new PrintStream(
        new WatchedStream(new FileOutputStream(descriptor), name), false, StandardCharsets.UTF_8);
  }
}

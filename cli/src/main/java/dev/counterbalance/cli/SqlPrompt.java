package dev.counterbalance.cli;

import dev.counterbalance.analysis.CatalogueEntry;
import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.analysis.query.QueryException;
import dev.counterbalance.cli.prompt.NameCompleter;
import dev.counterbalance.cli.prompt.SqlParser;
import dev.counterbalance.cli.prompt.Statements;
import dev.counterbalance.cli.render.Format;
import dev.counterbalance.trace.store.ColumnSpec;
import dev.counterbalance.trace.store.TableSpec;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;

/** {@code trace-sql STORE} without a query: asks for statements until it is left. */
final class SqlPrompt {
  private static final String HELP =
      """
      Type SQL; a semicolon ends a statement, which may take several lines.
        \\d               tables, and the entries of the catalogue
        \\d NAME          columns of a table or entry, and what they mean
        \\format FORMAT   show results as text, csv, json or markdown
        \\?               this help
        \\q               leave (also Ctrl-D)
      TAB completes names, Ctrl-R searches the history, Ctrl-C ends a query or drops a line.
      """;
  private static final List<String> COMMANDS = List.of("\\d", "\\format", "\\?", "\\q");
  private static final int HISTORY = 5000;

  private final Console console;
  private final OutputOptions output;
  private final TraceStore store;
  private final Entries entries;
  private final Consumer<String> check;

  /**
   * A prompt on an open store.
   *
   * @param check is shown each statement before it runs, and may refuse it
   */
  SqlPrompt(Console console, OutputOptions output, TraceStore store, Consumer<String> check) {
    this.console = console;
    this.output = output;
    this.store = store;
    this.entries = Entries.shadow(store);
    this.check = check;
  }

  /** Reads from the terminal and answers until its end. */
  void run(Terminal terminal, Path history) {
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("trace-sql")
            .parser(new SqlParser())
            .completer(completer())
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%M     > ")
            .variable(LineReader.HISTORY_SIZE, HISTORY)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
            .option(LineReader.Option.CASE_INSENSITIVE, true);
    if (history != null) {
      builder.variable(LineReader.HISTORY_FILE, history);
    }
    LineReader reader = builder.build();
    Query query = new Query(store);
    terminal.handle(Terminal.Signal.INT, signal -> query.cancel());
    console.say(
        "Type SQL and a semicolon, \\d for what there is to ask, \\? for help, \\q to leave.");
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = answer(reader.readLine("trace-sql> "), query);
      } catch (UserInterruptException e) {
        // Ctrl-C: the line is dropped.
      } catch (EndOfFileException e) {
        goesOn = false;
      }
    }
  }

  /** Where lines are kept, null if they cannot be: the XDG state directory. */
  static Path historyFile() {
    String state = System.getenv("XDG_STATE_HOME");
    Path folder =
        state == null || state.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".local", "state")
            : Path.of(state);
    Path file = folder.resolve("counterbalance").resolve("sql-history");
    try {
      Files.createDirectories(file.getParent());
      return Files.isWritable(file.getParent()) ? file : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Answers one input; false if it asks to leave. */
  private boolean answer(String text, Query query) {
    String line = text.strip();
    try {
      if (SqlParser.isCommand(line)) {
        return command(line);
      }
      for (String statement : Statements.of(text).complete()) {
        check.accept(statement);
        output.write(
            console,
            (out, unicode) ->
                query.run(statement, new QueryRows(output.format.writer(out, unicode))));
        console.out().println();
      }
    } catch (QueryException | Refusal e) {
      String sentence = e instanceof QueryException failed ? Failures.sentence(failed) : null;
      console.say(sentence == null ? e.getMessage() : sentence);
    } catch (UncheckedIOException e) {
      console.say(Failures.sentence(e));
    }
    return true;
  }

  private boolean command(String line) {
    String[] words = line.split("\\s+", 2);
    String argument = words.length < 2 ? "" : words[1].replaceAll("[;\\s]+$", "");
    switch (words[0].replaceAll(";$", "")) {
      case "\\q", "quit", "exit" -> {
        return false;
      }
      case "\\?", "\\h", "help" -> console.out().print(HELP);
      case "\\format" -> format(argument);
      case "\\d" -> {
        CatalogueHelp help = new CatalogueHelp(entries);
        if (argument.isEmpty()) {
          help.list(console, output);
        } else {
          help.describe(argument, console, output);
        }
        console.out().println();
      }
      default -> console.say("There is no " + words[0] + ". \\? shows what there is.");
    }
    return true;
  }

  private void format(String word) {
    try {
      output.format = Format.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      console.say("\\format takes text, csv, json or markdown.");
    }
  }

  private NameCompleter completer() {
    NameCompleter completer = new NameCompleter(COMMANDS);
    for (CatalogueEntry entry : entries.list()) {
      completer.add(entry.name(), "entries");
    }
    for (TableSpec table : Tables.ALL) {
      completer.add(table.name(), "tables");
    }
    for (CatalogueEntry entry : entries.list()) {
      entry.columns().forEach(column -> completer.add(column.name(), "columns"));
      entry.parameters().forEach(parameter -> completer.add(parameter.name(), "columns"));
    }
    for (TableSpec table : Tables.ALL) {
      for (ColumnSpec column : table.columns()) {
        completer.add(column.name(), "columns");
      }
    }
    return completer;
  }
}

package dev.counterbalance.cli;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.trace.store.TraceStore.Access;
import dev.counterbalance.trace.store.TraceStore.Reach;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trace-sql}: SQL on a store, read-only and locked in unless told otherwise. */
@Command(
    name = "trace-sql",
    aliases = "sql",
    versionProvider = Version.class,
    description = {
      "Query a store with SQL (DuckDB's). The catalogue's entries are views over every trace, and"
          + " macros that take trace, since and until (trace_id; ns in the trace's clock).",
      ""
    },
    synopsisHeading = "Usage:%n",
    customSynopsis = {
      "  trace-sql STORE [QUERY | -f FILE] [--attach NAME=STORE]... [--format FORMAT] [-o FILE]",
      "  trace-sql STORE --list | --describe NAME"
    },
    footer = {
      "",
      "Without QUERY, a terminal gets a prompt with history and completion; a pipe, or -, is read as"
          + " the query.",
      "",
      "Examples:",
      "  trace-sql perf.duckdb 'SELECT cpu, idle_pct FROM cpu_time'",
      "  trace-sql perf.duckdb 'SELECT * FROM latency(trace := 1) LIMIT 10' --format csv",
      "  trace-sql a.duckdb --attach b=b.duckdb 'SELECT count(*) FROM b.sched_slice'",
      "  trace-sql perf.duckdb --describe idle_while_waiting",
      "  trace-sql perf.duckdb                  # then: SELECT * FROM cpu_time; or \\d"
    })
final class SqlCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";

  private final Console console;

  @SuppressWarnings("unused") // picocli fills and reads it
  @Mixin
  private CommonOptions common;

  @Mixin private OutputOptions output;

  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  private Path file;

  @Parameters(index = "1", arity = "0..1", paramLabel = "QUERY", description = "What to ask.")
  private String query;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Read the query from FILE.")
  private Path queryFile;

  @Option(
      names = "--attach",
      paramLabel = "NAME=STORE",
      description = "Show the tables of another store under NAME; may be repeated.")
  private Map<String, Path> attached = new LinkedHashMap<>();

  @Option(names = "--list", description = "List what can be asked: entries and tables.")
  private boolean list;

  @Option(
      names = "--describe",
      paramLabel = "NAME",
      description = "Explain an entry or a table and its columns.")
  private String describe;

  @Option(names = "--allow-writes", description = "Let the query change the store.")
  private boolean allowWrites;

  @Option(
      names = "--allow-external",
      description = "Let the query reach other files, the network and DuckDB's extensions.")
  private boolean allowExternal;

  SqlCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    int questions = (query == null ? 0 : 1) + (queryFile == null ? 0 : 1);
    questions += (list ? 1 : 0) + (describe == null ? 0 : 1);
    if (questions > 1) {
      throw Refusal.usage("Give one of QUERY, -f, --list and --describe.");
    }
    if (questions == 0 && console.inTerminal()) {
      prompt();
      return Main.EXIT_OK;
    }
    boolean help = list || describe != null;
    String sql = help ? null : readQuery();
    Access access = allowWrites ? Access.READ_WRITE : Access.READ_ONLY;
    try (TraceStore store =
        TraceStore.open(file, access, new Reach(attached, allowExternal, true))) {
      if (help) {
        CatalogueHelp catalogue = new CatalogueHelp(Entries.shadow(store));
        if (list) {
          catalogue.list(console, output);
        } else {
          catalogue.describe(describe, console, output);
        }
      } else {
        Entries.shadowFor(store, sql);
        refuseMacrosOf(attached.keySet(), sql);
        Query runner = new Query(store);
        output.write(
            console,
            (out, unicode) -> runner.run(sql, new QueryRows(output.format.writer(out, unicode))));
      }
    }
    return Main.EXIT_OK;
  }

  private void prompt() {
    if (output.file != null) {
      throw Refusal.usage("-o goes with a query.");
    }
    Access access = allowWrites ? Access.READ_WRITE : Access.READ_ONLY;
    try (TraceStore store =
            TraceStore.open(file, access, new Reach(attached, allowExternal, true));
        Terminal terminal =
            TerminalBuilder.builder()
                .systemOutput(TerminalBuilder.SystemOutput.SysOutOrSysErr)
                .dumb(false)
                .build()) {
      new SqlPrompt(console, output, store, sql -> refuseMacrosOf(attached.keySet(), sql))
          .run(terminal, SqlPrompt.historyFile());
    } catch (IllegalStateException e) {
      throw Refusal.usage(
          "No query, and no terminal to ask for one. Give it as an argument or with -f FILE, or see"
              + " what there is to ask: trace-sql "
              + file
              + " --list");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String readQuery() {
    String sql = query;
    if (queryFile != null) {
      sql = read(queryFile);
    } else if (query == null || query.equals(STANDARD_INPUT)) {
      sql = readInput();
    }
    if (sql.isBlank()) {
      throw Refusal.usage("The query is empty.");
    }
    return sql;
  }

  /**
   * A macro of an attached store reads the tables of the store it is called from: DuckDB looks up
   * the names in its body there. Its views are right.
   */
  private static void refuseMacrosOf(Set<String> attached, String sql) {
    for (String name : attached) {
      Pattern call =
          Pattern.compile(
              "(?i)(?<![\\w.])\"?"
                  + Pattern.quote(name)
                  + "\"?\\s*\\.(?:\\s*\"?\\w+\"?\\s*\\.)?\\s*\"?\\w+\"?\\s*\\(");
      if (call.matcher(sql).find()) {
        throw Refusal.usage(
            String.format(
                "The entries of an attached store answer as views (%s.cpu_time), not with a window"
                    + " (%s.cpu_time(...)): the latter would read the first store's tables.",
                name, name));
      }
    }
  }

  private String readInput() {
    try {
      return new String(
          new BufferedInputStream(console.in()).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    if (Files.isDirectory(file)) {
      throw Refusal.data(file + ": is a directory, expected a file with a query.");
    }
    try {
      return Files.readString(file);
    } catch (MalformedInputException e) {
      throw Refusal.data(file + ": is not UTF-8 text, expected a file with a query.", e);
    } catch (IOException e) {
      throw Refusal.data(file + ": cannot be read: " + Reasons.of(e) + ".", e);
    }
  }
}

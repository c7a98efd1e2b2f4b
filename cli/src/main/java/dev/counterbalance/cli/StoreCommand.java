package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Format;
import dev.counterbalance.cli.render.Units;
import dev.counterbalance.cli.report.TraceList;
import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.trace.store.TraceStore.Access;
import dev.counterbalance.trace.store.TraceStore.Reach;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code trace-store}: what is in a store, and housekeeping. */
@Command(
    name = "trace-store",
    aliases = "store",
    versionProvider = Version.class,
    description = {"List, remove, rename and merge the traces of a store.", ""},
    synopsisHeading = "Usage:%n",
    customSynopsis = {
      "  trace-store STORE [list] [--format FORMAT] [-o FILE]",
      "  trace-store STORE remove TRACE",
      "  trace-store STORE rename TRACE NAME",
      "  trace-store STORE merge OTHER",
      "  trace-store STORE compact"
    },
    footer = {
      "",
      "merge copies every trace of the store OTHER that is not here yet.",
      "compact rewrites the file without the room that removed traces left.",
      "",
      "Examples:",
      "  trace-store lab.duckdb",
      "  trace-store lab.duckdb rename perf before-patch",
      "  trace-store lab.duckdb merge perf.duckdb"
    })
final class StoreCommand implements Callable<Integer> {
  private enum Action {
    LIST(0, ""),
    REMOVE(1, "TRACE"),
    RENAME(2, "TRACE NAME"),
    MERGE(1, "OTHER"),
    COMPACT(0, "");

    private final int arguments;
    private final String synopsis;

    Action(int arguments, String synopsis) {
      this.arguments = arguments;
      this.synopsis = synopsis;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An action as it stands on the command line. */
  private static final class ActionWord implements ITypeConverter<Action> {
    @Override
    public Action convert(String word) {
      for (Action action : Action.values()) {
        if (action.word().equals(word)) {
          return action;
        }
      }
      String words =
          Arrays.stream(Action.values()).map(Action::word).collect(Collectors.joining(", "));
      throw new TypeConversionException("must be one of " + words + ": " + word);
    }
  }

  private final Console console;

  @SuppressWarnings("unused") // picocli fills and reads it
  @Mixin
  private CommonOptions common;

  @Mixin private OutputOptions output;

  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  private Path file;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ACTION",
      defaultValue = "list",
      converter = ActionWord.class,
      description = "list, remove, rename, merge or compact; default: list.")
  private Action action;

  @Parameters(index = "2..*", arity = "0..2", hidden = true)
  private List<String> arguments = List.of();

  StoreCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (arguments.size() != action.arguments) {
      throw Refusal.usage(
          String.format(
              "Expected: trace-store STORE %s.", (action.word() + " " + action.synopsis).strip()));
    }
    if (action != Action.LIST && (output.format != Format.TEXT || output.file != null)) {
      throw Refusal.usage("--format and -o go with list only.");
    }
    switch (action) {
      case LIST -> list();
      case REMOVE -> remove(arguments.get(0));
      case RENAME -> rename(arguments.get(0), arguments.get(1));
      case MERGE -> merge(Path.of(arguments.get(0)));
      case COMPACT -> compact();
    }
    return Main.EXIT_OK;
  }

  private void list() {
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      output.write(console, (out, unicode) -> TraceList.write(store, output.format, out, unicode));
    }
  }

  private void remove(String name) {
    try (TraceStore store = TraceStore.openReadWrite(file)) {
      store.remove(Traces.named(store, name));
    }
    say("Removed trace '%s'. trace-store %s compact gives its room back to the disk.", name, file);
  }

  private void rename(String name, String newName) {
    Traces.checkName(newName);
    try (TraceStore store = TraceStore.openReadWrite(file)) {
      store.rename(Traces.named(store, name), newName);
    }
    say("Trace '%s' is named '%s' now.", name, newName);
  }

  private void merge(Path other) {
    if (Files.exists(other) && Files.exists(file) && sameFile(other)) {
      throw Refusal.usage(other + " is the store itself. Name another one.");
    }
    // A store of another schema is refused here with a sentence of its own.
    int offered;
    try (TraceStore source = TraceStore.openReadOnly(other)) {
      offered = source.traces().size();
    }
    List<TraceRef> merged;
    try (TraceStore store =
        TraceStore.open(file, Access.READ_WRITE, new Reach(Map.of("other", other), false, false))) {
      merged = store.merge("other");
    }
    for (TraceRef trace : merged) {
      say("Added trace '%s'.", trace.name());
    }
    int known = offered - merged.size();
    if (known > 0) {
      say("Left out %s: here already.", Units.counted(known, "trace", "traces"));
    }
  }

  private void compact() {
    long before = size();
    try (TraceStore store = TraceStore.openForCompaction(file)) {
      store.compact();
    }
    say("%s: %s bytes, was %s.", file, Units.count(size()), Units.count(before));
  }

  private boolean sameFile(Path other) {
    try {
      return Files.isSameFile(file, other);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long size() {
    try {
      return Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void say(String format, Object... values) {
    console.line(String.format(Locale.ROOT, format, values));
  }
}

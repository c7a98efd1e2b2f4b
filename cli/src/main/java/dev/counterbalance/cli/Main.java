package dev.counterbalance.cli;

import dev.counterbalance.cli.WatchedStream.OutputFailed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** The program: picks a command, runs it, and turns what goes wrong into a sentence. */
@Command(
    name = "counterbalance",
    versionProvider = Version.class,
    description = "Scheduler trace analysis for Linux.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Each command has a launcher of its own: trace-import, trace-store, ...",
      "",
      "Example:",
      "  perf sched record -- sleep 10",
      "  counterbalance trace-import perf.data",
      "  counterbalance trace-report perf.duckdb"
    })
public final class Main implements Callable<Integer> {
  static final int EXIT_OK = 0;
  static final int EXIT_DATA = 1;
  static final int EXIT_USAGE = 2;
  static final int EXIT_BUG = 3;

  private static final int HELP_WIDTH = 100;
  private static final String REPORT =
      " This is a bug in Counterbalance; please report it with the output of the same command and"
          + " --debug.";

  @SuppressWarnings("unused") // picocli fills and reads it
  @Mixin
  private CommonOptions common;

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    Console console = Console.ofProcess();
    int exitCode = run(console, args);
    System.exit(exitCode);
  }

  /** Runs a command and returns its exit code. */
  static int run(Console console, String... args) {
    try {
      // picocli's own output is help: gathered, so that a failure to write it comes up here.
      StringWriter help = new StringWriter();
      int exitCode = commandLine(console, help, args).execute(args);
      console.out().print(help);
      console.out().flush();
      return exitCode;
    } catch (OutputFailed e) {
      return outputFailed(console, e);
    } catch (OutOfMemoryError e) {
      console.say("counterbalance: " + Failures.sentence(e));
      return EXIT_DATA;
    } finally {
      console.err().flush();
    }
  }

  private static CommandLine commandLine(Console console, StringWriter help, String... args) {
    CommandLine line = new CommandLine(new Main());
    List<Callable<Integer>> commands =
        List.of(
            new ImportCommand(console),
            new StoreCommand(console),
            new SqlCommand(console),
            new ReportCommand(console),
            new WhatifCommand(console),
            new RulesCommand(console));
    // Reading a command's annotations takes time: where one is named, the others are left out.
    List<Callable<Integer>> named =
        commands.stream().filter(command -> args.length > 0 && isNamed(command, args[0])).toList();
    (named.isEmpty() ? commands : named).forEach(line::addSubcommand);
    line.setOut(new PrintWriter(help));
    line.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
    line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpWidth(HELP_WIDTH);
    line.setExecutionExceptionHandler(
        (exception, command, parsed) -> failed(console, exception, command));
    line.setParameterExceptionHandler(
        (exception, arguments) -> misused(console, exception, arguments));
    return line;
  }

  private static boolean isNamed(Callable<Integer> command, String word) {
    Command annotation = command.getClass().getAnnotation(Command.class);
    return annotation.name().equals(word) || Arrays.asList(annotation.aliases()).contains(word);
  }

  @Override
  public Integer call() {
    throw Refusal.usage("Name a command. See counterbalance --help.");
  }

  private static int misused(Console console, ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandName();
    String message = String.valueOf(e.getMessage()).strip().replace("option option", "option");
    String end = message.endsWith(".") ? "" : ".";
    console.say(name + ": " + message + end + " See " + name + " --help.");
    if (Arrays.asList(arguments).contains("--debug")) {
      e.printStackTrace(console.err());
    }
    return EXIT_USAGE;
  }

  private static int failed(Console console, Exception e, CommandLine command) {
    if (e instanceof OutputFailed failed) {
      return outputFailed(console, failed);
    }
    String name = command.getCommandName();
    int exitCode = EXIT_BUG;
    if (e instanceof Refusal refusal) {
      exitCode = refusal.exitCode();
      console.say(name + ": " + refusal.getMessage());
    } else if (Failures.sentence(e) != null) {
      exitCode = EXIT_DATA;
      console.say(name + ": " + Failures.sentence(e));
    } else {
      String what = e.getMessage() == null ? "" : ": " + e.getMessage();
      console.say(name + ": " + e.getClass().getSimpleName() + what + "." + REPORT);
    }
    if (command.getParseResult().hasMatchedOption("--debug")) {
      e.printStackTrace(console.err());
    }
    return exitCode;
  }

  private static int outputFailed(Console console, OutputFailed e) {
    if (e.readerGone()) {
      return EXIT_OK;
    }
    try {
      console.say("counterbalance: " + e.getMessage());
    } catch (OutputFailed again) {
      // Standard error is gone too: only the exit code is left to tell.
      return EXIT_DATA;
    }
    return EXIT_DATA;
  }
}

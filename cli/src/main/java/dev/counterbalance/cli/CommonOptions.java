package dev.counterbalance.cli;

import picocli.CommandLine.Option;

/** What every command understands. */
final class CommonOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  @Option(names = "--version", versionHelp = true, description = "Show the version and exit.")
  boolean version;

  @Option(names = "--debug", description = "Show a stack trace when something fails.")
  boolean debug;
}

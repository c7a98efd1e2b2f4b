package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Format;
import dev.counterbalance.cli.run.KeepEvents;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code trace-whatif}. */
final class WhatifOptions {
  @Option(
      names = "--workload",
      paramLabel = "WORKLOAD",
      description = "What runs: an rt-app file, or a generator NAME:K=V,... such as soakers.")
  String workload;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "STORE",
      description =
          "Keep the runs in STORE, which is made if it is not there; without it they are dropped.")
  Path output;

  @Option(names = "--rule", paramLabel = "ID", description = "A balancer rule; may be repeated.")
  List<String> rules = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "K=V",
      description = "Set a switch or tunable in every rule; may be repeated.")
  List<String> settings = new ArrayList<>();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Make N runs of each rule, with the seeds 1 to N; default: ${DEFAULT-VALUE}.")
  int seeds;

  @Option(
      names = "--topology",
      paramLabel = "SPEC|FILE",
      description = "The machine: 4s4c is four sockets of four cores, 1s2l2c two caches of two.")
  String topology;

  @Option(names = "--offline", paramLabel = "CPUS", description = "CPUs that are off line.")
  String offline;

  @Option(
      names = "--isolated",
      paramLabel = "CPUS",
      description = "CPUs that are not balanced, as by isolcpus=.")
  String isolated;

  @Option(names = "--nosmt", description = "Use one thread of each core only.")
  boolean noSmt;

  @Option(
      names = "--horizon",
      paramLabel = "T|work",
      description =
          "How long a run is, or until all work is done (an hour at most); default: the workload's"
              + " own duration, else work if every task ends, else 10s.")
  String horizon;

  @Option(
      names = "--warmup",
      paramLabel = "T",
      converter = TimeOffset.Converter.class,
      description =
          "Leave the first T out of the figures; default: 5 %% of the horizon and at least 500 ms,"
              + " but no more than half of it; nothing with --horizon work.")
  TimeOffset warmup;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Make N runs at a time; default: the number of CPUs.")
  Integer jobs;

  @Option(
      names = "--keep-events",
      paramLabel = "first|all|none",
      description =
          "Which runs keep their events in STORE: the first of each rule, all, or none; default:"
              + " first.")
  KeepEvents keepEvents;

  @Option(names = "--replace", description = "Make runs again that STORE has already.")
  boolean replace;

  @Option(
      names = "--check",
      description = "Say what would be run and draw the machine, and run nothing.")
  boolean check;

  @Option(
      names = "--why",
      paramLabel = "CPU@TIME",
      description = "Say why a CPU did what it did at that time of each rule's first run.")
  String why;

  @Option(
      names = "--trace",
      paramLabel = "NAME",
      description = "With a STORE: the run that --why asks about.")
  String trace;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = FormatWord.class,
      defaultValue = "text",
      description =
          "text, csv (the table of rules only), json or markdown; default: ${DEFAULT-VALUE}.")
  Format format;
}

package dev.counterbalance.cli;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.cli.render.Format;
import dev.counterbalance.cli.report.CheckReport;
import dev.counterbalance.cli.report.ImportSummary;
import dev.counterbalance.cli.report.RecordingSink;
import dev.counterbalance.cli.report.ReportWriter;
import dev.counterbalance.cli.report.Section;
import dev.counterbalance.ingest.FormatInfo;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importer;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.bundle.Bundle;
import dev.counterbalance.ingest.bundle.BundleImporter;
import dev.counterbalance.trace.build.TraceBuilder;
import dev.counterbalance.trace.build.TraceFilter;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trace-import}: a recording becomes a trace of a store. */
@Command(
    name = "trace-import",
    aliases = "import",
    versionProvider = Version.class,
    description = {"Import a scheduler recording into a store (a DuckDB file).", ""},
    synopsisHeading = "Usage:%n",
    customSynopsis = {
      "  trace-import FILE|DIR|- [-o STORE] [--name NAME] [--replace] [--input-format FORMAT]",
      "               [--formats DIR] [--sidecar DIR] [--topology SPEC|FILE] [--since T]",
      "               [--until T] [--cpus LIST] [--comm GLOB]... [--tid LIST] [--strict]",
      "               [--all-events] [--format FORMAT]",
      "  trace-import FILE|DIR|- --check"
    },
    footer = {
      "",
      "Without -o, perf.data becomes the store perf.duckdb in the working directory; with it, the"
          + " trace is added to STORE. Nothing is changed unless the whole import works.",
      "",
      "Examples:",
      "  perf sched record -- hackbench -g 4; trace-import perf.data",
      "  trace-import unknown.gz --check",
      "  trace-record -o make.bundle -- make -j8; trace-import make.bundle",
      "  trace-import before.data -o lab.duckdb --name before",
      "  perf sched record -o - -- sleep 5 | trace-import - -o lab.duckdb --name idle"
    })
final class ImportCommand implements Callable<Integer> {
  private static final String ANY_SWITCH =
      "SELECT 1 AS found FROM sched_slice WHERE trace_id = ? AND end_kind = 'switch' LIMIT 1";
  private static final String EVENTS =
      "SELECT value FROM trace_fact WHERE trace_id = ? AND key = 'event' ORDER BY value LIMIT 8";

  /** What is known beside the input; null where nothing is. */
  private record Given(TraceFilter filter, Sidecar sidecar, Machine machine) {}

  private final Console console;

  @SuppressWarnings("unused") // picocli fills and reads it
  @Mixin
  private CommonOptions common;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The recording, or the bundle of trace-record; - reads a pipe.")
  private String input;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "STORE",
      description = "Add the trace to STORE, which is made if it is not there.")
  private Path output;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the trace; default: the name of FILE without its extension.")
  private String name;

  @Option(names = "--replace", description = "Replace the trace of that name.")
  private boolean replace;

  @Option(
      names = "--input-format",
      paramLabel = "FORMAT",
      description = "Read FILE as FORMAT instead of looking at its content.")
  private String inputFormat;

  @Option(
      names = "--check",
      description =
          "Only say what FILE is, what it holds and what it is good for; nothing is written.")
  private boolean check;

  @Option(
      names = "--strict",
      description = "Stop at the first damage instead of skipping and counting it.")
  private boolean strict;

  @Option(
      names = "--all-events",
      description = "Keep the events of every system, not only sched, irq and power.")
  private boolean allEvents;

  @Mixin private FilterOptions filters;

  @Option(
      names = "--formats",
      paramLabel = "DIR",
      description = "A copy of /sys/kernel/tracing/events, for recordings that lack formats.")
  private Path formats;

  @Option(
      names = "--sidecar",
      paramLabel = "DIR",
      description = "A bundle of trace-record of the same time: its facts, not its recording.")
  private Path sidecar;

  @Option(
      names = "--topology",
      paramLabel = "SPEC|FILE",
      description = "The machine, such as 2s8c2t, in place of the one that the recording tells.")
  private String topology;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = FormatWord.class,
      defaultValue = "text",
      description = "How to show the summary: text, json or markdown; default: ${DEFAULT-VALUE}.")
  private Format format;

  ImportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (format == Format.CSV) {
      throw Refusal.usage("The summary is no table. Use --format json.");
    }
    TraceFilter filter = filters.filter();
    if (check) {
      return check(filter);
    }
    String traceName = name == null ? TraceNames.of(input) : name;
    Traces.checkName(traceName);
    Machine machine = topology == null ? null : MachineOption.machine(topology);
    try (TraceInput in = open()) {
      Importer importer = importer(in);
      if (sidecar != null && importer.info().name().equals(BundleImporter.NAME)) {
        throw Refusal.usage(
            input + " is a bundle, which has facts of its own. Give its recording as FILE.");
      }
      Sidecar beside = sidecar == null ? null : Bundle.sidecar(sidecar, strict);
      Given given = new Given(filter, beside, machine);
      Path file = output == null ? Path.of(TraceNames.of(input) + ".duckdb") : output;
      boolean exists = Files.exists(file);
      if (exists && output == null && !replace) {
        throw Refusal.data(
            String.format(
                "%s is there already. Give --replace to replace its trace '%s', or -o STORE to"
                    + " choose or add to another store.",
                file, traceName));
      }
      Section summary;
      try (TraceStore store = exists ? TraceStore.openReadWrite(file) : TraceStore.create(file)) {
        summary = read(in, importer, store, traceName, given);
        if (!exists) {
          store.publish();
        }
      }
      show(List.of(summary));
      next(file, traceName);
    }
    return Main.EXIT_OK;
  }

  private int check(TraceFilter filter) throws IOException {
    if (output != null || name != null || replace || topology != null || !filter.isNone()) {
      throw Refusal.usage(
          "--check looks at the whole recording and writes nothing: give FILE only.");
    }
    try (TraceInput in = open()) {
      Importer importer = importer(in);
      Names names = new Names();
      RecordingSink sink = new RecordingSink(names);
      if (sidecar != null) {
        sink.sidecar(Bundle.sidecar(sidecar, strict));
      }
      try (ImportProgress progress = new ImportProgress(console)) {
        importer.read(in, new ImportOptions(names, strict, allEvents, formats, progress), sink);
      }
      show(CheckReport.of(in, importer.info(), sink));
    }
    return Main.EXIT_OK;
  }

  private TraceInput open() throws IOException {
    return input.equals(Importers.STANDARD_INPUT)
        ? TraceInput.ofStream(console.in(), "standard input")
        : Importers.open(input);
  }

  private Importer importer(TraceInput in) throws IOException {
    Importers importers = Importers.load();
    if (inputFormat == null) {
      return importers.choose(in);
    }
    List<String> names = importers.formats().stream().map(FormatInfo::name).toList();
    if (!names.contains(inputFormat)) {
      throw Refusal.usage(
          "--input-format must be one of "
              + names.stream().collect(Collectors.joining(", "))
              + ": "
              + inputFormat
              + ".");
    }
    return importers.byName(inputFormat);
  }

  private Section read(
      TraceInput in, Importer importer, TraceStore store, String traceName, Given given)
      throws IOException {
    int traceId;
    Entries entries;
    try (TraceImport trace = store.beginImport(traceName, replace)) {
      Names names = new Names();
      try (ImportProgress progress = new ImportProgress(console)) {
        ImportOptions options = new ImportOptions(names, strict, allEvents, formats, progress);
        TraceBuilder builder = new TraceBuilder(trace, in.name(), names, given.filter());
        if (given.sidecar() != null) {
          builder.sidecar(given.sidecar());
        }
        if (given.machine() != null) {
          builder.topology(given.machine(), topology);
        }
        importer.read(in, options, builder);
      }
      trace.finish();
      traceId = trace.traceId();
      refuseWithoutSwitches(in.name(), new Query(store), traceId, given.filter());
      entries = Entries.install(store);
      trace.commit();
    }
    return ImportSummary.of(store, entries, traceId);
  }

  private void refuseWithoutSwitches(String source, Query query, int traceId, TraceFilter filter) {
    if (!query.rows(ANY_SWITCH, traceId).isEmpty()) {
      return;
    }
    if (!filter.isNone()) {
      throw Refusal.data(
          source + ": no switch of tasks is left by " + filters.given() + ". Widen the filters.");
    }
    String events =
        query.rows(EVENTS, traceId).stream()
            .map(row -> String.valueOf(row.get("value")))
            .collect(Collectors.joining(", "));
    throw Refusal.data(
        String.format(
            "%s: holds no sched_switch event, so there is no schedule to look at%s. Record with"
                + " perf sched record.",
            source, events.isEmpty() ? "" : " (it was recorded with " + events + ")"));
  }

  private void show(List<Section> sections) {
    try {
      Writer out = new OutputStreamWriter(console.out(), StandardCharsets.UTF_8);
      switch (format) {
        case JSON -> ReportWriter.json(sections, out);
        case MARKDOWN -> ReportWriter.markdown(sections, out);
        case TEXT, CSV -> ReportWriter.text(sections, out, console.unicode());
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void next(Path file, String traceName) {
    if (format != Format.TEXT) {
      return;
    }
    String store = Shell.quote(file.toString());
    console.line("");
    console.line("Next:");
    console.line("  trace-report " + store + " --trace " + Shell.quote(traceName));
    console.line("  trace-sql " + store + " --list");
  }
}

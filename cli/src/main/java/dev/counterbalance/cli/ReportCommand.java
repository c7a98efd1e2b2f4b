package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Format;
import dev.counterbalance.cli.report.Report;
import dev.counterbalance.cli.report.Report.Window;
import dev.counterbalance.cli.report.ReportWriter;
import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trace-report}: what a trace says, on a page or two. */
@Command(
    name = "trace-report",
    aliases = "report",
    versionProvider = Version.class,
    description = {
      "Report on a trace: CPU time, idle CPUs beside waiting tasks, scheduling latency, the busiest"
          + " tasks, and how far the recording can be trusted.",
      ""
    },
    synopsisHeading = "Usage:%n",
    customSynopsis = {
      "  trace-report STORE [--trace NAME] [--since T] [--until T] [--format FORMAT] [-o FILE]"
    },
    footer = {
      "",
      "T is a time since the trace's start: 1.5 or 1.5s, 200ms, 30us, 12ns.",
      "FORMAT json is one array; each object says in which section it belongs.",
      "",
      "Examples:",
      "  trace-report perf.duckdb",
      "  trace-report lab.duckdb --trace before --since 1.5 --until 1700ms",
      "  trace-report perf.duckdb --format markdown -o report.md"
    })
final class ReportCommand implements Callable<Integer> {
  private final Console console;

  @SuppressWarnings("unused") // picocli fills and reads it
  @Mixin
  private CommonOptions common;

  @Mixin private OutputOptions output;

  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  private Path file;

  @Option(
      names = "--trace",
      paramLabel = "NAME",
      description = "Which trace; needed if there are several.")
  private String trace;

  @Option(
      names = "--since",
      paramLabel = "T",
      converter = TimeOffset.Converter.class,
      description = "Only what happened from T on.")
  private TimeOffset since;

  @Option(
      names = "--until",
      paramLabel = "T",
      converter = TimeOffset.Converter.class,
      description = "Only what happened before T.")
  private TimeOffset until;

  ReportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (output.format == Format.CSV) {
      throw Refusal.usage(
          "A report is more than one table. Use --format json, or trace-sql for one entry as csv.");
    }
    if (since != null && until != null && since.ns() >= until.ns()) {
      throw Refusal.usage("--since must be before --until.");
    }
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      TraceRef chosen = Traces.chosen(store, trace);
      Report report = Report.open(store, chosen.traceId());
      Window window = window(report);
      output.write(
          console,
          (out, unicode) -> {
            switch (output.format) {
              case JSON -> ReportWriter.json(report.sections(window, unicode), out);
              case MARKDOWN -> ReportWriter.markdown(report.sections(window, unicode), out);
              case TEXT -> ReportWriter.text(report.sections(window, unicode), out, unicode);
              case CSV -> throw new AssertionError("refused above");
            }
          });
    }
    return Main.EXIT_OK;
  }

  private Window window(Report report) {
    if (since != null && since.ns() >= report.spanNs()) {
      throw Refusal.usage(
          String.format(
              "--since is after the trace's end; the trace is %s long.", report.spanText()));
    }
    return report.window(since == null ? null : since.ns(), until == null ? null : until.ns());
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.trace.event.TraceInfo;

/** What the passes over one text share, and what the first finds out for the second. */
final class Text {
  final TraceInput in;
  final ImportOptions options;
  final Dialect dialect;
  final ProblemLog problems;
  final TraceInfo info = new TraceInfo();
  final PrintedStates states = new PrintedStates();
  final Notes notes = new Notes(info, states);
  final Events events;
  final TextNames names;
  final CpuStats cpus = new CpuStats();
  final Losses losses = new Losses();

  /** Time of the first and last event in ns. */
  long startNs = Long.MAX_VALUE;

  long endNs = Long.MIN_VALUE;

  /** Tracepoint events met. */
  long eventCount;

  /** Events with a time before that of an earlier line. */
  long outOfOrder;

  /** What LOST_SAMPLES records say is missing; the same events as the losses. */
  long lostSamples;

  /** True if tasks are printed as tid/pid, not pid/tid. */
  boolean tidFirst;

  Text(TraceInput in, ImportOptions options, Dialect dialect) throws TraceFormatException {
    this.in = in;
    this.options = options;
    this.dialect = dialect;
    this.problems = new ProblemLog(in, options.strict());
    this.events = new Events(options.names(), options.allEvents());
    this.names = new TextNames(options.names());
  }

  /** The task that a line shows as running. */
  int tid(Line line) {
    return line.slash && tidFirst ? line.tgid : line.tid;
  }

  /** Its thread group, -1 if unknown. */
  int tgid(Line line) {
    return line.slash && tidFirst ? line.tid : line.tgid;
  }

  long lostEvents() {
    return Math.max(losses.total, lostSamples);
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.FormatInfo;

/** Reads what {@code perf script} and {@code perf sched script} print. */
public final class PerfScriptImporter extends TextImporter {

  public PerfScriptImporter() {
    super(Dialect.PERF);
  }

  @Override
  public FormatInfo info() {
    return new FormatInfo("perf-script", "perf script, perf sched script");
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.FormatInfo;

/** Reads what {@code trace-cmd report} prints. */
public final class TraceCmdReportImporter extends TextImporter {

  public TraceCmdReportImporter() {
    super(Dialect.TRACE_CMD);
  }

  @Override
  public FormatInfo info() {
    return new FormatInfo("trace-cmd-report", "trace-cmd report");
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.FormatInfo;

/** Reads what the tracefs files {@code trace} and {@code trace_pipe} hold. */
public final class FtraceImporter extends TextImporter {

  public FtraceImporter() {
    super(Dialect.FTRACE);
  }

  @Override
  public FormatInfo info() {
    return new FormatInfo("ftrace", "the kernel: tracefs files trace and trace_pipe");
  }
}

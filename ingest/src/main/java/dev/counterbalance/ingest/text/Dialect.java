package dev.counterbalance.ingest.text;

/** Who wrote a text. */
enum Dialect {
  FTRACE("ftrace text"),
  PERF("perf script text"),
  TRACE_CMD("trace-cmd report text");

  final String format;

  Dialect(String format) {
    this.format = format;
  }
}

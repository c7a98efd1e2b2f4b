package dev.counterbalance.cli;

import dev.counterbalance.analysis.query.QueryException;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.trace.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;

/** Tells trouble with the input, the data or the environment from bugs of ours. */
final class Failures {
  private Failures() {}

  /** What happened, as finished sentences; null if it is a bug. */
  static String sentence(Throwable e) {
    if (e instanceof StoreException || e instanceof TraceFormatException) {
      return e.getMessage();
    }
    if (e instanceof QueryException query) {
      return QueryHints.sentence(query);
    }
    if (e instanceof UncheckedIOException) {
      return sentence(e.getCause());
    }
    if (e instanceof FileSystemException file) {
      return file.getFile() + ": " + Reasons.of(file) + ".";
    }
    if (e instanceof IOException io) {
      return Reasons.of(io) + ".";
    }
    if (e instanceof OutOfMemoryError) {
      return "there is not enough memory for this. Close other programs, or use a smaller part of"
          + " the trace (--since, --until).";
    }
    return null;
  }
}

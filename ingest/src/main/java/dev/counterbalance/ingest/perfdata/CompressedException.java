package dev.counterbalance.ingest.perfdata;

import java.io.IOException;

/** Compressed records were met in an input that did not announce them. */
final class CompressedException extends IOException {
  private static final long serialVersionUID = 1L;

  CompressedException() {
    super("compressed records");
  }
}

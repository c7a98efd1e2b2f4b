package dev.counterbalance.ingest.ring;

import java.io.IOException;

/** Where the pages of one CPU are; they are read once in each pass. */
public interface PageSource {
  /**
   * Begins to read at the first page.
   *
   * @param bufferSize bytes to read at once if the source may choose
   */
  Pages open(int bufferSize) throws IOException;

  /** Bytes of memory that reading takes at least; known after the first pass. */
  long memory();
}

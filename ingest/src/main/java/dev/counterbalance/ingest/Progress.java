package dev.counterbalance.ingest;

/** Is told how far a trace has been read. Called every few MiB, from the reading thread. */
@FunctionalInterface
public interface Progress {
  /** Tells nobody. */
  Progress NONE = (bytesDone, bytesTotal) -> {};

  /**
   * Reports progress.
   *
   * @param bytesDone bytes read so far, counting every pass over the input
   * @param bytesTotal bytes to read in all passes; may grow
   */
  void at(long bytesDone, long bytesTotal);
}

package dev.counterbalance.ingest.io;

import dev.counterbalance.ingest.Progress;

/** Adds up the bytes read in all passes and passes the sum on every few MiB. */
public final class ProgressMeter {
  private static final long STEP = 4L << 20;

  private final Progress progress;
  private long total;
  private long done;
  private long next = STEP;

  public ProgressMeter(Progress progress, long total) {
    this.progress = progress;
    this.total = total;
  }

  /** Announces another pass. */
  public void expect(long bytes) {
    total += bytes;
  }

  public void add(long bytes) {
    done += bytes;
    if (done >= next) {
      next = done + STEP;
      progress.at(Math.min(done, total), total);
    }
  }

  public void end() {
    progress.at(total, total);
  }
}

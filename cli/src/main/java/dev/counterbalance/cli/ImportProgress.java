package dev.counterbalance.cli;

import dev.counterbalance.ingest.Progress;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on standard error, for a person only, and only if it takes longer than a second. */
final class ImportProgress implements Progress, AutoCloseable {
  private static final long PATIENCE_NS = 1_000_000_000;
  private static final long MIB = 1 << 20;
  private static final int WIDTH = 80;

  private final Console console;
  private final long startNs;
  private ProgressBar bar;

  ImportProgress(Console console) {
    this.console = console;
    startNs = System.nanoTime();
  }

  @Override
  public void at(long bytesDone, long bytesTotal) {
    if (!console.errTerminal()) {
      return;
    }
    if (bar == null) {
      if (System.nanoTime() - startNs < PATIENCE_NS) {
        return;
      }
      bar =
          new ProgressBarBuilder()
              .setTaskName("import")
              .setInitialMax(bytesTotal)
              .setUnit(" MiB", MIB)
              .setStyle(console.unicode() ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII)
              .setConsumer(new ConsoleProgressBarConsumer(console.err(), WIDTH))
              .showSpeed()
              .build();
    }
    bar.maxHint(bytesTotal);
    bar.stepTo(bytesDone);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}

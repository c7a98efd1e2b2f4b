package dev.counterbalance.cli;

import dev.counterbalance.cli.run.RunProgress;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** One bar for all runs on standard error, for a person only, if it takes longer than a second. */
final class RunBar implements RunProgress, AutoCloseable {
  private static final long PATIENCE_MS = 1000;
  private static final long LOOK_MS = 200;
  private static final long NS_PER_S = 1_000_000_000;
  private static final int WIDTH = 80;

  private final Console console;
  private final int runs;
  private final long horizonNs;
  private final boolean untilDone;
  private final Map<Integer, LongSupplier> running = new ConcurrentHashMap<>();
  private final Timer timer = new Timer("progress", true);
  private volatile int done;
  private ProgressBar bar;

  /**
   * Makes a bar.
   *
   * @param untilDone whether runs end when their work is done: then nobody knows how long they are
   */
  RunBar(Console console, int runs, long horizonNs, boolean untilDone) {
    this.console = console;
    this.runs = runs;
    this.horizonNs = horizonNs;
    this.untilDone = untilDone;
    if (console.errTerminal()) {
      timer.schedule(
          new TimerTask() {
            @Override
            public void run() {
              show();
            }
          },
          PATIENCE_MS,
          LOOK_MS);
    }
  }

  @Override
  public void started(int run, LongSupplier nowNs) {
    running.put(run, nowNs);
  }

  @Override
  public synchronized void finished(int run, long endNs) {
    running.remove(run);
    done++;
  }

  private synchronized void show() {
    if (bar == null) {
      ProgressBarBuilder builder =
          new ProgressBarBuilder()
              .setTaskName("simulate")
              .setStyle(console.unicode() ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII)
              .setConsumer(new ConsoleProgressBarConsumer(console.err(), WIDTH));
      if (untilDone) {
        builder.setInitialMax(runs).setUnit(" runs", 1);
      } else {
        builder.setInitialMax(runs * horizonNs).setUnit(" s", NS_PER_S);
      }
      bar = builder.build();
    }
    long simulatedNs = done * horizonNs;
    for (LongSupplier nowNs : running.values()) {
      simulatedNs += Math.min(horizonNs, nowNs.getAsLong());
    }
    bar.stepTo(untilDone ? done : simulatedNs);
    bar.setExtraMessage(done + "/" + runs + " runs");
  }

  @Override
  public synchronized void close() {
    timer.cancel();
    if (bar != null) {
      bar.close();
    }
  }
}

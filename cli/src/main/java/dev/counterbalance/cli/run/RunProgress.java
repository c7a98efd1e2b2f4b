package dev.counterbalance.cli.run;

import java.util.function.LongSupplier;

/** Hears of how far runs got; called by several threads. */
public interface RunProgress {
  /** Tells nobody. */
  RunProgress NONE =
      new RunProgress() {
        @Override
        public void started(int run, LongSupplier nowNs) {}

        @Override
        public void finished(int run, long endNs) {}
      };

  /**
   * A run began.
   *
   * @param run its place in the plan
   * @param nowNs tells its simulated time at any moment
   */
  void started(int run, LongSupplier nowNs);

  /** A run is in the store. */
  void finished(int run, long endNs);
}

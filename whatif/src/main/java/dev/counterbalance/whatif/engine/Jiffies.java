package dev.counterbalance.whatif.engine;

import dev.counterbalance.whatif.rule.Tunables;

/** The kernel's tick counter and its conversions. */
final class Jiffies {
  private static final long NS_PER_S = 1_000_000_000;
  private static final long MS_PER_S = 1000;

  private final RunState state;
  private final long hz;

  /** Length of a tick in ns. */
  final long tickNs;

  Jiffies(RunState state, Tunables tunables) {
    this.state = state;
    hz = tunables.get("HZ");
    tickNs = NS_PER_S / hz;
  }

  /** Ticks since the run began. */
  long now() {
    return state.nowNs / tickNs;
  }

  /** Ticks that {@code ms} take, rounded up (msecs_to_jiffies). */
  long ofMs(long ms) {
    return (ms * hz + MS_PER_S - 1) / MS_PER_S;
  }
}

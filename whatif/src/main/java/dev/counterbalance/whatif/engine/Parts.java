package dev.counterbalance.whatif.engine;

/**
 * What a rule's switches, or an oracle, make of the engine: queue order, placement, and which ticks
 * there are.
 */
record Parts(FairQueues fair, Placement placement, Ticking ticking) {
  /** Which ticks a rule needs. */
  enum Ticking {
    HZ,
    QUANTUM,
    NONE
  }

  static Parts of(
      SimSpec spec, RunState state, Speeds speeds, Schedstat schedstat, Scheduler scheduler) {
    if (spec.oracle() == null) {
      return kernel(spec, state, speeds, schedstat);
    }
    return switch (spec.oracle()) {
      case "no-balance" -> kernel(spec, state, speeds, schedstat);
      case "random-placement" ->
          new Parts(
              new Cfs26(state, speeds, spec.switches(), spec.tunables()),
              new RandomPlacement(state, spec.seed(), false),
              Ticking.HZ);
      case "static-split" ->
          new Parts(
              new FifoQueues(state, speeds),
              new RandomPlacement(state, spec.seed(), true),
              Ticking.NONE);
      case "global-fifo" ->
          new Parts(
              new SharedQueue(state, speeds, false, scheduler),
              new SharedPlacement(state),
              Ticking.NONE);
      case "processor-sharing" ->
          new Parts(
              new SharedQueue(state, speeds, true, scheduler),
              new SharedPlacement(state),
              Ticking.QUANTUM);
      default -> throw new IllegalArgumentException("must be an oracle rule: " + spec.oracle());
    };
  }

  private static Parts kernel(SimSpec spec, RunState state, Speeds speeds, Schedstat schedstat) {
    return new Parts(
        new Cfs26(state, speeds, spec.switches(), spec.tunables()),
        new Placement26(state, schedstat),
        Ticking.HZ);
  }
}

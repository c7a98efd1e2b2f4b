package dev.counterbalance.whatif.run;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.whatif.engine.DecisionSink;
import dev.counterbalance.whatif.engine.Schedstat;
import dev.counterbalance.whatif.engine.SimResult;
import dev.counterbalance.whatif.engine.SimSpec;
import dev.counterbalance.whatif.engine.Simulation;
import java.util.function.ToIntFunction;

/** Carries out a run; a seam for tests. */
@FunctionalInterface
public interface Engine {
  /** What a run leaves beside its events. */
  record Ran(SimResult result, Schedstat schedstat) {}

  /** The simulator. */
  Engine SIMULATION =
      (spec, sink, nameIds, decisions) -> {
        Simulation simulation = new Simulation(spec, sink, nameIds, decisions);
        SimResult result = simulation.run();
        return new Ran(result, simulation.schedstat());
      };

  /** Runs to the end; the sink has been told of the beginning. */
  Ran run(SimSpec spec, EventSink sink, ToIntFunction<String> nameIds, DecisionSink decisions);
}

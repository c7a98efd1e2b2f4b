package dev.counterbalance.cli.run;

import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.whatif.run.RunSpec;
import java.util.Optional;

/**
 * One run of a command.
 *
 * @param spec what decides it
 * @param hash of the spec
 * @param name in the store
 * @param keepEvents whether it keeps its events
 * @param stored the run of the same spec that is in the store
 * @param isDue whether it is to be carried out; else the stored one stands
 */
public record PlannedRun(
    RunSpec spec,
    String hash,
    String name,
    boolean keepEvents,
    Optional<TraceRef> stored,
    boolean isDue) {}

package dev.counterbalance.whatif.run;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.engine.SimSpec;
import dev.counterbalance.whatif.workload.Workload;

/**
 * Everything that decides a run and its figures.
 *
 * @param workload the tasks
 * @param workloadHash {@link CanonicalText#hash(Workload)}, computed once for all runs
 * @param machine the machine, changes applied
 * @param machineText how the user named it: {@code 4s4c}
 * @param domains its domains as the rule's kernel builds them
 * @param rule the rule
 * @param horizonNs when the run ends at the latest
 * @param untilDone whether the run is one of fixed work: it goes on until every task has exited
 * @param warmupNs figures are read from here on
 * @param seed of everything random
 */
public record RunSpec(
    Workload workload,
    String workloadHash,
    Machine machine,
    String machineText,
    SchedDomains domains,
    RuleChoice rule,
    long horizonNs,
    boolean untilDone,
    long warmupNs,
    long seed) {
  /** Counts what simulations mean: changes with every change that moves an event. */
  public static final int MODEL_VERSION = 1;

  private static final int SHORT = 10;

  public RunSpec {
    if (horizonNs <= 0) {
      throw new IllegalArgumentException("must be > 0: horizonNs=" + horizonNs);
    }
    if (warmupNs < 0 || warmupNs >= horizonNs) {
      throw new IllegalArgumentException(
          "must be >= 0 and below horizonNs=" + horizonNs + ": warmupNs=" + warmupNs);
    }
  }

  /** The same with another seed. */
  public RunSpec withSeed(long other) {
    return new RunSpec(
        workload,
        workloadHash,
        machine,
        machineText,
        domains,
        rule,
        horizonNs,
        untilDone,
        warmupNs,
        other);
  }

  /** One line a fact, in a fixed order; equal texts are equal runs. */
  public String canonicalText() {
    return "model "
        + MODEL_VERSION
        + "\nworkload "
        + workloadHash
        + "\nrule "
        + rule.label()
        + "\n"
        + rule.text().strip()
        + "\n"
        + CanonicalText.of(machine)
        + "end "
        + (untilDone ? "work" : "horizon")
        + " "
        + horizonNs
        + "\nwarmup "
        + warmupNs
        + "\nseed "
        + seed
        + "\n";
  }

  /** SHA-256 of {@link #canonicalText}, in hexadecimal digits. */
  public String hash() {
    return CanonicalText.sha256(canonicalText());
  }

  /** The first digits of a hash: enough for people to tell runs apart. */
  public static String shortHash(String hash) {
    return hash.substring(0, SHORT);
  }

  SimSpec simSpec() {
    return new SimSpec(
        workload,
        machine,
        domains,
        rule.switches(),
        rule.tunables(),
        rule.balancer().get(),
        rule.oracle(),
        horizonNs,
        seed);
  }
}

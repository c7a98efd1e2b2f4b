package dev.counterbalance.whatif.run;

import java.util.function.Predicate;

/** What a run is called in a store: {@code NAME@RULE[+K=V...]#SEED}. */
public final class RunName {
  private RunName() {}

  /**
   * The name of a run.
   *
   * @param taken whether another run has that name: then the hash tells them apart
   */
  public static String of(RunSpec spec, Predicate<String> taken) {
    String name = spec.workload().name() + '@' + spec.rule().label() + '#' + spec.seed();
    return taken.test(name) ? name + '~' + RunSpec.shortHash(spec.hash()) : name;
  }
}

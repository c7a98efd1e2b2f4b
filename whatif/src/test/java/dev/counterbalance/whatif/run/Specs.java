package dev.counterbalance.whatif.run;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.TopologySpec;
import dev.counterbalance.whatif.domain.DomainBuilder;
import dev.counterbalance.whatif.domain.DomainOptions;
import dev.counterbalance.whatif.rules.ResolvedRule;
import dev.counterbalance.whatif.rules.Rules;
import dev.counterbalance.whatif.workload.Generators;
import dev.counterbalance.whatif.workload.Workload;
import java.util.List;

/** Runs for tests, from the same texts as on a command line. */
final class Specs {
  static final long SECOND = 1_000_000_000L;

  private Specs() {}

  static RunSpec of(String workload, String topology, String rule, String... settings) {
    Machine machine = TopologySpec.parse(topology);
    return of(Generators.parse(workload, machine.cpus().size()), machine, rule, settings);
  }

  static RunSpec of(Workload workload, Machine machine, String rule, String... settings) {
    ResolvedRule resolved = Rules.load().resolve(rule, List.of(settings), machine.cpus().size());
    return new RunSpec(
        workload,
        CanonicalText.hash(workload),
        machine,
        "test",
        DomainBuilder.build(
            machine, DomainOptions.of(resolved.switches().asMap(), resolved.levels())),
        new RuleChoice(
            resolved.id(),
            resolved.changes(),
            resolved.text(),
            resolved.switches(),
            resolved.tunables(),
            resolved::newBalancer,
            resolved.oracle()),
        SECOND,
        false,
        0,
        1);
  }
}

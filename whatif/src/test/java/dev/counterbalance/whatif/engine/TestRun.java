package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.MachineChanges;
import dev.counterbalance.trace.machine.TopologySpec;
import dev.counterbalance.whatif.domain.DomainBuilder;
import dev.counterbalance.whatif.domain.DomainOptions;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rules.ResolvedRule;
import dev.counterbalance.whatif.rules.Rules;
import dev.counterbalance.whatif.workload.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A run in a test, put together in one line; no background noise unless it is asked for. */
final class TestRun {
  private static final long NS_PER_MS = 1_000_000;
  private static final Rules RULES = Rules.load();

  private final String rule;
  private final Workload workload;
  private Machine machine;
  private final List<String> settings = new ArrayList<>(List.of("backgroundNoise=0"));
  private long horizonNs = 10_000 * NS_PER_MS;
  private long warmUpNs;
  private long seed = 1;
  private DecisionSink decisions = DecisionSink.NONE;
  private UnaryOperator<LoadBalancer> wrapBalancer = UnaryOperator.identity();

  SimResult result;
  Simulation simulation;

  TestRun(String topology, String rule, Workload workload) {
    this.rule = rule;
    this.workload = workload;
    machine = TopologySpec.parse(topology);
  }

  TestRun set(String setting) {
    settings.removeIf(
        s -> s.substring(0, s.indexOf('=')).equals(setting.substring(0, setting.indexOf('='))));
    settings.add(setting);
    return this;
  }

  TestRun isolated(String cpuList) {
    machine = MachineChanges.isolated(machine, cpuList);
    return this;
  }

  TestRun offline(String cpuList) {
    machine = MachineChanges.offline(machine, cpuList);
    return this;
  }

  /** Puts something between the engine and the rule's decision functions. */
  TestRun around(UnaryOperator<LoadBalancer> wrapper) {
    wrapBalancer = wrapper;
    return this;
  }

  TestRun ms(long horizonMs) {
    horizonNs = horizonMs * NS_PER_MS;
    return this;
  }

  TestRun warmUpMs(long ms) {
    warmUpNs = ms * NS_PER_MS;
    return this;
  }

  TestRun seed(long value) {
    seed = value;
    return this;
  }

  TestRun decisions(DecisionSink sink) {
    decisions = sink;
    return this;
  }

  int cpus() {
    return machine.cpus().size();
  }

  SimSpec spec() {
    int online = (int) machine.cpus().stream().filter(c -> c.online).count();
    ResolvedRule resolved = RULES.resolve(rule, settings, online);
    SchedDomains domains =
        DomainBuilder.build(
            machine, DomainOptions.of(resolved.switches().asMap(), resolved.levels()));
    return new SimSpec(
        workload,
        machine,
        domains,
        resolved.switches(),
        resolved.tunables(),
        wrapBalancer.apply(resolved.newBalancer()),
        resolved.oracle(),
        horizonNs,
        seed);
  }

  /** Runs, and gives the books. */
  Books go() {
    Books books = new Books(cpus(), workload.tasks(), warmUpNs);
    into(books);
    return books;
  }

  TestRun into(EventSink sink) {
    Map<String, Integer> names = new HashMap<>();
    simulation =
        new Simulation(
            spec(), sink, name -> names.computeIfAbsent(name, n -> names.size()), decisions);
    result = simulation.run();
    return this;
  }
}

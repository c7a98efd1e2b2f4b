package dev.counterbalance.cli;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.MachineChanges;
import dev.counterbalance.whatif.domain.DomainBuilder;
import dev.counterbalance.whatif.domain.DomainOptions;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.rtapp.Workloads;
import dev.counterbalance.whatif.rules.ResolvedRule;
import dev.counterbalance.whatif.rules.Rules;
import dev.counterbalance.whatif.run.CanonicalText;
import dev.counterbalance.whatif.run.RuleChoice;
import dev.counterbalance.whatif.run.RunSpec;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Turns what a command line says of a run into what the simulator takes; refuses the rest. */
final class WhatifInputs {
  /** A run of work that is longer than this never ends. */
  private static final long ENDLESS_NS = Long.MAX_VALUE / 8;

  private WhatifInputs() {}

  /** How long a run is. */
  record Span(long horizonNs, boolean untilDone, long warmupNs) {}

  /** The workload of {@code --workload}: a file, or a generator. */
  static Workload workload(String fileOrGenerator, int cpus) throws IOException {
    try {
      return Workloads.read(fileOrGenerator, cpus);
    } catch (WorkloadException e) {
      if (fileOrGenerator.endsWith(".json") || Files.isRegularFile(Path.of(fileOrGenerator))) {
        throw Refusal.data(sentence(e), e);
      }
      throw Refusal.usage("--workload: " + sentence(e));
    }
  }

  /** The machine of {@code --topology}, changed by the other options; null where not given. */
  static Machine machine(String topology, String offline, String isolated, boolean noSmt)
      throws IOException {
    try {
      Machine machine = MachineOption.machine(topology);
      machine = offline == null ? machine : MachineChanges.offline(machine, offline);
      machine = isolated == null ? machine : MachineChanges.isolated(machine, isolated);
      return noSmt ? MachineChanges.noSmt(machine) : machine;
    } catch (IllegalArgumentException e) {
      throw Refusal.usage(sentence(e));
    }
  }

  /** How the machine is called: what the user typed. */
  static String machineText(String topology, String offline, String isolated, boolean noSmt) {
    return topology
        + (offline == null ? "" : " offline " + offline)
        + (isolated == null ? "" : " isolated " + isolated)
        + (noSmt ? " nosmt" : "");
  }

  /** One spec a rule, all of the same seed. */
  static List<RunSpec> specs(
      Workload workload,
      Machine machine,
      String machineText,
      List<String> rules,
      List<String> settings,
      Span span) {
    Rules known = Rules.load();
    String workloadHash = CanonicalText.hash(workload);
    int online = (int) machine.cpus().stream().filter(cpu -> cpu.online).count();
    List<RunSpec> specs = new ArrayList<>();
    for (String rule : rules) {
      try {
        ResolvedRule resolved = known.resolve(rule, settings, online);
        boolean noSmt = resolved.switches().is("smt", "off");
        Machine own = noSmt ? MachineChanges.noSmt(machine) : machine;
        SchedDomains domains =
            DomainBuilder.build(
                own, DomainOptions.of(resolved.switches().asMap(), resolved.levels()));
        specs.add(
            new RunSpec(
                workload,
                workloadHash,
                own,
                machineText,
                domains,
                choice(resolved),
                span.horizonNs(),
                span.untilDone(),
                span.warmupNs(),
                1));
      } catch (IllegalArgumentException e) {
        throw Refusal.usage(sentence(e));
      }
    }
    return specs;
  }

  private static RuleChoice choice(ResolvedRule rule) {
    return new RuleChoice(
        rule.id(),
        rule.changes(),
        rule.text(),
        rule.switches(),
        rule.tunables(),
        rule::newBalancer,
        rule.oracle());
  }

  /** The name of a task that never exits; null if every one does. */
  static String endless(Workload workload) {
    for (int task = 0; task < workload.tasks(); task++) {
      for (int op = workload.firstOp(task); op < workload.endOp(task); op++) {
        OpKind kind = workload.kind(op);
        boolean runs = kind == OpKind.RUN || kind == OpKind.RUN_TIME;
        if ((runs && workload.arg(op) > ENDLESS_NS)
            || (kind == OpKind.LOOP && workload.arg(op) < 0)) {
          return workload.name(task);
        }
      }
    }
    return null;
  }

  private static String sentence(Exception e) {
    return MachineOption.sentence(e);
  }
}

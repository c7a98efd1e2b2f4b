package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Format;
import dev.counterbalance.cli.report.MachineMap;
import dev.counterbalance.cli.report.ReportWriter;
import dev.counterbalance.cli.report.RunFacts;
import dev.counterbalance.cli.report.RunReport;
import dev.counterbalance.cli.report.RunReport.RuleRuns;
import dev.counterbalance.cli.report.RunReport.TaskGroup;
import dev.counterbalance.cli.report.Section;
import dev.counterbalance.cli.report.TaskGroups;
import dev.counterbalance.cli.run.KeepEvents;
import dev.counterbalance.cli.run.PlannedRun;
import dev.counterbalance.cli.run.RunPlan;
import dev.counterbalance.cli.run.RunPool;
import dev.counterbalance.cli.run.RunTarget;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.whatif.run.Engine;
import dev.counterbalance.whatif.run.RunSpec;
import dev.counterbalance.whatif.workload.Workload;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trace-whatif}: the same work under several balancer rules. */
@Command(
    name = "trace-whatif",
    aliases = "whatif",
    versionProvider = Version.class,
    description = {
      "Simulate a workload on a machine under one or more balancer rules, and compare what each"
          + " leaves idle, how long tasks wait, and what each task gets.",
      ""
    },
    synopsisHeading = "Usage:%n",
    customSynopsis = {
      "  trace-whatif --workload FILE.json|NAME:K=V,... --topology SPEC|FILE --rule ID...",
      "               [-o STORE] [--set K=V]... [--seeds N] [--horizon T|work] [--warmup T]",
      "               [--offline CPUS] [--isolated CPUS] [--nosmt] [--jobs N] [--check]",
      "               [--keep-events first|all|none] [--replace] [--why CPU@TIME] [--format FORMAT]",
      "  trace-whatif STORE --trace NAME --why CPU@TIME [--format FORMAT]"
    },
    footer = {
      "",
      "T is 1.5 or 1.5s, 200ms, 30us, 12ns; TIME counts from the run's start. Every rule is run with"
          + " the same seeds. A run that STORE has already is not made again: it goes on where a"
          + " command was stopped. Figures say where they come from in the table run_metric.",
      "",
      "Examples:",
      "  trace-whatif --workload soakers:idle=16,normal=1 --topology 4s4c --rule v2.6.36 \\",
      "      --rule prefer-utilization",
      "  trace-whatif --workload load.json --topology 1s2l2c --rule v2.6.36 --seeds 20 -o lab.duckdb",
      "  trace-whatif lab.duckdb --trace 'load@v2.6.36#1' --why 3@2.5s"
    })
final class WhatifCommand implements Callable<Integer> {
  private static final String WORK = "work";
  private static final String USUAL_HORIZON = "10s";
  private static final long LONGEST_NS = 3_600_000_000_000L;
  private static final long LEAST_WARMUP_NS = 500_000_000;
  private static final int WARMUP_PARTS = 20;
  private static final int MOST_SEEDS = 100_000;

  private final Console console;

  @SuppressWarnings("unused") // picocli fills and reads it
  @Mixin
  private CommonOptions common;

  @Mixin private WhatifOptions options;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "STORE",
      description = "A store with simulated runs, for --why.")
  private Path stored;

  WhatifCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    WhyPoint why = options.why == null ? null : WhyPoint.parse(options.why);
    if (why != null && options.format == Format.CSV) {
      throw Refusal.usage("The answer to --why is more than one table. Use --format json.");
    }
    if (stored != null) {
      answerFromStore(why);
      return Main.EXIT_OK;
    }
    checkUsage();
    Machine machine =
        WhatifInputs.machine(options.topology, options.offline, options.isolated, options.noSmt);
    Workload workload = WhatifInputs.workload(options.workload, machine.cpus().size());
    List<RunSpec> rules =
        WhatifInputs.specs(
            workload,
            machine,
            WhatifInputs.machineText(
                options.topology, options.offline, options.isolated, options.noSmt),
            options.rules.stream().distinct().toList(),
            options.settings,
            span(workload));
    KeepEvents keep = keep(why);
    if (options.check) {
      map(rules.get(0));
      write(WhatifCheck.sections(options, rules, seeds(rules), keep, console.unicode()));
    } else {
      run(rules, keep, why);
    }
    return Main.EXIT_OK;
  }

  private void checkUsage() {
    if (options.workload == null) {
      throw Refusal.usage(
          "Say what to run with --workload, or name a STORE and ask it with --why.");
    }
    if (options.trace != null) {
      throw Refusal.usage("--trace belongs to a STORE; with --workload it does nothing.");
    }
    if (options.topology == null) {
      throw Refusal.usage("Say on what machine it runs with --topology, such as 4s4c.");
    }
    if (options.rules.isEmpty()) {
      throw Refusal.usage("Give at least one --rule. trace-rules list names them.");
    }
    if (options.seeds < 1 || options.seeds > MOST_SEEDS) {
      throw Refusal.usage("--seeds must be 1 to " + MOST_SEEDS + ": " + options.seeds + ".");
    }
    if (options.jobs != null && options.jobs < 1) {
      throw Refusal.usage("--jobs must be at least 1: " + options.jobs + ".");
    }
    if (options.output == null && (options.replace || options.keepEvents != null)) {
      throw Refusal.usage(
          (options.replace ? "--replace" : "--keep-events") + " needs a store: give -o STORE.");
    }
    if (options.why != null && options.keepEvents == KeepEvents.NONE) {
      throw Refusal.usage("--why needs events; --keep-events none drops them.");
    }
  }

  /** Draws the machine and the domains that the rule builds on it. */
  private void map(RunSpec rule) {
    if (options.format != Format.TEXT && options.format != Format.MARKDOWN) {
      return;
    }
    boolean fenced = options.format == Format.MARKDOWN;
    if (fenced) {
      console.line("```");
    }
    MachineMap.render(rule.machine(), rule.domains()).lines().forEach(console::line);
    console.line(fenced ? "```" : "");
  }

  private KeepEvents keep(WhyPoint why) {
    if (options.keepEvents != null) {
      return options.keepEvents;
    }
    return options.output == null && why == null ? KeepEvents.NONE : KeepEvents.FIRST;
  }

  private WhatifInputs.Span span(Workload workload) {
    String endless = WhatifInputs.endless(workload);
    String horizon = options.horizon;
    if (horizon == null) {
      horizon = endless == null ? WORK : USUAL_HORIZON;
      if (workload.durationNs() > 0) {
        horizon = workload.durationNs() + "ns";
      }
    }
    boolean untilDone = horizon.equals(WORK);
    if (untilDone && endless != null) {
      throw Refusal.usage(
          "--horizon work would never end: the task '" + endless + "' runs for ever. Give a time.");
    }
    long horizonNs;
    try {
      horizonNs = untilDone ? LONGEST_NS : TimeOffset.parse(horizon).ns();
    } catch (IllegalArgumentException e) {
      throw Refusal.usage("--horizon must be a time such as 10s, or work: " + horizon + ".");
    }
    if (horizonNs <= 0) {
      throw Refusal.usage("--horizon must be longer than nothing: " + horizon + ".");
    }
    long usual = Math.min(horizonNs / 2, Math.max(LEAST_WARMUP_NS, horizonNs / WARMUP_PARTS));
    long warmupNs = options.warmup != null ? options.warmup.ns() : untilDone ? 0 : usual;
    if (warmupNs >= horizonNs) {
      throw Refusal.usage("--warmup must be shorter than --horizon.");
    }
    return new WhatifInputs.Span(horizonNs, untilDone, warmupNs);
  }

  private List<RunSpec> seeds(List<RunSpec> rules) {
    List<RunSpec> specs = new ArrayList<>();
    for (RunSpec rule : rules) {
      for (int seed = 1; seed <= options.seeds; seed++) {
        specs.add(rule.withSeed(seed));
      }
    }
    return specs;
  }

  private void run(List<RunSpec> rules, KeepEvents keep, WhyPoint why) throws IOException {
    try (RunTarget target = RunTarget.open(options.output)) {
      List<PlannedRun> plan = RunPlan.of(seeds(rules), target.store(), keep, options.replace);
      int due = (int) plan.stream().filter(PlannedRun::isDue).count();
      RunSpec any = rules.get(0);
      int jobs = options.jobs == null ? Runtime.getRuntime().availableProcessors() : options.jobs;
      List<TraceRef> traces;
      try (RunBar bar = new RunBar(console, due, any.horizonNs(), any.untilDone())) {
        traces = new RunPool(Engine.SIMULATION, target, bar).run(plan, jobs);
      }
      List<TaskGroup> groups = TaskGroups.of(any.workload(), any.domains().cpus());
      List<RuleRuns> runs = byRule(plan, traces);
      boolean unicode = console.unicode();
      List<Section> sections = new ArrayList<>();
      if (options.format != Format.CSV) {
        sections.add(RunFacts.of(any, groups, options.seeds, due, plan.size() - due, unicode));
      }
      TraceStore store = target.store();
      sections.addAll(
          options.format == Format.TEXT || options.format == Format.MARKDOWN
              ? RunReport.forPeople(store, runs, groups, unicode)
              : RunReport.forMachines(store, runs, groups));
      if (why != null) {
        for (RuleRuns rule : runs) {
          sections.addAll(why.answer(store, rule.traceIds().get(0), unicode));
        }
      }
      write(sections);
      next(plan);
    }
  }

  private List<RuleRuns> byRule(List<PlannedRun> plan, List<TraceRef> traces) {
    List<RuleRuns> rules = new ArrayList<>();
    for (int i = 0; i < plan.size(); i += options.seeds) {
      List<Integer> ids =
          traces.subList(i, i + options.seeds).stream().map(TraceRef::traceId).toList();
      RunSpec spec = plan.get(i).spec();
      rules.add(new RuleRuns(spec.rule().label(), RunSpec.shortHash(spec.withSeed(0).hash()), ids));
    }
    return rules;
  }

  private void answerFromStore(WhyPoint why) throws IOException {
    if (options.workload != null) {
      throw Refusal.usage("Give a STORE or --workload, not both. Runs are added with -o STORE.");
    }
    if (why == null) {
      throw Refusal.usage(
          "Replaying a recorded trace under other rules is not built yet. A STORE of simulated"
              + " runs answers --why CPU@TIME.");
    }
    try (TraceStore store = TraceStore.openReadOnly(stored)) {
      TraceRef trace = Traces.chosen(store, options.trace);
      write(why.answer(store, trace.traceId(), console.unicode()));
    }
  }

  private void write(List<Section> sections) throws IOException {
    Writer out =
        new BufferedWriter(new OutputStreamWriter(console.out(), StandardCharsets.UTF_8), 1 << 16);
    switch (options.format) {
      case JSON -> ReportWriter.json(sections, out);
      case MARKDOWN -> ReportWriter.markdown(sections, out);
      case TEXT -> ReportWriter.text(sections, out, console.unicode());
      case CSV -> ReportWriter.csv(sections.get(0), out);
    }
    out.flush();
  }

  private void next(List<PlannedRun> plan) {
    if (options.format != Format.TEXT || options.output == null) {
      return;
    }
    String store = Shell.quote(options.output.toString());
    console.line("");
    console.line("Next:");
    plan.stream()
        .filter(PlannedRun::keepEvents)
        .findFirst()
        .ifPresent(
            run -> console.line("  trace-report " + store + " --trace " + Shell.quote(run.name())));
    console.line("  trace-sql " + store + " 'SELECT * FROM run_metric'");
  }
}

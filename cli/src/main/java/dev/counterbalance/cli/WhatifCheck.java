package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.report.RunFacts;
import dev.counterbalance.cli.report.Section;
import dev.counterbalance.cli.report.TaskGroups;
import dev.counterbalance.cli.run.KeepEvents;
import dev.counterbalance.cli.run.PlannedRun;
import dev.counterbalance.cli.run.RunPlan;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.whatif.run.RunSpec;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** {@code trace-whatif --check}: what a command would run. */
final class WhatifCheck {
  private static final int MEMORY_MB = 100;

  private WhatifCheck() {}

  static List<Section> sections(
      WhatifOptions options,
      List<RunSpec> rules,
      List<RunSpec> specs,
      KeepEvents keep,
      boolean unicode) {
    List<PlannedRun> plan;
    boolean exists = options.output != null && Files.exists(options.output);
    try (TraceStore store =
        exists ? TraceStore.openReadOnly(options.output) : TraceStore.inMemory(MEMORY_MB)) {
      plan = RunPlan.of(specs, store, keep, options.replace);
    }
    RunSpec any = rules.get(0);
    int due = (int) plan.stream().filter(PlannedRun::isDue).count();
    Section runs =
        Section.table(
            "run",
            "Runs",
            List.of(
                new Column("name", "name", Kind.TEXT),
                new Column("rule", "", Kind.TEXT),
                new Column("seed", "", Kind.NUMBER),
                new Column("spec_hash", "", Kind.TEXT),
                new Column("", "spec", Kind.TEXT),
                new Column("keeps_events", "events", Kind.TEXT),
                new Column("state", "state", Kind.TEXT)));
    for (PlannedRun run : plan) {
      runs.row(
          run.name(),
          run.spec().rule().label(),
          run.spec().seed(),
          run.hash(),
          RunSpec.shortHash(run.hash()),
          run.keepEvents() ? "kept" : "dropped",
          state(run));
    }
    List<Section> sections = new ArrayList<>();
    if (options.format != dev.counterbalance.cli.render.Format.CSV) {
      sections.add(
          RunFacts.of(
              any,
              TaskGroups.of(any.workload(), any.domains().cpus()),
              options.seeds,
              0,
              plan.size() - due,
              unicode));
    }
    sections.add(runs.note("Nothing was run."));
    return sections;
  }

  private static String state(PlannedRun run) {
    if (run.stored().isEmpty()) {
      return "to be made";
    }
    return run.isDue() ? "in the store, to be replaced" : "in the store";
  }
}

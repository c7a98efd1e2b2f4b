package dev.counterbalance.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.TopologySpec;
import dev.counterbalance.trace.store.TableSpec;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.whatif.domain.DomainBuilder;
import dev.counterbalance.whatif.domain.DomainOptions;
import dev.counterbalance.whatif.rules.ResolvedRule;
import dev.counterbalance.whatif.rules.Rules;
import dev.counterbalance.whatif.run.CanonicalText;
import dev.counterbalance.whatif.run.Engine;
import dev.counterbalance.whatif.run.RuleChoice;
import dev.counterbalance.whatif.run.RunSpec;
import dev.counterbalance.whatif.workload.Generators;
import dev.counterbalance.whatif.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPoolTest {
  private static final long MS = 1_000_000;
  private static final Set<String> DIFFERS = Set.of("uuid", "trace_id");

  @TempDir private Path folder;

  @Test
  void everyNumberOfJobsLeavesTheSameStore() {
    run(folder.resolve("one.duckdb"), specs(3, "v2.6.36", "prefer-utilization"), KeepEvents.ALL, 1);
    run(
        folder.resolve("four.duckdb"),
        specs(3, "v2.6.36", "prefer-utilization"),
        KeepEvents.ALL,
        4);
    assertThat(content(folder.resolve("four.duckdb")))
        .isEqualTo(content(folder.resolve("one.duckdb")))
        .contains("soakers+idle=1+normal=3+start=0+0+1@v2.6.36#1");
  }

  @Test
  void metricsAreWhatTheCatalogueSaysOfTheKeptTrace() {
    Path file = folder.resolve("a.duckdb");
    run(file, specs(1, "v2.6.36"), KeepEvents.FIRST, 1);
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      Entries.shadow(store);
      Query query = new Query(store);
      long warmup = 100 * MS;
      assertThat(metric(query, "idle_while_waiting.pct", "allowed"))
          .isEqualTo(
              value(
                  query,
                  "SELECT pct FROM idle_while_waiting(trace := 1, since := ?) WHERE definition ="
                      + " 'allowed'",
                  warmup));
      assertThat(metric(query, "cpu_time.idle_pct", null))
          .isCloseTo(
              value(
                  query,
                  "SELECT 100.0::DOUBLE * sum(idle_ns) / sum(observed_ns) FROM"
                      + " cpu_time(trace := 1, since := ?)",
                  warmup),
              within(1e-9));
      assertThat(metric(query, "thread_time.wait_ns", null))
          .isEqualTo(
              value(query, "SELECT sum(wait_ns) FROM thread_time(trace := 1, since := ?)", warmup));
      assertThat(metric(query, "latency_by_kind.p99_ns", "preempt"))
          .isEqualTo(
              value(
                  query,
                  "SELECT p99_ns FROM latency_by_kind(trace := 1, since := ?) WHERE kind ="
                      + " 'preempt'",
                  warmup))
          .isPositive();
      assertThat(
              query.rows(
                  "SELECT m.subject FROM run_metric m JOIN thread t ON m.subject = t.name || ':' ||"
                      + " t.tid JOIN thread_time(trace := 1, since := ?) e ON e.utid = t.utid"
                      + " WHERE m.metric = 'thread_time.cpu_pct' AND m.value = e.cpu_pct",
                  warmup))
          .hasSize(4);
      assertThat(query.rows("SELECT DISTINCT unit FROM run_metric WHERE suffix(metric, '_ns')"))
          .containsExactly(Map.of("unit", "ns"));
    }
  }

  @Test
  void aRunIsMadeOnce() {
    Path file = folder.resolve("a.duckdb");
    assertThat(due(run(file, specs(2, "v2.6.36"), KeepEvents.FIRST, 1))).isEqualTo(2);
    String before = uuids(file);
    assertThat(due(run(file, specs(3, "v2.6.36"), KeepEvents.FIRST, 1))).isEqualTo(1);
    assertThat(uuids(file)).startsWith(before);
  }

  @Test
  void aRunIsMadeAgainIfItsEventsAreWantedNow() {
    Path file = folder.resolve("a.duckdb");
    run(file, specs(2, "v2.6.36"), KeepEvents.NONE, 1);
    assertThat(due(run(file, specs(2, "v2.6.36"), KeepEvents.NONE, 1))).isZero();
    assertThat(due(run(file, specs(2, "v2.6.36"), KeepEvents.FIRST, 1))).isEqualTo(1);
    assertThat(due(run(file, specs(2, "v2.6.36"), KeepEvents.ALL, 1))).isEqualTo(1);
    assertThat(due(run(file, specs(2, "v2.6.36"), KeepEvents.ALL, 1))).isZero();
    assertThat(due(run(file, specs(2, "v2.6.36"), KeepEvents.NONE, 1))).isZero();
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      assertThat(store.traces()).hasSize(2);
    }
  }

  @Test
  void replaceMakesItAgainUnderItsName() {
    Path file = folder.resolve("a.duckdb");
    run(file, specs(2, "v2.6.36"), KeepEvents.FIRST, 1);
    String before = uuids(file);
    try (RunTarget target = RunTarget.open(file)) {
      List<PlannedRun> plan =
          RunPlan.of(specs(2, "v2.6.36"), target.store(), KeepEvents.FIRST, true);
      new RunPool(Engine.SIMULATION, target, RunProgress.NONE).run(plan, 1);
      assertThat(target.store().traces())
          .extracting(TraceRef::name)
          .containsExactly(
              "soakers+idle=1+normal=3+start=0+0+1@v2.6.36#1",
              "soakers+idle=1+normal=3+start=0+0+1@v2.6.36#2");
    }
    assertThat(uuids(file)).isNotEqualTo(before);
  }

  @Test
  void anotherMachineUnderTheSameNameGetsTheHash() {
    Path file = folder.resolve("a.duckdb");
    run(file, specs(1, "v2.6.36"), KeepEvents.FIRST, 1);
    RunSpec other = spec("4c", "v2.6.36");
    List<PlannedRun> plan = run(file, List.of(other), KeepEvents.FIRST, 1);
    assertThat(plan.get(0).name())
        .isEqualTo(
            "soakers+idle=1+normal=3+start=0+0+1@v2.6.36#1~" + other.hash().substring(0, 10));
  }

  @Test
  void eventsAreKeptAsAsked() {
    assertThat(slices(KeepEvents.FIRST)).containsExactly(1, 3);
    assertThat(slices(KeepEvents.ALL)).containsExactly(1, 2, 3, 4);
    assertThat(slices(KeepEvents.NONE)).isEmpty();
  }

  /** The traces that have events, of two rules with two seeds each. */
  private List<Integer> slices(KeepEvents keep) {
    Path file = folder.resolve(keep + ".duckdb");
    run(file, specs(2, "v2.6.36", "v2.6.37"), keep, 2);
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      Query query = new Query(store);
      assertThat(query.rows("SELECT DISTINCT trace_id FROM run_metric")).hasSize(4);
      assertThat(query.rows("SELECT DISTINCT trace_id FROM schedstat")).hasSize(4);
      assertThat(
              query.rows("SELECT trace_id FROM trace_fact WHERE key = 'event' AND value = 'none'"))
          .hasSize(keep == KeepEvents.ALL ? 0 : keep == KeepEvents.FIRST ? 2 : 4);
      return query
          .rows(
              "SELECT DISTINCT s.trace_id FROM sched_slice s JOIN balance_decision d USING"
                  + " (trace_id) ORDER BY ALL")
          .stream()
          .map(row -> ((Number) row.get("trace_id")).intValue())
          .toList();
    }
  }

  @Test
  void aRunWithoutEventsAnswersNoEntry() {
    Path file = folder.resolve("a.duckdb");
    run(file, specs(1, "v2.6.36"), KeepEvents.NONE, 1);
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      Entries entries = Entries.shadow(store);
      assertThat(entries.missing("cpu_time", 1).orElseThrow().message())
          .isEqualTo("not applicable: needs sched_switch, this trace has none");
      assertThat(new Query(store).rows("SELECT DISTINCT observed_ns FROM cpu_time"))
          .hasSize(1)
          .allSatisfy(row -> assertThat(row.get("observed_ns")).isNull());
    }
  }

  @Test
  void aFailedRunLeavesTheRunsBeforeIt() {
    Path file = folder.resolve("a.duckdb");
    Engine fails =
        (spec, sink, nameIds, decisions) -> {
          if (spec.seed() == 3) {
            throw new IllegalStateException("lost a task");
          }
          return Engine.SIMULATION.run(spec, sink, nameIds, decisions);
        };
    for (int jobs : new int[] {1, 3}) {
      Path target = folder.resolve("jobs" + jobs + ".duckdb");
      assertThatThrownBy(() -> run(target, fails, specs(5, "v2.6.36"), KeepEvents.ALL, jobs))
          .hasMessage("lost a task");
      try (TraceStore store = TraceStore.openReadOnly(target)) {
        assertThat(store.traces())
            .extracting(TraceRef::name)
            .containsExactly(
                "soakers+idle=1+normal=3+start=0+0+1@v2.6.36#1",
                "soakers+idle=1+normal=3+start=0+0+1@v2.6.36#2");
        assertThat(new Query(store).rows("SELECT DISTINCT trace_id FROM sched_slice")).hasSize(2);
      }
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void aFirstRunThatFailsLeavesNothing() throws IOException {
    Engine fails =
        (spec, sink, nameIds, decisions) -> {
          throw new IllegalStateException("lost a task");
        };
    assertThatThrownBy(
            () -> run(folder.resolve("a.duckdb"), fails, specs(2, "v2.6.36"), KeepEvents.ALL, 2))
        .hasMessage("lost a task");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  private static List<PlannedRun> run(Path file, List<RunSpec> specs, KeepEvents keep, int jobs) {
    return run(file, Engine.SIMULATION, specs, keep, jobs);
  }

  private static List<PlannedRun> run(
      Path file, Engine engine, List<RunSpec> specs, KeepEvents keep, int jobs) {
    try (RunTarget target = RunTarget.open(file)) {
      List<PlannedRun> plan = RunPlan.of(specs, target.store(), keep, false);
      List<TraceRef> traces = new RunPool(engine, target, RunProgress.NONE).run(plan, jobs);
      assertThat(traces).hasSameSizeAs(plan);
      return plan;
    }
  }

  private static long due(List<PlannedRun> plan) {
    return plan.stream().filter(PlannedRun::isDue).count();
  }

  private static List<RunSpec> specs(int seeds, String... rules) {
    List<RunSpec> specs = new ArrayList<>();
    for (String rule : rules) {
      RunSpec spec = spec("1s2l2c", rule);
      for (int seed = 1; seed <= seeds; seed++) {
        specs.add(spec.withSeed(seed));
      }
    }
    return specs;
  }

  private static RunSpec spec(String topology, String rule) {
    Machine machine = TopologySpec.parse(topology);
    Workload workload =
        Generators.parse("soakers:idle=1,normal=3,start=0+0+1", machine.cpus().size());
    ResolvedRule resolved = Rules.load().resolve(rule, List.of(), machine.cpus().size());
    return new RunSpec(
        workload,
        CanonicalText.hash(workload),
        machine,
        topology,
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
        1000 * MS,
        false,
        100 * MS,
        1);
  }

  private static double metric(Query query, String metric, String subject) {
    return ((Number)
            query
                .rows(
                    "SELECT value FROM run_metric WHERE scope = 'machine' AND metric = ? AND"
                        + " subject IS NOT DISTINCT FROM ?::VARCHAR",
                    metric,
                    subject)
                .get(0)
                .get("value"))
        .doubleValue();
  }

  private static double value(Query query, String sql, long sinceNs) {
    return ((Number) query.rows(sql, sinceNs).get(0).values().iterator().next()).doubleValue();
  }

  private static String uuids(Path file) {
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      StringBuilder uuids = new StringBuilder();
      store.traces().forEach(trace -> uuids.append(trace.uuid()).append(' '));
      return uuids.toString();
    }
  }

  /** Every row of every table, in its order, but for what differs between any two runs. */
  private static String content(Path file) {
    StringBuilder text = new StringBuilder();
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      Query query = new Query(store);
      for (TableSpec table : Tables.ALL) {
        text.append(table.name()).append('\n');
        for (Map<String, Object> row : query.rows("SELECT * FROM \"" + table.name() + "\"")) {
          row.keySet().removeAll(DIFFERS);
          text.append(row.values()).append('\n');
        }
      }
    }
    return text.toString();
  }
}

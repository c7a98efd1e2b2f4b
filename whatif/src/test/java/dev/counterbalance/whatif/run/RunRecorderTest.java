package dev.counterbalance.whatif.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.MachineChanges;
import dev.counterbalance.trace.machine.TopologySpec;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunRecorderTest {
  private final TraceStore store = TraceStore.inMemory(200);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theTraceSaysWhatItIs() throws SQLException {
    record(Specs.of("soakers:idle=1", "1s2l2c", "v2.6.36", "HZ=1000").withSeed(3), true);
    assertThat(
            rows(
                "SELECT kind, rule, seed, start_ns, end_ns, cpus_online, parent_trace_id"
                    + " FROM trace"))
        .containsExactly("simulated|v2.6.36|3|0|1000000000|4|null");
    assertThat(
            rows(
                "SELECT params->>'$.set.HZ', params->>'$.tunables.HZ',"
                    + " params->>'$.switches.imb_needs_nr2' FROM trace"))
        .containsExactly("1000|1000|off");
    assertThat(
            rows(
                "SELECT key, value, source FROM trace_fact WHERE key IN"
                    + " ('machine', 'horizon_ns', 'warmup_ns', 'end', 'model_version') ORDER BY key"))
        .containsExactly(
            "end|horizon|user",
            "horizon_ns|1000000000|user",
            "machine|test|user",
            "model_version|" + RunSpec.MODEL_VERSION + "|derived",
            "warmup_ns|0|user");
  }

  @Test
  void theHashIsAFact() throws SQLException {
    RunSpec spec = Specs.of("soakers:idle=1", "2c", "v2.6.36");
    record(spec, false);
    assertThat(rows("SELECT value FROM trace_fact WHERE key = 'spec_hash'"))
        .containsExactly(spec.hash());
  }

  @Test
  void tasksTellPolicyWeightAndAffinity() throws SQLException {
    WorkloadBuilder builder = new WorkloadBuilder("w");
    builder.task("plain");
    builder.nice(-15).hog();
    builder.task("low");
    builder.policy(Policy.IDLE, 0).hog();
    builder.task("pinned");
    builder.affinity(builder.mask(CpuSet.of(4, 1, 2))).hog();
    builder.task("fast");
    builder.policy(Policy.FIFO, 7);
    builder.run(1000);
    record(Specs.of(builder.build(), TopologySpec.parse("4c"), "v2.6.36"), false);
    assertThat(
            rows(
                "SELECT name, tid, is_kernel, policy, nice, weight, affinity::VARCHAR,"
                    + " affinity_source FROM thread WHERE NOT is_kernel ORDER BY tid"))
        .containsExactly(
            "plain|1000|false|normal|-15|29154|1111|workload",
            "low|1001|false|idle|0|3|1111|workload",
            "pinned|1002|false|normal|0|1024|0110|workload",
            "fast|1003|false|fifo|null|null|1111|workload");
    assertThat(
            rows(
                "SELECT DISTINCT regexp_replace(name, '[0-9].*', '') FROM thread"
                    + " WHERE is_kernel AND NOT is_idle ORDER BY ALL"))
        .contains("kworker/");
  }

  @Test
  void domainsAreThoseTheRuleBuilds() throws SQLException {
    Machine machine = MachineChanges.offline(TopologySpec.parse("1s2l2c"), "3");
    Workload workload = Specs.of("soakers:idle=1", "1s2l2c", "v2.6.36").workload();
    record(Specs.of(workload, machine, "v2.6.36"), false);
    // kernel-rules 1.4: MC 125 %, CPU 125 %; intervals of 1 to 4 ms.
    assertThat(
            rows(
                "SELECT cpu, level, name, span::VARCHAR, imbalance_pct, min_interval,"
                    + " max_interval, source FROM sched_domain ORDER BY cpu, level"))
        .contains("0|0|MC|0011|125|1|4|derived", "0|1|CPU|0111|125|1|4|derived")
        .noneMatch(row -> row.startsWith("3|"));
    assertThat(rows("SELECT cpu FROM cpu WHERE NOT online")).containsExactly("3");
  }

  @Test
  void decisionsAreKeptWithEventsOnly() throws SQLException {
    RunSpec spec = Specs.of("soakers:idle=3,normal=2", "1s2l2c", "v2.6.36");
    record(spec, false);
    assertThat(rows("SELECT count(*) FROM balance_decision")).containsExactly("0");
    store.clear();
    record(spec, true);
    assertThat(rows("SELECT count(*) > 100 FROM balance_decision")).containsExactly("true");
    assertThat(
            rows(
                "SELECT count(*) FROM balance_decision WHERE (reason = 'moved') <> (moved > 0)"
                    + " OR level NOT IN (0, 1) OR ts < 0 OR ts > 1000000000"
                    + " OR (reason = 'not_balancer') <> (local_nr IS NULL)"))
        .containsExactly("0");
  }

  @Test
  void countersAddUpToTheDecisions() throws SQLException {
    record(Specs.of("soakers:idle=0,normal=4,start=packed", "1s2l2c", "v2.6.36"), true);
    assertThat(
            rows(
                "SELECT (SELECT sum(value) FROM schedstat WHERE counter = 'lb_gained')"
                    + " = (SELECT sum(moved) FROM balance_decision WHERE moved > 0), (SELECT DISTINCT phase FROM"
                    + " schedstat)"))
        .containsExactly("true|simulated");
  }

  @Test
  void theClockRuns() {
    List<LongSupplier> clocks = new ArrayList<>();
    RunSpec spec = Specs.of("soakers:idle=0,normal=3", "2c", "v2.6.36");
    try (TraceImport trace = store.beginImport("t", false)) {
      new RunRecorder(Engine.SIMULATION).record(spec, trace, false, clocks::add);
      trace.commit();
    }
    // Three hogs on two CPUs: there is a switch at least every 24 ms.
    assertThat(clocks.get(0).getAsLong()).isBetween(900_000_000L, Specs.SECOND);
  }

  private void record(RunSpec spec, boolean keepEvents) {
    try (TraceImport trace = store.beginImport("t", false)) {
      new RunRecorder(Engine.SIMULATION).record(spec, trace, keepEvents, clock -> {});
      trace.commit();
    }
  }

  private List<String> rows(String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = store.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        List<String> cells = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          cells.add(rows.getString(i));
        }
        lines.add(String.join("|", cells));
      }
    }
    return lines;
  }
}

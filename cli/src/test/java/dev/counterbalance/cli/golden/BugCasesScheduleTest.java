package dev.counterbalance.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults that were reported against other tools, from the file to what the schedule looked like;
 * see {@link BugCasesStoreTest}. A CPU outside its own first and last event is unknown by
 * expected.json; ours is known from the recording's start to its end, unless events were
 * overwritten or lost.
 */
class BugCasesScheduleTest {
  @TempDir Path folder;

  private BugCase open(String name) throws IOException, SQLException {
    return BugCase.open(folder.resolve("s.duckdb"), name);
  }

  @Test
  void case10EachCpuHasItsOwnWindow() throws Exception {
    try (BugCase bug = open("10-cpu-windows/in.txt")) {
      Map<String, Object> windows = new TreeMap<>();
      for (String row :
          bug.rows("SELECT cpu, a / 1e9, b / 1e9 FROM (" + BugCase.OWN_EVENTS + ")")) {
        String[] fields = row.split(" ", -1);
        windows.put(fields[0], List.of(Double.valueOf(fields[1]), Double.valueOf(fields[2])));
      }
      assertThat(windows).isEqualTo(bug.expected("cpu_window"));
      // What a CPU's last switch started lasts until the recording's end: only the start is cut.
      assertThat(bug.rows("SELECT cpu, first_ns // 1000, last_ns // 1000 FROM cpu"))
          .containsExactly("0 100000000 100009000", "1 100005200 100009000");
      List<Object> common = BugCase.list(bug.expected("common_window"));
      String window =
          common.stream()
              .map(time -> Long.toString(Math.round((Double) time * 1e9)))
              .collect(Collectors.joining(", until := ", "(since := ", ")"));
      assertThat(bug.numbers("SELECT cpu, idle_ns / 1e3 FROM cpu_time" + window))
          .isEqualTo(bug.expected("idle_us_in_common_window"));
      assertThat(bug.rows("SELECT count FROM import_problem WHERE code = 'overwritten_events'"))
          .containsExactly("893");
    }
  }

  @Test
  void case11MigrationsAreRecordedOrInferred() throws Exception {
    try (BugCase bug = open("11-inferred-migration/in.txt")) {
      assertThat(
              bug.numbers(
                  "SELECT 'recorded', count(*) FROM sched_migrate_task UNION ALL SELECT 'inferred',"
                      + " sum(count) FROM import_problem WHERE code = 'inferred_migration'"))
          .isEqualTo(bug.expected("migrations"));
      List<String> expected = new ArrayList<>();
      for (Object migration : BugCase.list(bug.expected("migration_list"))) {
        Map<String, Object> m = BugCase.object(migration);
        expected.add(m.get("pid") + " " + m.get("frm") + " " + m.get("to") + " " + m.get("kind"));
      }
      assertThat(
              bug.rows(
                  "WITH s AS (SELECT utid, ts, cpu, lag(cpu) OVER w AS was, lag(ts + dur) OVER w AS"
                      + " left_at FROM sched_slice WINDOW w AS (PARTITION BY utid ORDER BY ts))"
                      + " SELECT tid::DOUBLE, was::DOUBLE, cpu::DOUBLE, CASE WHEN EXISTS (FROM"
                      + " sched_migrate_task m WHERE m.utid = s.utid AND m.dest_cpu = s.cpu AND m.ts"
                      + " BETWEEN left_at AND s.ts) THEN 'recorded' ELSE 'inferred' END FROM s JOIN"
                      + " thread USING (utid) WHERE cpu <> was AND NOT is_idle ORDER BY s.ts"))
          .isEqualTo(expected);
    }
  }

  private static final String OPEN_AT_END =
      "SELECT DISTINCT tid FROM (SELECT utid FROM sched_slice WHERE end_kind = 'end' AND censored"
          + " UNION ALL SELECT utid FROM waiting, trace WHERE censored AND ts + dur = end_ns) JOIN"
          + " thread USING (utid) WHERE NOT is_idle ORDER BY tid";

  @Test
  void case12OpenIntervalsCountToTheEnd() throws Exception {
    try (BugCase bug = open("12-open-at-end/in.txt")) {
      assertThat(bug.numbers(BugCase.RUNS.replace("1e3", "1e9")))
          .isEqualTo(bug.expected("on_cpu_s"));
      assertThat(
              bug.numbers(
                  "SELECT tid, sum(dur) / 1e9 FROM waiting JOIN thread USING (utid) WHERE"
                      + " state_code > 1 GROUP BY tid"))
          .isEqualTo(bug.expected("off_cpu_s"));
      assertThat(bug.rows(OPEN_AT_END)).isEqualTo(bug.expected("open_at_end"));
    }
  }

  @Test
  void case13ARenamedTaskIsOneTask() throws Exception {
    try (BugCase bug = open("13-rename/in.txt")) {
      assertThat(bug.rows("SELECT count(*)::DOUBLE FROM thread WHERE tid = 41"))
          .containsExactly(bug.expected("tasks").toString());
      assertThat(bug.numbers(BugCase.RUNS + " HAVING tid = 41")).isEqualTo(bug.expected("run_us"));
      assertThat(
              bug.rows(
                  "SELECT n.name FROM thread_name n JOIN thread t USING (utid) WHERE tid = 41 ORDER"
                      + " BY n.ts"))
          .isEqualTo(bug.expected("names", "41"));
    }
  }

  @Test
  void case14APidUsedAgainIsAnotherTask() throws Exception {
    try (BugCase bug = open("14-pid-reuse/in.txt")) {
      List<String> expected = new ArrayList<>();
      for (Object task : BugCase.list(bug.expected("task_instances"))) {
        Map<String, Object> t = BugCase.object(task);
        expected.add(
            t.get("pid")
                + " "
                + t.get("life")
                + " "
                + t.get("comm")
                + " "
                + t.get("run_us")
                + " "
                + BugCase.list(t.get("wakeup_latency_us")).get(0));
      }
      assertThat(
              bug.rows(
                  BugCase.WAKES
                      + "SELECT tid::DOUBLE, (row_number() OVER (PARTITION BY tid ORDER BY"
                      + " start_ts))::DOUBLE, name, (SELECT sum(dur) / 1e3 FROM sched_slice s WHERE"
                      + " s.utid = t.utid), (SELECT sum(l.ts - l.wake) / 1e3 FROM latency l WHERE"
                      + " l.utid = t.utid) FROM thread t WHERE tid = 51 ORDER BY start_ts"))
          .isEqualTo(expected);
      assertThat(bug.rows("SELECT dur // 1000 FROM wait JOIN thread USING (utid) WHERE tid = 51"))
          .containsExactlyInAnyOrder("20", "190");
      assertThat(bug.rows("FROM waiting JOIN thread USING (utid) WHERE tid = 51 AND dur > 1000000"))
          .isEmpty();
    }
  }

  @Test
  void case15PlaceholdersAreNoNames() throws Exception {
    try (BugCase bug = open("15-unknown-comm/in.txt")) {
      Map<String, String> names = new TreeMap<>();
      for (String row : bug.rows("SELECT tid, name FROM thread WHERE tid > 0")) {
        names.put(row.split(" ", 2)[0], row.split(" ", 2)[1]);
      }
      assertThat(names).isEqualTo(bug.expected("name"));
      assertThat(bug.rows("FROM thread_name WHERE name LIKE '%<%'")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftrace.txt", "trace-cmd.txt"})
  void case16SilentCpusKeepTheirNumbers(String file) throws Exception {
    try (BugCase bug = open("16-sparse-cpus/" + file)) {
      assertThat(bug.rows("SELECT cpus_online::DOUBLE FROM trace"))
          .containsExactly(bug.expected("cpus").toString());
      assertThat(numbers(bug.rows("SELECT cpu FROM cpu ORDER BY cpu")))
          .isEqualTo(bug.expected("cpu_ids"));
      assertThat(numbers(bug.rows("SELECT cpu FROM cpu WHERE coverage = 'events' ORDER BY cpu")))
          .isEqualTo(bug.expected("cpus_with_events"));
      assertThat(bug.rows("SELECT idle_ns FROM cpu_time WHERE coverage = 'silent'"))
          .containsExactly("null", "null");
    }
  }

  private static List<Double> numbers(List<String> rows) {
    return rows.stream().map(Double::valueOf).collect(Collectors.toList());
  }

  @Test
  void case20WorkWaitsWhileACpuIdles() throws Exception {
    try (BugCase bug = open("20-work-waits-while-idle/in.txt")) {
      assertThat(
              bug.numbers(
                  "SELECT tid, dur / 1e3 FROM wait JOIN thread USING (utid) WHERE kind = 'preempt'"))
          .isEqualTo(bug.expected("runnable_wait_us"));
      List<String> expected = new ArrayList<>();
      for (Object episode : BugCase.list(bug.expected("idle_while_work_waits"))) {
        Map<String, Object> e = BugCase.object(episode);
        expected.add(
            e.get("idle_cpu")
                + " "
                + e.get("waiting_pid")
                + " "
                + e.get("from_")
                + " "
                + e.get("to")
                + " "
                + e.get("us"));
      }
      assertThat(
              bug.rows(
                  "SELECT idle_cpu::DOUBLE, tid::DOUBLE, ts / 1e9, (ts + dur) / 1e9, dur / 1e3 FROM"
                      + " idle_episode JOIN thread ON utid = waiting_utid ORDER BY ts"))
          .isEqualTo(expected);
      assertThat(bug.rows("SELECT ended_by FROM idle_episode ORDER BY ts"))
          .containsExactly("idle_cpu_busy", "pulled");
      assertThat(numbers(bug.rows("SELECT cpu FROM cpu_time WHERE idle_ns IS NULL ORDER BY cpu")))
          .isEqualTo(bug.expected("cpus_never_seen"));
    }
  }

  @Test
  void case21AFirstRunOfUnknownStartHasNoLength() throws Exception {
    try (BugCase bug = open("21-no-first-sched-in/in.txt")) {
      assertThat(bug.numbers(BugCase.RUNS)).isEqualTo(bug.expected("run_us"));
      // The store's way to say unknown: no length, and censored.
      assertThat(
              bug.rows(
                  "SELECT tid FROM sched_slice s JOIN thread USING (utid), trace WHERE s.censored"
                      + " AND s.dur = 0 AND s.ts = start_ns"))
          .isEqualTo(bug.expected("unknown_before"));
    }
  }

  /** Nodes are those of topology.json: CPUs 0 and 1, and 2 and 3. */
  @Test
  void case23ANodeIsLeftIdle() throws Exception {
    try (BugCase bug = open("23-node-left-idle/in.txt")) {
      assertThat(bug.rows("SELECT count(*)::DOUBLE FROM sched_migrate_task"))
          .containsExactly(bug.expected("migrations").toString());
      assertThat(bug.rows("SELECT count FROM import_problem WHERE code = 'inferred_migration'"))
          .isEmpty();
      // The idle fractions of expected.json are of each CPU between its first and last event.
      Map<String, Object> fractions =
          bug.numbers(
              "SELECT s.cpu, sum(if(is_idle, greatest(0, least(s.ts + dur, b) - greatest(s.ts, a)),"
                  + " 0)) / any_value(b - a) FROM sched_slice s JOIN thread USING (utid) JOIN"
                  + " ("
                  + BugCase.OWN_EVENTS
                  + ") USING (cpu) GROUP BY s.cpu");
      BugCase.object(bug.expected("idle_fraction"))
          .forEach(
              (cpu, fraction) -> {
                if (fraction instanceof String text) {
                  assertThat((Double) fractions.get(cpu))
                      .as("cpu " + cpu)
                      .isGreaterThan(Double.parseDouble(text.substring(1)));
                } else {
                  assertThat(fractions).containsEntry(cpu, fraction);
                }
              });
      // Averages over the recording: two of the four spinners wait at any time, on node 0.
      assertThat(
              bug.rows(
                  "SELECT tid::DOUBLE FROM wait JOIN thread USING (utid) GROUP BY tid ORDER BY tid"))
          .isEqualTo(
              BugCase.list(bug.expected("waiting_pids")).stream()
                  .map(Object::toString)
                  .collect(Collectors.toList()));
      assertThat(
              bug.numbers(
                  "SELECT cpu // 2, round(sum(nr_running * dur) / any_value(end_ns - start_ns)) FROM"
                      + " run_queue, trace GROUP BY cpu // 2"))
          .isEqualTo(bug.expected("runnable_per_node"));
      assertThat(bug.rows("SELECT DISTINCT waiting_cpu // 2, idle_cpu // 2 FROM idle_episode"))
          .containsExactly("0 1");
      // From the first to the last event but for the first µs of CPU 1, two wait beside an idle
      // one.
      assertThat(
              bug.rows(
                  "SELECT sum(m_dur) > 0.999 * any_value(end_ns - start_ns) FROM run_queue, trace"
                      + " WHERE m_waiting >= 2 AND m_idle > 0"))
          .containsExactly("true");
    }
  }
}

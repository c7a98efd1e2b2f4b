package dev.counterbalance.trace.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.event.ProcessEvent;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.TopologySpec;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.trace.task.Names;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a sidecar tells lands at the threads that it tells of, and nowhere else. */
@SuppressWarnings("EnumOrdinal") // the sink is given kinds as ordinals
class SidecarTest {
  private static final int R = 0;
  private static final int EXITED = 16;

  private final Sidecar sidecar = new Sidecar();
  private final Names names = new Names();
  private final TraceInfo info = new TraceInfo();
  private final int idle = names.of("swapper/0");

  private static Sidecar.Task task(String comm, String policy, int nice, String affinity) {
    return new Sidecar.Task(comm, policy, nice, affinity, "/x", Sidecar.NO_COOKIE);
  }

  /** Runs a task on CPU 0 for a ns, from and to idle. */
  private void runs(TraceBuilder sink, long ts, int tid, String name, long endState) {
    sink.onSwitch(ts, 0, 0, idle, 120, R, tid, names.of(name), 120);
    sink.onSwitch(ts + 1, 0, tid, names.of(name), 120, endState, 0, idle, 120);
  }

  /**
   * Tid 7 lives from before to the end; 8 dies and is forked again; 9 is forked and stays; 10 goes
   * by other names than in the sidecar; 11 is a kernel worker; 12 is not in the sidecar.
   */
  private List<String> rows(String query, Machine given) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (TraceStore store = TraceStore.inMemory(100)) {
      try (TraceImport trace = store.beginImport("t", false)) {
        TraceBuilder sink = new TraceBuilder(trace, "test", names);
        sink.sidecar(sidecar);
        if (given != null) {
          sink.topology(given, "typed");
        }
        info.endNs = 1000;
        sink.begin(info);
        sink.onCpuStart(0, 0, 0, false);
        sink.onCpuStart(0, 1, 0, true);
        runs(sink, 10, 7, "seven", 1);
        runs(sink, 20, 8, "eight", EXITED);
        int fork = ProcessEvent.FORK.ordinal();
        int seven = names.of("seven");
        sink.onProcess(30, 0, fork, 7, seven, 8, names.of("eight"), 120);
        runs(sink, 31, 8, "eight", 1);
        sink.onProcess(40, 0, fork, 7, seven, 9, names.of("nine"), 120);
        runs(sink, 41, 9, "nine", 1);
        runs(sink, 50, 10, "ten", 1);
        runs(sink, 60, 11, "kworker/0:1", 1);
        runs(sink, 70, 12, "twelve", 1);
        sink.end(1000, 16, 0);
        trace.commit();
      }
      try (Statement sql = store.connection().createStatement();
          ResultSet found = sql.executeQuery(query)) {
        while (found.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
            row.add(String.valueOf(found.getString(i)));
          }
          rows.add(String.join(" ", row));
        }
      }
    }
    return rows;
  }

  private List<String> threads() throws SQLException {
    return rows(
        "SELECT tid, policy, nice, weight, affinity, affinity_source, cgroup FROM thread"
            + " WHERE NOT is_idle ORDER BY utid",
        null);
  }

  private List<String> problems() throws SQLException {
    return rows("SELECT code, count FROM import_problem ORDER BY code", null);
  }

  @Test
  void aTidMeansWhoHadItAtTheStartAndAtTheEnd() throws SQLException {
    sidecar.before.put(7, task("seven", "idle", 5, "1"));
    sidecar.before.put(8, task("eight", "batch", 1, "0"));
    sidecar.before.put(9, task("nine", "batch", 1, "0"));
    sidecar.after.put(7, task("seven", "idle", 5, "1"));
    sidecar.after.put(8, task("eight", "normal", -20, "0-511"));
    sidecar.after.put(9, task("nine", "fifo", 0, "1"));
    sidecar.after.put(77, task("elsewhere", "normal", 0, "0"));
    assertThat(threads())
        .containsExactly(
            "7 idle 5 3 10 sidecar /x",
            "8 batch 1 820 01 sidecar /x",
            "8 normal -20 88761 11 sidecar /x",
            "9 fifo null null 10 sidecar /x",
            "10 null 0 null null null null",
            "11 null 0 null 01 name null",
            "12 null 0 null null null null");
    assertThat(problems()).isEmpty();
  }

  @Test
  void anotherNameIsAnotherTask() throws SQLException {
    sidecar.before.put(10, task("zehn", "batch", 0, "0"));
    sidecar.after.put(10, task("dix", "batch", 0, "0"));
    sidecar.before.put(12, task("douze", "batch", 0, "0"));
    sidecar.after.put(12, task("twelve", "normal", 3, "1"));
    sidecar.before.put(11, task("kworker/0:1-events", "normal", -20, "0"));
    assertThat(threads())
        .contains(
            "10 null 0 null null null null",
            "11 normal -20 88761 01 sidecar /x",
            "12 normal 3 526 10 sidecar /x");
    assertThat(problems()).containsExactly("sidecar_other_task 1");
  }

  @Test
  void whatChangedMeanwhileIsCounted() throws SQLException {
    sidecar.before.put(7, task("seven", "normal", 0, "0"));
    sidecar.after.put(7, task("seven", "normal", 0, "1"));
    sidecar.before.put(12, task("twelve", "normal", 0, "1"));
    sidecar.after.put(12, task("twelve", "rr", 0, "1"));
    assertThat(threads())
        .contains("7 normal 0 1024 01 sidecar /x", "12 normal 0 1024 10 sidecar /x");
    assertThat(problems()).containsExactly("sidecar_task_changed 2");
  }

  @Test
  void cpusOfAnotherMachineAreNotStored() throws SQLException {
    sidecar.before.put(7, task("seven", "normal", 0, "8-9"));
    assertThat(threads()).contains("7 normal 0 1024 null null /x");
    assertThat(problems()).containsExactly("sidecar_cpus_unusable 1");
  }

  @Test
  void theSidecarsMachineWinsAndSaysSo() throws SQLException {
    info.machine = TopologySpec.parse("2s1c");
    info.machine.cpu(0).capacity = 512;
    sidecar.machine = TopologySpec.parse("1s2c");
    String cpus = "SELECT cpu, package_id, llc_id, capacity FROM cpu ORDER BY cpu";
    assertThat(rows(cpus, null)).containsExactly("0 0 0 512", "1 0 0 null");
    assertThat(problems()).containsExactly("sidecar_other_machine 1");
    assertThat(rows("SELECT * EXCLUDE trace_id FROM node_distance", null))
        .containsExactly("0 0 10");
  }

  @Test
  void theUserKnowsTheMachineBest() throws SQLException {
    sidecar.machine = TopologySpec.parse("1s2c");
    String cpus = "SELECT cpu, core_id, llc_id FROM cpu ORDER BY cpu";
    assertThat(rows(cpus, TopologySpec.parse("2s1c2t")))
        .containsExactly("0 0 0", "1 1 1", "2 0 0", "3 1 1");
    assertThat(rows("SELECT key, value, source FROM trace_fact", TopologySpec.parse("2s1c2t")))
        .containsExactly("topology typed user");
  }

  @Test
  void domainsAndCountersAndFacts() throws SQLException {
    sidecar.hostname = "lab";
    sidecar.facts.put("kernel.release", "6.1.0");
    sidecar.domains.add(new Sidecar.Domain(1, 0, "MC", "0-1", "SD_X", 117, 2, -1));
    sidecar.counters.add(
        new Sidecar.Counters(
            "before", 1, 0, List.of(new Sidecar.Counter("busy", "lb_count")), List.of(5L)));
    sidecar.counters.add(
        new Sidecar.Counters(
            "after", 1, -1, List.of(new Sidecar.Counter(null, "pcount")), List.of(6L)));
    assertThat(rows("SELECT * EXCLUDE trace_id FROM sched_domain", null))
        .containsExactly("1 0 MC 11 SD_X 117 2 null sidecar");
    assertThat(rows("SELECT * EXCLUDE trace_id FROM schedstat ORDER BY value", null))
        .containsExactly("before 1 0 busy lb_count 5", "after 1 null null pcount 6");
    info.hostname = null;
    assertThat(rows("SELECT hostname, os_release FROM trace", null)).containsExactly("lab 6.1.0");
    assertThat(rows("SELECT key, value, source FROM trace_fact", null))
        .containsExactly("kernel.release 6.1.0 sidecar");
  }
}

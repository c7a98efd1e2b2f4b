package dev.counterbalance.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults that were reported against other tools, from the file to the figures. Each folder's
 * expected.json has the answer.
 *
 * <p>Its wakeup latency is from sched_wakeup (else sched_waking) to the switch-in, whatever is
 * recorded in between. The catalogue's view {@code wait} counts from sched_waking, if recorded, and
 * knows more exceptions (see {@link WaitReference}); so the latency is computed from the events
 * here, and the view is compared with the same figures: no case has a sched_waking.
 */
class BugCasesStoreTest {
  @TempDir Path folder;

  private BugCase open(String name) throws IOException, SQLException {
    return BugCase.open(folder.resolve("s.duckdb"), name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01-idle-slot/in.txt",
        "02-unsorted/in.txt",
        "03-lost-events/in.txt",
        "04-comm-spaces/ftrace.txt",
        "04-comm-spaces/perfscript.txt",
        "05-comm-dash-digits/in.txt",
        "06-old-shapes/a-trace-cmd-plugin.txt",
        "06-old-shapes/b-2.6.31.txt",
        "06-old-shapes/c-2.6.3x-sched_switch-tracer.txt",
        "06-old-shapes/d-perf-script-short.txt",
        "07-wakeup-success/new-kernel.txt",
        "07-wakeup-success/old-kernel.txt",
      })
  void wakeupLatency(String name) throws Exception {
    try (BugCase bug = open(name)) {
      Object expected = bug.expected("wakeup_latency_us");
      if (expected == null) {
        expected = bug.expected("same_for_all", "wakeup_latency_us");
      }
      Map<String, Object> asked = BugCase.object(expected);
      assertThat(asked).isNotEmpty();
      Map<String, Object> ours = bug.lists(BugCase.LATENCIES);
      assertThat(ours).isEqualTo(asked);
      assertThat(bug.lists(BugCase.WAITS)).isEqualTo(asked);
    }
  }

  @Test
  void case01IdleTasksAreOnePerCpu() throws Exception {
    try (BugCase bug = open("01-idle-slot/in.txt")) {
      assertThat(bug.rows("FROM waiting JOIN thread USING (utid) WHERE is_idle")).isEmpty();
      assertThat(bug.numbers("SELECT 'max', max(dur) / 1e3 FROM wait"))
          .containsEntry("max", bug.expected("max_latency_us_allowed"));
      assertThat(
              bug.numbers(
                  "SELECT cpu, sum(ts + dur - greatest(ts, a)) / 1e3 FROM sched_slice JOIN thread"
                      + " USING (utid) JOIN ("
                      + BugCase.OWN_EVENTS
                      + ") USING (cpu) WHERE is_idle AND ts + dur > a GROUP BY cpu"))
          .isEqualTo(bug.expected("idle_us"));
      // A CPU whose first event is a switch from idle was idle since the recording's start: +10 us.
      assertThat(bug.numbers("SELECT cpu, idle_ns / 1e3 FROM cpu_time"))
          .isEqualTo(Map.of("0", 20.0, "1", 150.0));
      assertThat(
              bug.rows(
                  "SELECT cpu FROM sched_slice JOIN thread USING (utid) WHERE is_idle AND end_kind ="
                      + " 'end' AND censored AND dur > 0"))
          .isEqualTo(bug.expected("idle_open_at_end"));
      assertThat(bug.rows(BugCase.PROBLEMS)).containsExactly("out_of_order 2");
    }
  }

  @Test
  void case02OutOfOrderIsCounted() throws Exception {
    try (BugCase bug = open("02-unsorted/in.txt")) {
      assertThat(bug.rows("FROM wait WHERE dur > 1000000000")).isEmpty();
      assertThat(bug.rows(BugCase.PROBLEMS))
          .containsExactly("mismatched_switch 1", "out_of_order 1");
    }
  }

  @Test
  void case03NothingSpansALoss() throws Exception {
    try (BugCase bug = open("03-lost-events/in.txt")) {
      Map<String, Object> lost = BugCase.object(BugCase.list(bug.expected("lost")).get(0));
      List<Object> between = BugCase.list(lost.get("between"));
      assertThat(
              bug.rows(
                  "SELECT cpu::DOUBLE, lost::DOUBLE, ts / 1e9, (ts + dur) / 1e9 FROM data_loss"))
          .containsExactly(
              lost.get("cpu")
                  + " "
                  + lost.get("events")
                  + " "
                  + between.get(0)
                  + " "
                  + between.get(1));
      assertThat(bug.rows("SELECT lost_events::DOUBLE FROM trace"))
          .containsExactly(lost.get("events").toString());
      assertThat(bug.rows("SELECT count(*)::DOUBLE FROM wait WHERE suspect"))
          .containsExactly(bug.expected("discarded_spans_loss").toString());
      assertThat(
              bug.rows(
                  "FROM waiting w JOIN data_loss d ON w.cpu = d.cpu WHERE w.dur > 0 AND w.ts < d.ts + d.dur AND"
                      + " w.ts + w.dur > d.ts"))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftrace.txt", "perfscript.txt"})
  void case04NamesWithBlanks(String file) throws Exception {
    try (BugCase bug = open("04-comm-spaces/" + file)) {
      List<Object> comms = BugCase.list(bug.expected("comms"));
      List<Object> pids = BugCase.list(bug.expected("pids"));
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < comms.size(); i++) {
        expected.add(((Double) pids.get(i)).intValue() + " " + comms.get(i));
      }
      assertThat(
              bug.rows(
                  "SELECT tid, name FROM thread WHERE tid > 0 OR name LIKE 'swapper/%' ORDER BY"
                      + " tid"))
          .containsExactlyInAnyOrderElementsOf(expected);
      if (file.startsWith("perf")) {
        // Only this text tells the thread group.
        assertThat(
                bug.numbers(
                    "SELECT tid, pid FROM thread JOIN process USING (upid) WHERE tid = 902"))
            .isEqualTo(bug.expected("tgid"));
      }
    }
  }

  @Test
  void case05NamesWithDashesAndDigits() throws Exception {
    try (BugCase bug = open("05-comm-dash-digits/in.txt")) {
      // The task of each line: the waker of the wakeup, then the task each switch ends.
      List<String> lines = new ArrayList<>();
      for (Object task : BugCase.list(bug.expected("line_task"))) {
        List<Object> pair = BugCase.list(task);
        lines.add(pair.get(0) + " " + ((Double) pair.get(1)).intValue());
      }
      assertThat(
              bug.rows(
                  "SELECT name, tid FROM (SELECT ts, waker_utid AS utid FROM sched_wakeup UNION ALL"
                      + " SELECT ts + dur, utid FROM sched_slice WHERE end_kind = 'switch') JOIN"
                      + " thread USING (utid) ORDER BY ts"))
          .isEqualTo(lines);
    }
  }

  @Test
  void case06OldShapesGiveTheSameRows() throws Exception {
    List<List<String>> all = new ArrayList<>();
    for (String file :
        List.of(
            "a-trace-cmd-plugin.txt",
            "b-2.6.31.txt",
            "c-2.6.3x-sched_switch-tracer.txt",
            "d-perf-script-short.txt")) {
      try (BugCase bug = open("06-old-shapes/" + file)) {
        assertThat(bug.numbers(BugCase.RUNS + " HAVING tid = 602"))
            .isEqualTo(bug.expected("same_for_all", "run_us"));
        // The idle task's priority is 140 in some of the kernels; d names another waker.
        List<String> rows =
            bug.rows(
                "SELECT ts, dur, cpu, tid, end_state, end_kind, censored FROM sched_slice JOIN"
                    + " thread USING (utid) WHERE cpu = 1 ORDER BY ts");
        rows.addAll(
            bug.rows(
                "SELECT ts, dur, tid, state_code, cpu, cpu_source, censored, suspect FROM waiting"
                    + " JOIN thread USING (utid) ORDER BY ts"));
        rows.addAll(
            bug.rows(
                "SELECT ts, tid, prio, target_cpu, is_new FROM sched_wakeup JOIN thread USING"
                    + " (utid)"));
        rows.addAll(bug.rows(BugCase.PROBLEMS));
        all.add(rows);
      }
    }
    assertThat(all.get(0)).hasSize(6);
    assertThat(all).containsOnly(all.get(0));
  }

  @Test
  void case07FailedWakeupsAreNone() throws Exception {
    try (BugCase bug = open("07-wakeup-success/old-kernel.txt")) {
      assertThat(bug.rows("SELECT ts FROM sched_wakeup")).containsExactly("70000200000");
      assertThat(bug.rows(BugCase.PROBLEMS)).containsExactly("wakeup_without_success 1");
    }
  }

  @Test
  void case08FlagColumns() throws Exception {
    try (BugCase bug = open("08-flag-columns/in.txt")) {
      List<String> expected = new ArrayList<>();
      for (Object time : BugCase.list(bug.expected("times"))) {
        expected.add(time + " " + bug.expected("cpu") + " " + bug.expected("pid"));
      }
      assertThat(
              bug.rows(
                  "SELECT ts / 1e9, cpu::DOUBLE, tid::DOUBLE FROM sched_wakeup JOIN thread USING"
                      + " (utid) ORDER BY ts"))
          .isEqualTo(expected)
          .hasSize(((Double) bug.expected("events")).intValue());
    }
  }

  private static final String STATES =
      "SELECT (s.ts + dur) // 1000, end_state, state FROM sched_slice s JOIN prev_state p ON p.raw ="
          + " s.end_state WHERE end_kind = 'switch' ORDER BY 1";

  @Test
  void case09StatesAsNumbers() throws Exception {
    Map<String, String> raw = new TreeMap<>();
    Matcher line =
        Pattern.compile("([0-9]+)\\.([0-9]+): .* prev_state=0x([0-9a-f]+)")
            .matcher(Files.readString(BugCase.file("09-prev-state/raw.txt")));
    while (line.find()) {
      raw.put(line.group(1) + "." + line.group(2), "" + Integer.parseInt(line.group(3), 16));
    }
    try (BugCase bug = open("09-prev-state/raw.txt")) {
      List<String> expected = new ArrayList<>();
      for (Object row : BugCase.list(bug.expected("raw"))) {
        List<Object> fields = BugCase.list(row);
        String time = fields.get(1).toString();
        expected.add(time.replace(".", "") + " " + raw.get(time) + " " + fields.get(2));
      }
      assertThat(expected).hasSize(32);
      assertThat(bug.rows(STATES)).isEqualTo(expected);
    }
  }

  private static final Map<String, String> CLASSES =
      Map.of(
          "R", "runnable",
          "R+", "runnable",
          "S", "interruptible",
          "D", "uninterruptible",
          "T", "stopped_or_traced",
          "t", "stopped_or_traced",
          "X", "dead",
          "Z", "dead",
          "I", "idle_kthread",
          "P", "parked");

  /** The class of every letter that a text shows, by expected.json, against the stored letter. */
  @ParameterizedTest
  @CsvSource({"'', text_classes", "# kernel 4.14.62, in_4_14_text"})
  void case09StatesAsLetters(String header, String table) throws Exception {
    String text = Files.readString(BugCase.file("09-prev-state/text.txt"));
    Path input = folder.resolve("in.txt");
    Files.writeString(input, header + "\n" + text);
    Map<String, String> expected = new TreeMap<>();
    Map<String, String> ours = new TreeMap<>();
    Map<String, String> printed = new TreeMap<>();
    Matcher line = Pattern.compile("([0-9]+)\\.([0-9]+): .* prev_state=(\\S+)").matcher(text);
    while (line.find()) {
      printed.put(line.group(1) + line.group(2), line.group(3));
    }
    try (BugCase answers = open("09-prev-state/text.txt");
        BugCase bug = BugCase.open(folder.resolve("t.duckdb"), input)) {
      BugCase.object(answers.expected(table))
          .forEach(
              (key, value) -> {
                if (value instanceof List<?> letters) {
                  letters.forEach(letter -> expected.put(letter.toString(), key));
                } else {
                  expected.put(key, value.toString().replaceAll(" .*", ""));
                }
              });
      for (String row : bug.rows(STATES)) {
        String[] fields = row.split(" ", 3);
        ours.put(printed.get(fields[0]), CLASSES.get(fields[2]));
      }
      assertThat(ours).hasSize(16).containsAllEntriesOf(expected);
    }
  }

  private static final String EVENT_COUNTS =
      "SELECT 'sched_migrate_task', count(*) FROM sched_migrate_task UNION ALL SELECT 'sched_switch',"
          + " count(*) FROM sched_switch UNION ALL SELECT 'sched_waking', count(*) FROM"
          + " sched_waking UNION ALL SELECT if(is_new, 'sched_wakeup_new', 'sched_wakeup'),"
          + " count(*) FROM sched_wakeup GROUP BY ALL UNION ALL SELECT 'sched_stat_' || kind,"
          + " count(*) FROM sched_stat GROUP BY ALL UNION ALL SELECT 'sched_process_' || kind,"
          + " count(*) FROM sched_process GROUP BY ALL UNION ALL SELECT name, count(*) FROM"
          + " ftrace_event GROUP BY ALL ORDER BY 1";

  /** One recording, damaged in two ways; the counts are those of {@code trace-cmd report -R}. */
  @Test
  void cases17And18OddFilesLoseNothing() throws Exception {
    List<List<String>> tables = new ArrayList<>();
    for (String name :
        List.of(
            "17-bad-print-fmt/bad.trace.dat.gz",
            "18-trace-dat-options/unknown-option.trace.dat.gz")) {
      try (BugCase bug = open(name)) {
        assertThat(bug.rows(EVENT_COUNTS))
            .containsExactly(
                "sched_migrate_task 13",
                "sched_prepare_exec 10",
                "sched_process_exec 10",
                "sched_process_exit 12",
                "sched_process_fork 14",
                "sched_process_free 11",
                "sched_process_wait 22",
                "sched_stat_runtime 778",
                "sched_switch 526",
                "sched_wakeup 327",
                "sched_wakeup_new 14",
                "sched_waking 328");
        // Of the lines of the report one says how many CPUs there are.
        assertThat(bug.rows("SELECT event_count + 1.0 FROM trace"))
            .containsExactly(bug.expected("report_lines").toString());
        List<String> rows = new ArrayList<>();
        for (String table :
            List.of(
                "sched_slice", "waiting", "run_queue", "sched_stat", "sched_wakeup", "thread")) {
          rows.addAll(bug.rows("FROM " + table + " ORDER BY ALL"));
        }
        tables.add(rows);
        assertThat(bug.rows("SELECT code FROM import_problem WHERE code LIKE '%option%'"))
            .hasSize(name.startsWith("18") ? 1 : 0);
      }
    }
    assertThat(tables.get(0)).isEqualTo(tables.get(1));
  }
}

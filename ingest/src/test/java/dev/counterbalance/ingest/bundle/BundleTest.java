package dev.counterbalance.ingest.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.machine.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of a bundle, and what is made of one that is not as it should be. */
class BundleTest {
  @TempDir Path folder;
  private final MadeUpBundle bundle = new MadeUpBundle();

  @Test
  void readsTheRecordingAndAllFacts() throws IOException {
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.events).isEqualTo(2);
    assertThat(sink.ended).isTrue();
    assertThat(sink.codes()).isEmpty();
    Sidecar told = sink.sidecar;
    assertThat(told.hostname).isEqualTo("lab");
    assertThat(told.facts)
        .containsEntry("bundle.recorder", "perf")
        .containsEntry("bundle.recorder_version", "6.1")
        .containsEntry("bundle.command", "[\"make\",\"-j \\\"8\\\"\"]")
        .containsEntry("bundle.exit_status", "2")
        .containsEntry("bundle.started", "2026-12-01T10:00:00Z")
        .containsEntry("bundle.ended", "2026-12-01T10:00:02Z")
        .containsEntry("bundle.missing.facts.tsv: sched.*", "no debugfs")
        .containsEntry("kernel.release", "6.1.0")
        .containsEntry("cpu.model", "a\tb\\c")
        .containsEntry("cgroup./a.cpu_max", "20000 100000")
        .containsEntry("cgroup./a.cpu_weight", "100")
        .doesNotContainKey("cgroup./a.cpu_shares")
        .containsEntry("cgroup./a.nr_throttled.before", "1")
        .containsEntry("cgroup./a.nr_throttled.after", "2")
        .containsEntry("cgroup./a.throttled_usec.before", "300")
        .containsEntry("cgroup./a.throttled_usec.after", "700")
        .containsEntry("stat.before.cpu.idle", "4")
        .containsEntry("stat.before.cpu0.user", "1")
        .containsEntry("stat.after.cpu0.guest_nice", "10")
        .containsEntry("stat.after.cpu0.idle", "5")
        .containsEntry("schedstat.before.timestamp", "4294");
    assertThat(told.facts.keySet()).noneMatch(key -> key.contains("intr"));
    assertThat(told.machine.cpus()).hasSize(2);
    assertThat(told.machine.distances()).containsExactly(new Machine.Distance(0, 0, 10));
    assertThat(told.domains)
        .containsExactly(
            new Sidecar.Domain(0, 0, "MC", "0-1", "SD_BALANCE_NEWIDLE", 117, 2, 4),
            new Sidecar.Domain(1, 0, null, "0-1", null, -1, -1, -1));
    assertThat(told.before)
        .containsOnlyKeys(7, 9)
        .containsEntry(7, new Sidecar.Task("seven", "normal", 5, "0", "/a", 0x1f))
        .containsEntry(9, new Sidecar.Task("ni\tne", "rr", 0, "0-63", "/", Sidecar.NO_COOKIE));
    assertThat(told.after)
        .containsExactly(
            Map.entry(7, new Sidecar.Task("seven", "idle", 0, "0-1", "/a", Sidecar.NO_COOKIE)));
  }

  @Test
  void bytesThatAreNoUtf8AreIso88591() throws IOException {
    bundle.put(
        "tasks.before.tsv",
        MadeUpBundle.TASKS + "7\t7\t\u00ff\tnormal\t0\t0\t0\t/\u00c3\u00a9\t\n");
    Sidecar.Task task = bundle.read(folder).sidecar.before.get(7);
    assertThat(task.comm()).isEqualTo("\u00ff");
    assertThat(task.cgroup()).isEqualTo("/\u00e9");
  }

  /** Counter n of a line has the value n, so that its value tells its column. */
  @ParameterizedTest
  @CsvSource({
    "14, 12, 36, ff, yld_both_empty=1 yld_count=4 sched_count=6 pcount=12,"
        + " idle.lb_count=1 idle.lb_imbalance=4 busy.lb_count=9 newidle.lb_nobusyg=24 alb_count=25"
        + " ttwu_move_balance=36",
    "15, 9, 36, '00000000,000000ff', yld_count=1 sched_count=3 rq_cpu_time=7 pcount=9,"
        + " idle.lb_count=1 busy.lb_nobusyg=16 newidle.lb_count=17 sbe_count=28",
    "16, 9, 36, ff, ttwu_count=5 run_delay=8,"
        + " busy.lb_count=1 busy.lb_imbalance=4 idle.lb_count=9 newidle.lb_count=17 alb_pushed=27",
    "17, 9, 45, MC ff, ttwu_local=6 pcount=9,"
        + " busy.lb_imbalance_load=4 busy.lb_imbalance_misfit=7 busy.lb_gained=8"
        + " idle.lb_count=12 newidle.lb_nobusyg=33 alb_count=34 ttwu_move_balance=45"
  })
  void schedstatOfEveryVersion(
      int version, int ofCpu, int ofDomain, String mask, String cpu, String domain)
      throws IOException {
    bundle.put("schedstat.before", MadeUpBundle.schedstat(version, ofCpu, ofDomain, mask));
    bundle.without("schedstat.after");
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.codes()).containsExactly("sidecar_file_missing");
    assertThat(sink.sidecar.counters).hasSize(2);
    Sidecar.Counters own = sink.sidecar.counters.get(0);
    assertThat(own.level()).isEqualTo(-1);
    assertThat(own.phase()).isEqualTo("before");
    assertThat(values(own)).containsAllEntriesOf(expected(cpu)).doesNotContainKey("");
    Sidecar.Counters ofLevel = sink.sidecar.counters.get(1);
    assertThat(ofLevel.level()).isZero();
    assertThat(values(ofLevel)).containsAllEntriesOf(expected(domain)).hasSize(ofDomain);
  }

  private static Map<String, Long> values(Sidecar.Counters counters) {
    Map<String, Long> values = new HashMap<>();
    for (int i = 0; i < counters.values().size(); i++) {
      Sidecar.Counter counter = counters.counters().get(i);
      String type = counter.idleType() == null ? "" : counter.idleType() + ".";
      values.put(type + counter.name(), counters.values().get(i));
    }
    return values;
  }

  private static Map<String, Long> expected(String text) {
    Map<String, Long> values = new HashMap<>();
    for (String word : text.split(" ", -1)) {
      String[] pair = word.split("=", -1);
      values.put(pair[0], Long.valueOf(pair[1]));
    }
    return values;
  }

  @Test
  void anUnknownVersionOfSchedstatIsSkippedAndSaid() throws IOException {
    bundle.put("schedstat.after", MadeUpBundle.schedstat(18, 9, 45, "MC ff"));
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.sidecar.counters).extracting(Sidecar.Counters::phase).containsOnly("before");
    assertThat(sink.text("sidecar_schedstat_damaged"))
        .isEqualTo("schedstat.after, line 1: version is '18', expected a number within 14 to 17");
  }

  /** A line of a file that is wrong, and what is said of it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tasks.before.tsv | 8;8;x;normal;0;20;0;/;0x1 | nice is '20', expected a number",
        "tasks.before.tsv | 0;8;x;normal;0;0;0;/; | the tid is '0', expected",
        "tasks.before.tsv | 8;8;x;strange;0;0;0;/; | no policy is called 'strange'",
        "tasks.before.tsv | 8;8;x;normal;100;0;0;/; | rt_prio is '100'",
        "tasks.before.tsv | 8;8;x;normal;0;0;0-9999;/; | '0-9999' is no list of CPUs",
        "tasks.before.tsv | 8;8;x;normal;0;0;3,1;/; | the CPUs '3,1' do not go up",
        "tasks.before.tsv | 8;8;x;normal;0;0;0;/;12 | the cookie is '12'",
        "tasks.before.tsv | 8;8;x\\q;normal;0;0;0;/; | a backslash without",
        "tasks.before.tsv | 8;8;x;normal;0;0;0;/ | 8 columns, expected 9",
        "tasks.after.tsv | 7;7;seven;normal;0;0;0;/; | the thread 7 for the second time",
        "domains.tsv | 0;0;MC;0;;;; | level 0 of CPU 0 for the second time",
        "domains.tsv | 4096;0;MC;0;;;; | the cpu is '4096'",
        "domains.tsv | 0;1;MC;0;;-1;; | imbalance_pct is '-1'",
        "facts.tsv | lonely | 1 columns, expected 2",
        "facts.tsv | a key;value | 'a key' is no name of a fact",
        "facts.tsv | kernel.release;6.2 | the fact kernel.release for the second time",
        "cgroups.after.tsv | a;max 1;1;;1;1;1 | 'a' is no path",
        "cgroups.after.tsv | /b;max;1;;1;1;1 | cpu_max is 'max'",
        "cgroups.after.tsv | /b;max 1;1;;1;x;1 | nr_throttled is 'x'",
        "schedstat.before | cpu1 1 2 | 2 counters, expected 9 in version 15",
        "schedstat.before | domain1 ff 1 | 1 counters, expected 36 in version 15",
        "schedstat.before | nonsense | it begins with 'nonsense'",
        "stat.after | cpu1 1 2 | 2 times, expected 4 to 10",
        "stat.after | cpux 1 2 3 4 | cpu is 'x'"
      })
  void aWrongLineIsCountedAndTheRestIsRead(String file, String line, String said)
      throws IOException {
    Sidecar whole = bundle.read(folder).sidecar;
    String text = new String(bundle.files.get(file), StandardCharsets.ISO_8859_1);
    bundle.put(file, text + line.replace(';', '\t') + "\n");
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.events).isEqualTo(2);
    assertThat(sink.sidecar.problems).hasSize(1);
    assertThat(sink.sidecar.problems.get(0).text()).startsWith(file + ", line ").contains(said);
    assertThat(sink.sidecar.facts).isEqualTo(whole.facts);
    assertThat(sink.sidecar.before).isEqualTo(whole.before);
    assertThat(sink.sidecar.domains).isEqualTo(whole.domains);
    assertThatThrownBy(() -> MadeUpBundle.read(folder, true))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining(said);
  }

  @Test
  void aLineThatIsCutIsNotBelieved() throws IOException {
    bundle.put("tasks.before.tsv", MadeUpBundle.TASKS + "7\t7\tx\tnormal\t0\t0\t0-1\t/user.sl");
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.sidecar.before).isEmpty();
    assertThat(sink.text("sidecar_tasks_damaged")).contains("the file ends within the line");
  }

  @Test
  void filesThatAreMissingAreSaidUnlessTheBundleSaysWhy() throws IOException {
    String json = new String(bundle.files.get("bundle.json"), StandardCharsets.UTF_8);
    bundle.put("bundle.json", json.replace("\"facts.tsv: sched.*\"", "\"tasks.*.tsv\""));
    bundle.without("tasks.before.tsv").without("tasks.after.tsv").without("stat.after");
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.codes()).containsExactly("sidecar_file_missing");
    assertThat(sink.text("sidecar_file_missing")).contains("no stat.after");
  }

  @Test
  void aBrokenJsonStillLeadsToTheRecording() throws IOException {
    bundle.put("bundle.json", "{\"counterbalance_bundle\": 1, \"recorder\": \"perf\", \"tra");
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.events).isEqualTo(2);
    assertThat(sink.codes()).containsExactly("bundle_json_damaged");
    assertThat(sink.sidecar.facts).containsEntry("bundle.recorder", "perf");
  }

  @Test
  void aNewerBundleIsReadAsFarAsKnown() throws IOException {
    bundle.put(
        "bundle.json",
        "{\"counterbalance_bundle\": 2, \"trace\": \"perf.data\", \"new\": {\"a\": [1]}}");
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.events).isEqualTo(2);
    assertThat(sink.codes()).containsExactly("bundle_newer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../perf.data", "/etc/passwd", "..", ".", "", "link", "none", "sub", "a\\u0000"})
  void theRecordingLiesInTheFolder(String name) throws IOException {
    Path inside = Files.createDirectories(folder.resolve("b/sub")).getParent();
    Files.write(folder.resolve("perf.data"), bundle.files.get("perf.data"));
    Files.createSymbolicLink(inside.resolve("link"), folder.resolve("perf.data"));
    bundle.put("bundle.json", "{\"counterbalance_bundle\": 1, \"trace\": \"" + name + "\"}");
    bundle.write(inside);
    assertThatThrownBy(() -> MadeUpBundle.read(inside, false))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("is no file in this folder");
  }

  @Test
  void aFactsFileElsewhereIsNotRead() throws IOException {
    Path inside = Files.createDirectories(folder.resolve("b"));
    Files.writeString(folder.resolve("secret"), "root\tsecret\n");
    Files.createSymbolicLink(inside.resolve("facts.tsv"), folder.resolve("secret"));
    Files.createDirectories(inside.resolve("topology.json"));
    MadeUpBundle.Sink sink = bundle.without("facts.tsv").without("topology.json").read(inside);
    assertThat(sink.sidecar.facts).doesNotContainKey("root");
    assertThat(sink.codes()).containsExactly("sidecar_file_unusable");
    assertThat(sink.sidecar.problems.get(0).count()).isEqualTo(2);
  }

  @Test
  void longLinesAreSkippedAndLongFilesAreCut() throws IOException {
    String fact = "a\t" + "x".repeat(BundleFiles.MAX_LINE) + "\nb\tc\n";
    bundle.put("facts.tsv", fact + "\t\n".repeat(20_000));
    bundle.put("stat.after", "x".repeat(1000).concat("\n").repeat(BundleFiles.MAX_BYTES / 1000));
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.sidecar.facts).containsEntry("b", "c").doesNotContainKey("a");
    assertThat(sink.codes())
        .containsExactly(
            "sidecar_facts_damaged", "sidecar_file_unusable", "sidecar_file_too_large");
    assertThat(sink.sidecar.problems.get(0).count()).isEqualTo(10_001);
    assertThat(sink.text("sidecar_file_unusable")).contains("more than 10000 bad lines");
  }

  @Test
  void factsAreReadWithoutARecording() throws IOException {
    bundle.without("perf.data").write(folder);
    assertThat(Bundle.sidecar(folder, false).before).containsOnlyKeys(7, 9);
    assertThatThrownBy(() -> Bundle.sidecar(Files.createDirectories(folder.resolve("x")), false))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("holds none of the files of a bundle");
    assertThatThrownBy(() -> Bundle.sidecar(folder.resolve("facts.tsv"), false))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("is no folder");
  }

  @Test
  void aTopologyThatDividesACoreIsLeftOut() throws IOException {
    bundle.put(
        "topology.json",
        "{\"cpus\": [{\"cpu\": 0, \"core\": 0, \"llc\": 0}, {\"cpu\": 1, \"core\": 0, \"llc\": 1}]}");
    MadeUpBundle.Sink sink = bundle.read(folder);
    assertThat(sink.sidecar.machine).isNull();
    assertThat(sink.text("sidecar_topology_damaged")).contains("are one core");
  }
}

package dev.counterbalance.ingest.bundle;

import dev.counterbalance.ingest.CountingSink;
import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small bundle of two CPUs, file by file, to be changed before it is written. */
final class MadeUpBundle {
  static final String TASKS = "tid\tpid\tcomm\tpolicy\trt_prio\tnice\taffinity\tcgroup\tcookie\n";
  static final String DOMAINS =
      "cpu\tlevel\tname\tspan\tflags\timbalance_pct\tmin_interval\tmax_interval\n";
  static final String CGROUPS =
      "path\tcpu_max\tcpu_weight\tcpu_shares\tnr_periods\tnr_throttled\tthrottled_usec\n";

  /** Keeps what it is told from beside the recording. */
  static final class Sink extends CountingSink {
    Sidecar sidecar;

    @Override
    public void sidecar(Sidecar told) {
      sidecar = told;
    }

    List<String> codes() {
      return sidecar.problems.stream().map(Problem::code).toList();
    }

    String text(String code) {
      return sidecar.problems.stream().filter(p -> p.code().equals(code)).findFirst().get().text();
    }
  }

  final Map<String, byte[]> files = new LinkedHashMap<>();

  MadeUpBundle() {
    files.put("perf.data", recording());
    put(
        "bundle.json",
        "{\"counterbalance_bundle\": 1, \"recorder\": \"perf\", \"recorder_version\": \"6.1\","
            + " \"trace\": \"perf.data\", \"command\": [\"make\", \"-j \\\"8\\\"\"],"
            + " \"exit_status\": 2, \"started\": \"2026-12-01T10:00:00Z\","
            + " \"ended\": \"2026-12-01T10:00:02Z\", \"clock\": \"perf\", \"buffer_pages\": 512,"
            + " \"events\": [\"sched:sched_switch\"], \"missing_events\": [],"
            + " \"missing\": {\"facts.tsv: sched.*\": \"no debugfs\"},"
            + " \"hostname\": \"lab\", \"uname\": \"Linux lab\"}\n");
    put(
        "topology.json",
        "{\"cpus\": [{\"cpu\": 0, \"core\": 0, \"llc\": 0, \"node\": 0},"
            + " {\"cpu\": 1, \"core\": 1, \"llc\": 0, \"node\": 0}],"
            + " \"distances\": [{\"from\": 0, \"to\": 0, \"distance\": 10}]}\n");
    put(
        "domains.tsv",
        DOMAINS + "0\t0\tMC\t0-1\tSD_BALANCE_NEWIDLE\t117\t2\t4\n1\t0\t\t0-1\t\t\t\t\n");
    put("facts.tsv", "kernel.release\t6.1.0\ncpu.model\ta\\tb\\\\c\n");
    put(
        "tasks.before.tsv",
        TASKS
            + "7\t7\tseven\tnormal\t0\t5\t0\t/a\t0x1f\n"
            + "9\t7\tni\\tne\trr\t10\t0\t0-63\t/\t\n");
    put("tasks.after.tsv", TASKS + "7\t7\tseven\tidle\t0\t0\t0-1\t/a\t\n");
    put("cgroups.before.tsv", CGROUPS + "/a\t20000 100000\t100\t\t5\t1\t300\n");
    put("cgroups.after.tsv", CGROUPS + "/a\t20000 100000\t100\t\t9\t2\t700\n");
    put("schedstat.before", schedstat(15, 9, 36, "ff"));
    put("schedstat.after", schedstat(15, 9, 36, "ff"));
    put("stat.before", "cpu  1 2 3 4\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 5 6\n");
    put("stat.after", "cpu  1 2 3 5\ncpu0 1 2 3 5 5 6 7 8 9 10\nintr 5 6\n");
  }

  /** One line of a CPU and one of a domain; counter n has the value n. */
  static String schedstat(int version, int ofCpu, int ofDomain, String mask) {
    StringBuilder text = new StringBuilder("version " + version + "\ntimestamp 4294\ncpu0");
    for (int i = 1; i <= ofCpu; i++) {
      text.append(' ').append(i);
    }
    text.append("\ndomain0 ").append(mask);
    for (int i = 1; i <= ofDomain; i++) {
      text.append(' ').append(i);
    }
    return text.append('\n').toString();
  }

  private static byte[] recording() {
    return new PerfDataBuilder()
        .event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID)
        .sample(0, 0, 7, 1000, EventTexts.switchEvent(7, 1, 0))
        .sample(0, 0, 0, 1010, EventTexts.switchEvent(0, 0, 7))
        .file();
  }

  MadeUpBundle put(String name, String text) {
    files.put(name, text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  MadeUpBundle without(String name) {
    files.remove(name);
    return this;
  }

  Path write(Path folder) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
    return folder;
  }

  static Sink read(Path folder, boolean strict) throws IOException {
    Sink sink = new Sink();
    try (TraceInput in = TraceInput.ofFile(folder)) {
      Importers.load().read(in, ImportOptions.of(new Names()).withStrict(strict), sink);
    }
    return sink;
  }

  Sink read(Path folder) throws IOException {
    return read(write(folder), false);
  }
}

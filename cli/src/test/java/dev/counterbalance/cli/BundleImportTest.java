package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample of six hogs pinned to CPUs 0-1 as a bundle that says so. The hogs are forked and exit
 * in the recording, so that no bundle can know them; they are there from start to end in the part
 * of it that {@link #middle} takes, as text.
 */
class BundleImportTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("repo.root", ".."), "sample-traces/pinned4/perf.data");
  private static final Pattern TIME = Pattern.compile(" (\\d+\\.\\d+): ");
  private static final String HEADER =
      "tid\tpid\tcomm\tpolicy\trt_prio\tnice\taffinity\tcgroup\tcookie\n";

  @TempDir Path folder;
  private Path bundle;
  private String store;

  @BeforeEach
  void begin() throws IOException {
    bundle = Files.createDirectories(folder.resolve("b"));
    store = folder.resolve("s.duckdb").toString();
  }

  private static String run(String... args) {
    InProcess result = InProcess.run(args);
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result.out();
  }

  private String sql(String query) {
    return run("trace-sql", store, query, "--format", "csv");
  }

  private void write(String recording) throws IOException {
    Files.writeString(
        bundle.resolve("bundle.json"),
        "{\"counterbalance_bundle\": 1, \"recorder\": \"perf\", \"trace\": \"" + recording + "\"}");
    StringBuilder tasks = new StringBuilder(HEADER);
    tasks.append("1\t1\tinit\tnormal\t0\t-5\t0-3\t/init.scope\t\n");
    for (int tid = 220; tid <= 225; tid++) {
      tasks.append(tid).append('\t').append(tid).append("\tpinned\tbatch\t0\t0\t0-1\t/hogs\t0x2\n");
    }
    Files.writeString(bundle.resolve("tasks.before.tsv"), tasks);
    Files.writeString(bundle.resolve("tasks.after.tsv"), tasks);
  }

  private static String middle() throws IOException {
    StringBuilder text = new StringBuilder();
    Path whole = Path.of(SAMPLE + ".expected", "perf-script-ns.txt.gz");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(whole)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher time = TIME.matcher(line);
        double seconds = time.find() ? Double.parseDouble(time.group(1)) : 0;
        if (seconds > 24.2 && seconds < 27.1) {
          text.append(line).append('\n');
        }
      }
    }
    return text.toString();
  }

  private long allowed(String trace) {
    return Long.parseLong(
        sql("SELECT ns FROM idle_while_waiting JOIN trace USING (trace_id)"
                + " WHERE definition = 'allowed' AND name = '"
                + trace
                + "'")
            .lines()
            .skip(1)
            .findFirst()
            .get());
  }

  @Test
  void aRecordingWithWhatIsBesideIt() throws IOException {
    Files.copy(SAMPLE, bundle.resolve("perf.data"));
    write("perf.data");
    run("trace-import", bundle.toString(), "-o", store);
    assertThat(
            sql(
                "SELECT tid, policy, nice, weight, affinity, affinity_source, cgroup FROM thread"
                    + " WHERE tid IN (1, 217, 220) ORDER BY tid"))
        .isEqualTo(
            """
            tid,policy,nice,weight,affinity,affinity_source,cgroup
            1,normal,-5,3121,1111,sidecar,/init.scope
            217,,0,,,,
            220,,0,,,,
            """);
    assertThat(sql("SELECT value, source FROM trace_fact WHERE key = 'bundle.recorder'"))
        .isEqualTo("value,source\nperf,sidecar\n");
    assertThat(sql("SELECT name, format FROM trace")).isEqualTo("name,format\nb,perf.data\n");
  }

  @Test
  void anAffinityThatIsKnownMakesIdleCpusForbidden() throws IOException {
    Files.writeString(bundle.resolve("perf.txt"), middle());
    write("perf.txt");
    run("trace-import", bundle.resolve("perf.txt").toString(), "-o", store, "--name", "bare");
    run("trace-import", bundle.toString(), "-o", store, "--name", "known");
    assertThat(
            sql(
                "SELECT t.name, policy, affinity, cgroup, cookie, count(*) AS n FROM thread t"
                    + " WHERE t.name = 'pinned' AND trace_id = 2 GROUP BY ALL"))
        .isEqualTo("name,policy,affinity,cgroup,cookie,n\npinned,batch,0011,/hogs,2,6\n");
    assertThat(allowed("bare")).isGreaterThan(2_000_000_000L);
    assertThat(allowed("known")).isLessThan(allowed("bare") / 10);
  }

  @Test
  void aBundleBesideARecordingElsewhere() throws IOException {
    write("gone.data");
    String spec = "2s2c";
    run(
        "trace-import",
        SAMPLE.toString(),
        "-o",
        store,
        "--sidecar",
        bundle.toString(),
        "--topology",
        spec);
    assertThat(sql("SELECT policy, cgroup FROM thread WHERE tid = 1"))
        .isEqualTo("policy,cgroup\nnormal,/init.scope\n");
    assertThat(sql("SELECT cpu, core_id, llc_id, package_id FROM cpu ORDER BY cpu"))
        .isEqualTo("cpu,core_id,llc_id,package_id\n0,0,0,0\n1,1,0,0\n2,2,2,1\n3,3,2,1\n");
    assertThat(sql("SELECT value FROM trace_fact WHERE key = 'topology' AND source = 'user'"))
        .isEqualTo("value\n2s2c\n");
  }

  @Test
  void refusals() throws IOException {
    write("gone.data");
    refused(1, "its recording 'gone.data' is no file in this folder", bundle.toString());
    refused(1, "holds none of the files", SAMPLE.toString(), "--sidecar", folder.toString());
    refused(2, "is a bundle, which has facts", bundle.toString(), "--sidecar", bundle.toString());
    refused(2, "topology 4x", SAMPLE.toString(), "--topology", "4x");
  }

  private void refused(int exitCode, String said, String... options) {
    String[] all = new String[options.length + 3];
    all[0] = "trace-import";
    System.arraycopy(options, 0, all, 1, options.length);
    all[all.length - 2] = "-o";
    all[all.length - 1] = store;
    InProcess result = InProcess.run(all);
    assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
    assertThat(result.err()).contains(said);
    assertThat(Path.of(store)).doesNotExist();
  }
}

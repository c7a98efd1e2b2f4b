package dev.counterbalance.ingest.bundle;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.topology.TopologyFile;
import dev.counterbalance.trace.topology.TopologyFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A folder of trace-record. Whatever is wrong with its facts, its recording can be read. */
public final class Bundle {
  private static final String ADVICE =
      "A bundle is a folder that trace-record wrote, with " + BundleJson.NAME + " in it.";
  private static final String TOPOLOGY = "topology.json";
  private static final List<String> PHASES = List.of("before", "after");

  /** Where recorders put their recordings, for a bundle that does not tell. */
  private static final List<String> RECORDINGS = List.of("perf.data", "trace.dat", "ftrace.txt");

  private final String name;
  private final BundleFiles files;
  private final ProblemLog log;
  private final Sidecar sidecar = new Sidecar();
  private BundleJson json;
  private int found;

  private Bundle(TraceInput in, boolean strict) throws TraceFormatException {
    name = in.name();
    log = new ProblemLog(in, strict);
    files = new BundleFiles(in.directory(), log);
  }

  /** Whether a folder is a bundle. */
  static boolean is(Path directory) {
    return Files.exists(directory.resolve(BundleJson.NAME));
  }

  /**
   * What a bundle tells beside its recording, which it need not have.
   *
   * @param strict true if damage is an error instead of being skipped and counted
   * @throws TraceFormatException if the folder holds nothing of a bundle, or strict is set and
   *     something is damaged
   */
  public static Sidecar sidecar(Path directory, boolean strict) throws IOException {
    try (TraceInput in = TraceInput.ofFile(directory)) {
      if (in.directory() == null) {
        throw new TraceFormatException(in.name(), -1, "is no folder", "a bundle", ADVICE);
      }
      Bundle bundle = open(in, strict);
      if (bundle.found == 0) {
        throw new TraceFormatException(
            in.name(), -1, "holds none of the files of a bundle", "", ADVICE);
      }
      return bundle.sidecar;
    }
  }

  /**
   * Reads all but the recording.
   *
   * @throws TraceFormatException if strict is set and something is damaged
   */
  static Bundle open(TraceInput in, boolean strict) throws IOException {
    if (in.directory() == null) {
      throw new TraceFormatException(in.name(), -1, "is a file", "a folder", ADVICE);
    }
    Bundle bundle = new Bundle(in, strict);
    bundle.readAll();
    return bundle;
  }

  Sidecar sidecar() {
    return sidecar;
  }

  /**
   * The recording.
   *
   * @throws TraceFormatException if there is none inside the folder
   */
  Path recording() throws IOException {
    if (json.trace != null) {
      Path file = files.find(json.trace);
      if (file == null) {
        throw new TraceFormatException(
            name,
            -1,
            "its recording '"
                + BadLineException.shown(json.trace)
                + "' is no file in this folder that can be read",
            "",
            "--sidecar DIR adds what the bundle tells to a recording elsewhere.");
      }
      return file;
    }
    for (String usual : RECORDINGS) {
      Path file = files.find(usual);
      if (file != null) {
        return file;
      }
    }
    throw new TraceFormatException(
        name, -1, BundleJson.NAME + " names no recording", "one of the folder's files", "");
  }

  private void readAll() throws IOException {
    byte[] bytes = is(BundleJson.NAME) ? files.content(BundleJson.NAME) : null;
    json = BundleJson.read(bytes, sidecar.facts, log);
    sidecar.hostname = json.hostname;
    topology();
    FactReader facts = new FactReader(sidecar.facts);
    TaskReader tasks = new TaskReader();
    lines("facts.tsv", FactReader.FACTS_CODE, facts::fact);
    lines("domains.tsv", DomainReader.CODE, new DomainReader(sidecar.domains));
    lines("tasks.before.tsv", TaskReader.CODE, tasks.into(sidecar.before));
    lines("tasks.after.tsv", TaskReader.CODE, tasks.into(sidecar.after));
    for (String phase : PHASES) {
      lines("cgroups." + phase + ".tsv", FactReader.CGROUPS_CODE, facts.cgroups(phase));
      lines("schedstat." + phase, SchedstatReader.CODE, new SchedstatReader(phase, sidecar));
      lines("stat." + phase, FactReader.STAT_CODE, facts.stat(phase));
    }
    log.problems().forEach(sidecar.problems::add);
  }

  private void lines(String file, String code, BundleFiles.LineTaker taker) throws IOException {
    if (is(file)) {
      files.lines(file, code, taker);
    }
  }

  /** Whether a file is there; if it should be, and nobody said why it is not, that is reported. */
  private boolean is(String file) {
    if (files.exists(file)) {
      found++;
      return true;
    }
    Set<String> explained = json == null ? Set.of() : json.missing;
    String both = file.replace(".before", ".*").replace(".after", ".*");
    if (!explained.contains(file) && !explained.contains(both)) {
      log.add(
          Severity.INFO,
          "sidecar_file_missing",
          1,
          -1,
          -1,
          "the bundle has no " + file + ", and does not say why",
          "What it would tell is unknown.");
    }
    return false;
  }

  private void topology() throws IOException {
    Path file = is(TOPOLOGY) ? files.find(TOPOLOGY) : null;
    if (file == null) {
      if (files.exists(TOPOLOGY)) {
        files.content(TOPOLOGY);
      }
      return;
    }
    try {
      sidecar.machine = TopologyFile.read(file);
    } catch (TopologyFormatException e) {
      String said = String.valueOf(e.getMessage());
      log.damage(
          "sidecar_topology_damaged",
          -1,
          -1,
          said.endsWith(".") ? said.substring(0, said.length() - 1) : said,
          "The machine is as the recording's header tells it.");
    } catch (IOException e) {
      log.damage(
          "sidecar_file_unusable",
          -1,
          -1,
          TOPOLOGY + " cannot be read: " + e.getMessage(),
          "It was left out.");
    }
  }
}

package dev.counterbalance.ingest.bundle;

import dev.counterbalance.trace.machine.Machine;
import java.util.List;
import java.util.Map;

/** Reads what becomes facts: facts.tsv, cgroups.*.tsv and the CPU lines of /proc/stat. */
final class FactReader {
  static final String FACTS_CODE = "sidecar_facts_damaged";
  static final String CGROUPS_CODE = "sidecar_cgroups_damaged";
  static final String STAT_CODE = "sidecar_stat_damaged";

  private static final int MAX_FACTS = 1 << 20;
  private static final int MAX_KEY = 256;
  private static final int MAX_PATH = 4096;

  /** The columns of a CPU in /proc/stat, in USER_HZ ticks; old kernels have the first ones. */
  private static final List<String> TIMES =
      List.of(
          "user",
          "nice",
          "system",
          "idle",
          "iowait",
          "irq",
          "softirq",
          "steal",
          "guest",
          "guest_nice");

  private static final int LEAST_TIMES = 4;

  /** Columns of cgroups.*.tsv: the path, what is set, and what is counted. */
  private static final String[] CGROUP = {
    "path", "cpu_max", "cpu_weight", "cpu_shares", "nr_periods", "nr_throttled", "throttled_usec"
  };

  private static final int FIRST_COUNTER = 4;

  private final Map<String, String> facts;

  FactReader(Map<String, String> facts) {
    this.facts = facts;
  }

  /**
   * Adds a fact.
   *
   * @throws BadLineException if there is one of that name, or there are too many
   */
  private void add(String key, String value) throws BadLineException {
    if (facts.size() >= MAX_FACTS) {
      throw new BadLineException("it is beyond the " + MAX_FACTS + " facts that are read");
    }
    if (facts.putIfAbsent(key, value) != null) {
      throw new BadLineException(
          "the fact " + BadLineException.shown(key) + " for the second time");
    }
  }

  /** Takes a line of facts.tsv. */
  void fact(String line) throws BadLineException {
    List<String> cells = Cells.split(line);
    if (cells.size() != 2) {
      throw new BadLineException(cells.size() + " columns, expected 2");
    }
    String key = cells.get(0);
    if (key.isEmpty() || key.length() > MAX_KEY || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new BadLineException("'" + BadLineException.shown(key) + "' is no name of a fact");
    }
    add(key, Cells.text(cells.get(1)));
  }

  /**
   * The lines of a table of cgroups.
   *
   * @param phase before or after
   */
  BundleFiles.LineTaker cgroups(String phase) {
    Cells cells = new Cells(CGROUP);
    return line -> {
      String[] cell = cells.of(line);
      if (cell == null) {
        return;
      }
      if (!cell[0].startsWith("/") || cell[0].length() > MAX_PATH) {
        throw new BadLineException(
            "'" + BadLineException.shown(cell[0]) + "' is no path of a cgroup");
      }
      check(cell);
      for (int i = 1; i < FIRST_COUNTER; i++) {
        String key = "cgroup." + cell[0] + "." + CGROUP[i];
        // What is set is told once, as it was before.
        if (!cell[i].isEmpty() && !facts.containsKey(key)) {
          add(key, cell[i]);
        }
      }
      for (int i = FIRST_COUNTER; i < CGROUP.length; i++) {
        if (!cell[i].isEmpty()) {
          add("cgroup." + cell[0] + "." + CGROUP[i] + "." + phase, cell[i]);
        }
      }
    };
  }

  private static void check(String[] cell) throws BadLineException {
    if (!cell[1].isEmpty() && !cell[1].matches("(max|\\d{1,18}) \\d{1,18}")) {
      throw new BadLineException(
          "cpu_max is '" + BadLineException.shown(cell[1]) + "', expected a quota and a period");
    }
    for (int i = 2; i < cell.length; i++) {
      if (!cell[i].isEmpty()) {
        BadLineException.number(CGROUP[i], cell[i], 0, Long.MAX_VALUE);
      }
    }
  }

  /**
   * The lines of a copy of /proc/stat.
   *
   * @param phase before or after
   */
  BundleFiles.LineTaker stat(String phase) {
    return line -> {
      if (!line.startsWith("cpu")) {
        return;
      }
      String[] words = line.strip().split(" +", -1);
      if (words[0].length() > 3) {
        BadLineException.number("cpu", words[0].substring(3), 0, Machine.MAX_CPUS - 1);
      }
      if (words.length - 1 < LEAST_TIMES) {
        throw new BadLineException(
            (words.length - 1) + " times, expected " + LEAST_TIMES + " to " + TIMES.size());
      }
      int times = Math.min(words.length - 1, TIMES.size());
      for (int i = 0; i < times; i++) {
        BadLineException.number(TIMES.get(i), words[i + 1], 0, Long.MAX_VALUE);
      }
      for (int i = 0; i < times; i++) {
        add("stat." + phase + "." + words[0] + "." + TIMES.get(i), words[i + 1]);
      }
    };
  }
}

package dev.counterbalance.ingest.bundle;

import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.machine.Machine;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a copy of /proc/schedstat, versions 14 to 17 (kernel: Documentation/scheduler/sched-stats).
 * 15 has fewer counters of a CPU than 14, 16 has busy before idle, and 17 has four kinds of
 * imbalance and the names of domains.
 */
final class SchedstatReader implements BundleFiles.LineTaker {
  static final String CODE = "sidecar_schedstat_damaged";

  static final int FIRST_VERSION = 14;
  static final int LAST_VERSION = 17;
  private static final int BUSY_FIRST = 16;
  private static final int NAMED_DOMAINS = 17;

  private static final int MAX_LEVELS = 32;
  private static final int MAX_LINES = 1 << 17;

  /** A counter without a name here has been 0 since version 15. */
  private static final String UNUSED = "";

  private static final List<String> CPU_14 =
      List.of(
          "yld_both_empty",
          "yld_act_empty",
          "yld_exp_empty",
          "yld_count",
          "sched_switch",
          "sched_count",
          "sched_goidle",
          "ttwu_count",
          "ttwu_local",
          "rq_cpu_time",
          "run_delay",
          "pcount");

  private static final List<String> CPU_15 =
      List.of(
          "yld_count",
          UNUSED,
          "sched_count",
          "sched_goidle",
          "ttwu_count",
          "ttwu_local",
          "rq_cpu_time",
          "run_delay",
          "pcount");

  private static final List<String> BALANCE_14 =
      List.of(
          "lb_count",
          "lb_balanced",
          "lb_failed",
          "lb_imbalance",
          "lb_gained",
          "lb_hot_gained",
          "lb_nobusyq",
          "lb_nobusyg");

  private static final List<String> BALANCE_17 =
      List.of(
          "lb_count",
          "lb_balanced",
          "lb_failed",
          "lb_imbalance_load",
          "lb_imbalance_util",
          "lb_imbalance_task",
          "lb_imbalance_misfit",
          "lb_gained",
          "lb_hot_gained",
          "lb_nobusyq",
          "lb_nobusyg");

  private static final List<String> DOMAIN =
      List.of(
          "alb_count",
          "alb_failed",
          "alb_pushed",
          "sbe_count",
          "sbe_balanced",
          "sbe_pushed",
          "sbf_count",
          "sbf_balanced",
          "sbf_pushed",
          "ttwu_wake_remote",
          "ttwu_move_affine",
          "ttwu_move_balance");

  private final String phase;
  private final Sidecar sidecar;

  /** 0 before the line that tells it, -1 if it is not known. */
  private int version;

  private int cpu = -1;
  private List<Sidecar.Counter> ofCpu;
  private List<Sidecar.Counter> ofDomain;
  private int lines;

  /**
   * A reader of one copy.
   *
   * @param phase before or after
   */
  SchedstatReader(String phase, Sidecar sidecar) {
    this.phase = phase;
    this.sidecar = sidecar;
  }

  @Override
  public void take(String line) throws BadLineException {
    String[] words = line.strip().split(" +", -1);
    if (version == 0) {
      begin(words);
      return;
    }
    if (version < 0) {
      throw new BadLineException("it is of a version that is not known");
    }
    if (words[0].equals("timestamp") && words.length == 2) {
      long ticks = BadLineException.number("timestamp", words[1], 0, Long.MAX_VALUE);
      sidecar.facts.put("schedstat." + phase + ".timestamp", Long.toString(ticks));
    } else if (words[0].startsWith("cpu")) {
      cpu = -1;
      int number =
          (int) BadLineException.number("cpu", words[0].substring(3), 0, Machine.MAX_CPUS - 1);
      add(number, -1, ofCpu, words, 1);
      cpu = number;
    } else if (words[0].startsWith("domain")) {
      if (cpu < 0) {
        throw new BadLineException("a domain without its CPU");
      }
      int level = (int) BadLineException.number("domain", words[0].substring(6), 0, MAX_LEVELS - 1);
      add(cpu, level, ofDomain, words, version >= NAMED_DOMAINS ? 3 : 2);
    } else {
      throw new BadLineException(
          "it begins with '" + BadLineException.shown(words[0]) + "', expected cpu or domain");
    }
  }

  private void begin(String[] words) throws BadLineException {
    version = -1;
    if (words.length != 2 || !words[0].equals("version")) {
      throw new BadLineException("it should tell the version");
    }
    int told = (int) BadLineException.number("version", words[1], FIRST_VERSION, LAST_VERSION);
    version = told;
    sidecar.facts.put("schedstat." + phase + ".version", Integer.toString(told));
    ofCpu = new ArrayList<>();
    for (String name : told == FIRST_VERSION ? CPU_14 : CPU_15) {
      ofCpu.add(new Sidecar.Counter(null, name));
    }
    ofDomain = new ArrayList<>();
    List<String> types =
        told >= BUSY_FIRST
            ? List.of("busy", "idle", "newidle")
            : List.of("idle", "busy", "newidle");
    for (String type : types) {
      for (String name : told >= NAMED_DOMAINS ? BALANCE_17 : BALANCE_14) {
        ofDomain.add(new Sidecar.Counter(type, name));
      }
    }
    DOMAIN.forEach(name -> ofDomain.add(new Sidecar.Counter(null, name)));
  }

  private void add(int ofNumber, int level, List<Sidecar.Counter> all, String[] words, int first)
      throws BadLineException {
    if (words.length != first + all.size()) {
      throw new BadLineException(
          (words.length - first) + " counters, expected " + all.size() + " in version " + version);
    }
    List<Sidecar.Counter> counters = new ArrayList<>(all.size());
    List<Long> values = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      long value = BadLineException.number(all.get(i).name(), words[first + i], 0, Long.MAX_VALUE);
      if (!all.get(i).name().equals(UNUSED)) {
        counters.add(all.get(i));
        values.add(value);
      }
    }
    if (++lines > MAX_LINES) {
      throw new BadLineException("it is beyond the " + MAX_LINES + " lines that are read");
    }
    List<Sidecar.Counter> shared = counters.size() == all.size() ? all : ofUsed(counters);
    sidecar.counters.add(new Sidecar.Counters(phase, ofNumber, level, shared, values));
  }

  private List<Sidecar.Counter> used;

  private List<Sidecar.Counter> ofUsed(List<Sidecar.Counter> counters) {
    used = counters.equals(used) ? used : counters;
    return used;
  }
}

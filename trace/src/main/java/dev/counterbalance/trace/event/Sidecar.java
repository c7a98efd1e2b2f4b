package dev.counterbalance.trace.event;

import dev.counterbalance.trace.machine.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was written down beside a recording and is not in it: the machine, its tunables, and its
 * tasks before and after. Of a thread id it tells who had it at those two moments only.
 */
public final class Sidecar {
  /** {@link Task#nice} that is not known. */
  public static final int NO_NICE = Integer.MIN_VALUE;

  /** {@link Task#cookie} of a task without one. */
  public static final long NO_COOKIE = 0;

  /** A CPU number above all that a list of CPUs may name. */
  public static final int CPU_LIMIT = 8192;

  /**
   * A thread.
   *
   * @param comm its name
   * @param policy its scheduling policy: normal, fifo, rr, batch, idle, deadline, ext; null if not
   *     known
   * @param nice -20 to 19, or {@link #NO_NICE}
   * @param affinity the CPUs it may use, as a cpulist of CPUs below {@link #CPU_LIMIT}; null if not
   *     known
   * @param cgroup its path in the cpu controller's hierarchy, null if not known
   * @param cookie its core scheduling cookie, or {@link #NO_COOKIE}
   */
  public record Task(
      String comm, String policy, int nice, String affinity, String cgroup, long cookie) {}

  /**
   * A sched domain of a CPU, the lowest level being 0. Texts that are not known are null, numbers
   * -1.
   *
   * @param span its CPUs as a cpulist
   * @param minInterval in ms
   * @param maxInterval in ms
   */
  public record Domain(
      int cpu,
      int level,
      String name,
      String span,
      String flags,
      int imbalancePct,
      int minInterval,
      int maxInterval) {}

  /**
   * A counter of /proc/schedstat.
   *
   * @param idleType idle, busy or newidle; null where it does not apply
   */
  public record Counter(String idleType, String name) {}

  /**
   * The counters of one CPU, or of one of its domains.
   *
   * @param phase before or after
   * @param level level of the domain; -1: the CPU's own counters
   * @param counters what the values count
   * @param values one for each counter
   */
  public record Counters(
      String phase, int cpu, int level, List<Counter> counters, List<Long> values) {}

  /** For the table {@code trace_fact}. */
  public final Map<String, String> facts = new LinkedHashMap<>();

  /** Null if it tells none. */
  public Machine machine;

  /** Null if not told. */
  public String hostname;

  /** Threads by id when the recording began. */
  public final Map<Integer, Task> before = new LinkedHashMap<>();

  /** Threads by id when the recording had ended. */
  public final Map<Integer, Task> after = new LinkedHashMap<>();

  public final List<Domain> domains = new ArrayList<>();
  public final List<Counters> counters = new ArrayList<>();

  /** What was wrong with it. */
  public final List<Problem> problems = new ArrayList<>();
}

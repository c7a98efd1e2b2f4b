package dev.counterbalance.ingest.bundle;

import dev.counterbalance.trace.event.Sidecar;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Reads tasks.before.tsv and tasks.after.tsv. */
final class TaskReader {
  static final String CODE = "sidecar_tasks_damaged";

  /** Threads a table may have, and different texts that both may have together. */
  private static final int MAX_TASKS = 1_000_000;

  private static final int MAX_TID = 1 << 22;
  private static final int MAX_COMM = 256;
  private static final int MAX_PATH = 4096;
  private static final Set<String> POLICIES =
      Set.of("normal", "fifo", "rr", "batch", "idle", "deadline", "ext");

  private final Map<String, String> texts = new HashMap<>();

  /** Reads one of the two into a map by thread id. */
  BundleFiles.LineTaker into(Map<Integer, Sidecar.Task> tasks) {
    Cells cells =
        new Cells("tid", "comm", "policy", "rt_prio", "nice", "affinity", "cgroup", "cookie");
    return line -> {
      String[] cell = cells.of(line);
      if (cell == null) {
        return;
      }
      int tid = (int) BadLineException.number("the tid", cell[0], 1, MAX_TID);
      Sidecar.Task task = task(cell);
      if (tasks.size() >= MAX_TASKS) {
        throw new BadLineException("it is beyond the " + MAX_TASKS + " threads that are read");
      }
      if (tasks.putIfAbsent(tid, task) != null) {
        throw new BadLineException("the thread " + tid + " for the second time");
      }
    };
  }

  private Sidecar.Task task(String[] cell) throws BadLineException {
    if (!cell[2].isEmpty() && !POLICIES.contains(cell[2]) && !cell[2].matches("\\d{1,9}")) {
      throw new BadLineException("no policy is called '" + BadLineException.shown(cell[2]) + "'");
    }
    if (!cell[3].isEmpty()) {
      BadLineException.number("rt_prio", cell[3], 0, 99);
    }
    int nice =
        cell[4].isEmpty()
            ? Sidecar.NO_NICE
            : (int) BadLineException.number("nice", cell[4], -20, 19);
    checkLength("a comm", cell[1], MAX_COMM);
    checkLength("a cgroup", cell[6], MAX_PATH);
    return new Sidecar.Task(
        shared(cell[1]),
        POLICIES.contains(cell[2]) ? shared(cell[2]) : null,
        nice,
        cell[5].isEmpty() ? null : shared(cpuList(cell[5])),
        cell[6].isEmpty() ? null : shared(cell[6]),
        cookie(cell[7]));
  }

  private static void checkLength(String what, String text, int most) throws BadLineException {
    if (text.length() > most) {
      throw new BadLineException(
          what + " of " + text.length() + " characters, expected at most " + most);
    }
  }

  private static long cookie(String text) throws BadLineException {
    if (text.isEmpty()) {
      return Sidecar.NO_COOKIE;
    }
    if (!text.matches("0x[0-9a-fA-F]{1,16}")) {
      throw new BadLineException(
          "the cookie is '" + BadLineException.shown(text) + "', expected 0x and up to 16 digits");
    }
    return Long.parseUnsignedLong(text.substring(2), 16);
  }

  /**
   * A list of CPUs as it is.
   *
   * @throws BadLineException if it is none
   */
  static String cpuList(String text) throws BadLineException {
    int previous = -1;
    for (String range : text.split(",", -1)) {
      int dash = range.indexOf('-');
      String first = dash < 0 ? range : range.substring(0, dash);
      String last = dash < 0 ? range : range.substring(dash + 1);
      int from = cpu(range, first);
      int to = cpu(range, last);
      if (from <= previous || to < from) {
        throw new BadLineException(
            "the CPUs '" + BadLineException.shown(text) + "' do not go up, as in 0-3,8");
      }
      previous = to;
    }
    return text;
  }

  private static int cpu(String range, String number) throws BadLineException {
    boolean digits = !number.isEmpty() && number.length() <= 4;
    for (int i = 0; i < number.length() && digits; i++) {
      digits = number.charAt(i) >= '0' && number.charAt(i) <= '9';
    }
    if (!digits || Integer.parseInt(number) >= Sidecar.CPU_LIMIT) {
      throw new BadLineException(
          "'" + BadLineException.shown(range) + "' is no list of CPUs such as 0-3,8");
    }
    return Integer.parseInt(number);
  }

  /** The same text as an equal one before it, so that each is kept once. */
  private String shared(String text) throws BadLineException {
    String known = texts.putIfAbsent(text, text);
    if (known == null && texts.size() > MAX_TASKS) {
      texts.remove(text);
      throw new BadLineException("more than " + MAX_TASKS + " different texts");
    }
    return known == null ? text : known;
  }
}

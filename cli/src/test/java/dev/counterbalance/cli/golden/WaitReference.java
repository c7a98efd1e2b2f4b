package dev.counterbalance.cli.golden;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Waits after a wake, from {@code perf script} lines, by two rules.
 *
 * <p>The oracle of {@code expected.json} takes the first sched_waking (or sched_wakeup_new) after a
 * switch-out that it has seen, never looks at sched_wakeup, and keeps that time whatever follows.
 *
 * <p>Ours differs in what is named here, and in nothing else:
 *
 * <ul>
 *   <li>a task first seen by its wake has a wait, too;
 *   <li>a waking that came just before the switch-out counts from the switch-out;
 *   <li>a second waking before a run means that a run was not recorded: the first wait is suspect;
 *   <li>where sched_wakeup is recorded, a task waits only once it came; a wakeup of a task that
 *       runs uses its waking up, and a wait may begin with a sched_wakeup alone;
 *   <li>an unexpected prev, or an unexpected current task of an event, ran unseen, and the task it
 *       replaces left unseen;
 *   <li>a switch-out on a CPU after the switch-in on another (clocks disagree) changes nothing.
 * </ul>
 */
final class WaitReference {
  private static final Pattern LINE =
      Pattern.compile(
          "\\s*.*?\\s+(-?\\d+)\\s+\\[(\\d+)\\]\\s+(\\d+)\\.(\\d{9}):\\s+\\w+:(\\w+): ?(.*)");
  private static final Pattern SWITCH =
      Pattern.compile(
          "prev_comm=.* prev_pid=(\\d+) prev_prio=-?\\d+ prev_state=(\\S+) ==> next_comm=.*"
              + " next_pid=(\\d+) next_prio=-?\\d+");
  private static final Pattern PID = Pattern.compile(".* pid=(\\d+) prio=.*");
  private static final long NONE = -1;

  private record Event(long ts, int cpu, String tid, String name, String args) {}

  /** What is known of a task: running, Preempted, Sleeping, Woken, or nothing. */
  private static final class Task {
    char state = '?';
    long since;
    long waking = NONE;
    int cpu = -1;
  }

  private final List<Event> events = new ArrayList<>();
  private final Map<Integer, String> current = new HashMap<>();

  static WaitReference read(Path script) throws IOException {
    WaitReference reference = new WaitReference();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(Corpus.open(script), StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Matcher m = LINE.matcher(line);
        if (m.matches()) {
          long ts = Long.parseLong(m.group(3)) * 1_000_000_000L + Long.parseLong(m.group(4));
          reference.events.add(
              new Event(ts, Integer.parseInt(m.group(2)), m.group(1), m.group(5), m.group(6)));
        }
      }
    }
    return reference;
  }

  Map<String, Long> theirs() {
    Map<String, Task> tasks = new HashMap<>();
    List<Long> waits = new ArrayList<>();
    for (Event event : events) {
      Matcher m = SWITCH.matcher(event.args());
      if (event.name().equals("sched_switch") && m.matches()) {
        Task prev = tasks.computeIfAbsent(m.group(1), k -> new Task());
        prev.state = m.group(2).startsWith("R") ? 'P' : 'S';
        Task next = tasks.computeIfAbsent(m.group(3), k -> new Task());
        if (next.state == 'W') {
          waits.add(event.ts() - next.since);
        }
        next.state = 'r';
        tasks.remove("0");
      } else if (event.name().equals("sched_waking") || event.name().equals("sched_wakeup_new")) {
        Task task = tasks.computeIfAbsent(pid(event), k -> new Task());
        if (task.state == 'S' || event.name().equals("sched_wakeup_new")) {
          task.state = 'W';
          task.since = event.ts();
        }
      }
    }
    return figures(waits);
  }

  Map<String, Long> ours() {
    boolean hasWakeup = events.stream().anyMatch(e -> e.name().equals("sched_wakeup"));
    Map<String, Task> tasks = new HashMap<>();
    List<Long> waits = new ArrayList<>();
    for (Event event : events) {
      if (event.name().matches("sched_(wak|stat|migrate).*") && !event.tid().equals("-1")) {
        onSign(event, tasks);
      }
      switch (event.name()) {
        case "sched_switch" -> onSwitch(event, tasks, waits);
        case "sched_waking" -> onWaking(event, tasks, hasWakeup);
        case "sched_wakeup", "sched_wakeup_new" -> onWakeup(event, tasks);
        default -> {}
      }
    }
    return figures(waits);
  }

  /** The event names another current task than the switches do. */
  private void onSign(Event event, Map<String, Task> tasks) {
    String known = current.get(event.cpu());
    if (known == null || known.equals(event.tid())) {
      return;
    }
    current.put(event.cpu(), event.tid());
    Task lost = tasks.get(known);
    if (lost != null && lost.cpu == event.cpu() && lost.state == 'r') {
      lost.state = '?';
      lost.waking = NONE;
    }
    if (!event.tid().equals("0")) {
      Task task = tasks.computeIfAbsent(event.tid(), k -> new Task());
      task.state = 'r';
      task.cpu = event.cpu();
      task.waking = NONE;
    }
  }

  private void onSwitch(Event event, Map<String, Task> tasks, List<Long> waits) {
    Matcher m = SWITCH.matcher(event.args());
    if (!m.matches()) {
      throw new IllegalStateException(event.args());
    }
    Task prev = tasks.computeIfAbsent(m.group(1), k -> new Task());
    String expected = current.put(event.cpu(), m.group(3));
    if (expected != null && !expected.equals(m.group(1))) {
      Task lost = tasks.get(expected);
      if (lost != null && lost.cpu == event.cpu() && lost.state == 'r') {
        lost.state = '?';
        lost.waking = NONE;
      }
      prev.state = '?';
    }
    if (prev.state != 'r' || prev.cpu == event.cpu()) {
      prev.state = m.group(2).startsWith("R") ? 'P' : m.group(2).matches("[XZx].*") ? '?' : 'S';
      prev.since = event.ts();
      if (prev.state != 'S') {
        prev.waking = NONE;
      }
    }
    Task next = tasks.computeIfAbsent(m.group(3), k -> new Task());
    if (next.state == 'W') {
      waits.add(event.ts() - (next.waking == NONE ? next.since : next.waking));
    } else if (next.state == 'S' && next.waking != NONE) {
      waits.add(event.ts() - Math.max(next.waking, next.since));
    }
    next.state = 'r';
    next.cpu = event.cpu();
    next.waking = NONE;
    tasks.remove("0");
  }

  private static void onWaking(Event event, Map<String, Task> tasks, boolean hasWakeup) {
    Task task = tasks.computeIfAbsent(pid(event), k -> new Task());
    if (task.state == 'P') {
      return;
    }
    if (task.state == 'W') {
      task.state = '?';
    }
    task.waking = event.ts();
    if (!hasWakeup && task.state != 'r') {
      task.state = 'W';
      task.since = event.ts();
    }
  }

  private static void onWakeup(Event event, Map<String, Task> tasks) {
    Task task = tasks.computeIfAbsent(pid(event), k -> new Task());
    if (task.state == 'r' || task.state == 'P') {
      task.waking = NONE;
      return;
    }
    if (task.state == 'W') {
      task.waking = NONE;
    }
    if (task.state == 'S' && task.waking != NONE) {
      task.waking = Math.max(task.waking, task.since);
    }
    task.state = 'W';
    task.since = event.ts();
  }

  private static String pid(Event event) {
    Matcher m = PID.matcher(event.args());
    if (!m.matches()) {
      throw new IllegalStateException(event.args());
    }
    return m.group(1);
  }

  private static Map<String, Long> figures(List<Long> waits) {
    List<Long> sorted = waits.stream().sorted().toList();
    int n = sorted.size();
    Map<String, Long> figures = new HashMap<>();
    figures.put("count", (long) n);
    figures.put("sum_ns", sorted.stream().mapToLong(w -> w).sum());
    figures.put("max_ns", n == 0 ? 0 : sorted.get(n - 1));
    return figures;
  }
}

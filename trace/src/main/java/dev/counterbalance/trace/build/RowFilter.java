package dev.counterbalance.trace.build;

import dev.counterbalance.trace.task.Names;
import dev.counterbalance.trace.task.TaskRegistry;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;

/** Decides row by row what a {@link TraceFilter} keeps, and cuts intervals to its window. */
final class RowFilter {
  private final TraceFilter filter;
  private final TaskRegistry tasks;
  private final Names names;
  private final List<Pattern> patterns;
  private final BitSet tids = new BitSet();
  private final BitSet known = new BitSet();
  private final BitSet matching = new BitSet();

  /** The window in the trace's own clock, ns. */
  private long sinceNs = Long.MIN_VALUE;

  private long untilNs = Long.MAX_VALUE;

  RowFilter(TraceFilter filter, TaskRegistry tasks, Names names) {
    this.filter = filter;
    this.tasks = tasks;
    this.names = names;
    this.patterns = filter.comms().stream().map(RowFilter::pattern).toList();
    filter.tids().forEach(tids::set);
  }

  /** Sets the window of a recording that starts then. */
  void begin(long startNs) {
    sinceNs = filter.sinceNs() == 0 ? Long.MIN_VALUE : startNs + filter.sinceNs();
    boolean open = filter.untilNs() == Long.MAX_VALUE;
    untilNs = open ? Long.MAX_VALUE : startNs + filter.untilNs();
  }

  /** A time, or the nearest one in the window. */
  long clamp(long tsNs) {
    return Math.max(sinceNs, Math.min(untilNs, tsNs));
  }

  /** True if an event at that time is kept. */
  boolean keepsTime(long tsNs) {
    return tsNs >= sinceNs && tsNs < untilNs;
  }

  /** True if something of an interval lies in the window. */
  boolean keepsTime(long tsNs, long durNs) {
    return tsNs < untilNs && (tsNs >= sinceNs || tsNs + durNs > sinceNs);
  }

  boolean keepsCpu(int cpu) {
    return filter.cpus() == null || (cpu >= 0 && filter.cpus().contains(cpu));
  }

  /** True if tasks are kept that the filter does not name: those that have none, too. */
  boolean keepsAllTasks() {
    return !filter.namesTasks();
  }

  boolean keepsTask(int utid) {
    return keepsAllTasks()
        || (utid >= 0 && (tids.get(tasks.tid(utid)) || keepsName(tasks.name(utid))));
  }

  private boolean keepsName(int name) {
    if (name < 0 || patterns.isEmpty()) {
      return false;
    }
    if (!known.get(name)) {
      known.set(name);
      String text = names.text(name);
      matching.set(name, patterns.stream().anyMatch(p -> p.matcher(text).matches()));
    }
    return matching.get(name);
  }

  private static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}

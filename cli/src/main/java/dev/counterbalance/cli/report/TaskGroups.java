package dev.counterbalance.cli.report;

import dev.counterbalance.cli.report.RunReport.TaskGroup;
import dev.counterbalance.whatif.engine.Simulation;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Folds a workload's tasks: those that differ by a number in their name only are one group. */
public final class TaskGroups {
  private static final Pattern NUMBER = Pattern.compile("[-_.:/]?\\d+$");
  private static final int MOST = 12;

  private TaskGroups() {}

  /**
   * The groups in the order of their first tasks.
   *
   * @param cpus CPUs of the machine, which the tids depend on
   */
  public static List<TaskGroup> of(Workload workload, int cpus) {
    Map<String, List<Integer>> tasks = new LinkedHashMap<>();
    for (int task = 0; task < workload.tasks(); task++) {
      String base = NUMBER.matcher(workload.name(task)).replaceFirst("");
      String key = (base.isEmpty() ? workload.name(task) : base) + attributes(workload, task);
      tasks.computeIfAbsent(key, k -> new ArrayList<>()).add(task);
    }
    List<TaskGroup> groups = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Map.Entry<String, List<Integer>> entry : tasks.entrySet()) {
      List<String> subjects =
          entry.getValue().stream()
              .map(task -> workload.name(task) + ":" + Simulation.tid(cpus, task))
              .toList();
      if (groups.size() == MOST - 1 && tasks.size() > MOST) {
        others.addAll(subjects);
      } else {
        String name = workload.name(entry.getValue().get(0));
        boolean alone = subjects.size() == 1;
        String label =
            alone ? name + attributes(workload, entry.getValue().get(0)) : entry.getKey();
        groups.add(new TaskGroup(label, subjects));
      }
    }
    if (!others.isEmpty()) {
      groups.add(new TaskGroup("others", others));
    }
    return groups;
  }

  /** What sets a task apart from a normal one of nice 0, in brackets. */
  private static String attributes(Workload workload, int task) {
    Policy policy = workload.policy(task);
    String text = policy == Policy.NORMAL ? "" : policy.name().toLowerCase(Locale.ROOT);
    if (policy.isRealtime()) {
      text += " " + workload.rtPriority(task);
    } else if (workload.nice(task) != 0) {
      text += (text.isEmpty() ? "" : ", ") + "nice " + workload.nice(task);
    }
    return text.isEmpty() ? "" : " (" + text + ")";
  }
}

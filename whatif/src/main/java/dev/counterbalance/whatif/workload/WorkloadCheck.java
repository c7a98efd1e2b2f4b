package dev.counterbalance.whatif.workload;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.Arrays;

/** What a {@link WorkloadBuilder} refuses. */
final class WorkloadCheck {
  /** A loop that goes round more often than this counts as endless. */
  private static final long MANY_TIMES = 1_000_000;

  private final WorkloadBuilder data;

  /** For each task, the task that forks it, or -1. */
  private final int[] parents;

  /** The outermost loops of the program that is looked at, so far. */
  private int[] loopStarts = new int[16];

  private int[] loopEnds = new int[16];
  private int depth;

  WorkloadCheck(WorkloadBuilder data) {
    this.data = data;
    parents = new int[data.tasks];
    Arrays.fill(parents, -1);
  }

  static void within(String what, long value, long least, long most) {
    if (value < least || value > most) {
      String range =
          most == Long.MAX_VALUE || most == Integer.MAX_VALUE
              ? ">= " + least
              : most < least ? "one that exists" : "within " + least + " to " + most;
      throw new WorkloadException("must be " + range + ": " + what + "=" + value);
    }
  }

  /** Whether one more fits. */
  static void atMost(String what, int count, int most) {
    if (count >= most) {
      throw new WorkloadException("must be <= " + most + ": " + what + "=" + (count + 1L));
    }
  }

  static void priority(Policy policy, long priority) {
    if (policy.isRealtime()) {
      within(policy + " priority", priority, 1, 99);
    } else {
      within("nice", priority, -20, 19);
    }
  }

  /** One operation, as far as it can be judged when it is added. */
  static void op(WorkloadBuilder data, int task, OpKind kind, long arg, int ref) {
    try {
      switch (kind) {
        case RUN, RUN_TIME -> within("work", arg, 0, WorkloadBuilder.MAX_NS);
        case SLEEP -> within("sleep", arg, 0, WorkloadBuilder.MAX_NS);
        case TIMER, TIMER_RELATIVE -> {
          within("period", arg, 0, WorkloadBuilder.MAX_NS);
          within("timer", ref, 0, data.timers - 1);
        }
        case WAIT, SIGNAL, SIGNAL_SYNC -> within("semaphore", ref, 0, data.semaphores - 1);
        case BROADCAST -> {
          within("semaphore", ref, 0, data.semaphores - 1);
          within("waiters", arg, 0, Long.MAX_VALUE);
        }
        case FORK -> within("task", ref, 0, WorkloadBuilder.MAX_TASKS - 1);
        case AFFINITY -> within("mask", ref, -1, data.masks.size() - 1);
        case PRIORITY -> setPriority(ref, arg);
        case LOOP -> {
          if (arg < 1 && arg != -1) {
            throw new WorkloadException("must be >= 1, or -1 for ever: times=" + arg);
          }
          if (ref < data.firstOps[task] || ref >= data.ops) {
            throw new WorkloadException(
                "must go back to an operation of its task, "
                    + (data.ops == data.firstOps[task]
                        ? "which has none"
                        : data.firstOps[task] + " to " + (data.ops - 1))
                    + ": first="
                    + ref);
          }
        }
        case YIELD, EXIT -> {}
      }
    } catch (WorkloadException e) {
      throw new WorkloadException(place(data, task, data.ops) + kind + ": " + e.getMessage(), e);
    }
  }

  private static void setPriority(int ref, long arg) {
    within("policy", ref, 0, Policy.values().length - 1);
    priority(Policy.values()[ref], arg);
  }

  static void action(WorkloadBuilder data, Workload.Action action) {
    try {
      within("atNs", action.atNs(), 0, WorkloadBuilder.MAX_NS);
      switch (action.kind()) {
        case AFFINITY -> {
          within("task", action.task(), 0, data.tasks - 1);
          within("mask", action.ref(), -1, data.masks.size() - 1);
        }
        case PRIORITY -> {
          within("task", action.task(), 0, data.tasks - 1);
          setPriority(action.ref(), action.arg());
        }
        case CPU_OFF, CPU_ON -> {
          within("task", action.task(), -1, -1);
          within("cpu", action.ref(), 0, WorkloadBuilder.MAX_CPUS - 1);
        }
      }
    } catch (WorkloadException e) {
      throw new WorkloadException(
          "action " + data.actions.size() + ": " + action.kind() + ": " + e.getMessage(), e);
    }
  }

  /** Everything that only the whole workload can show. */
  void all() {
    for (int task = 0; task < data.tasks; task++) {
      program(task);
      startsInsideAffinity(task);
    }
    everyTaskStarts();
  }

  private void program(int task) {
    depth = 0;
    int lastTime = -1;
    int lastWait = -1;
    int lastGive = -1;
    int lastFork = -1;
    for (int op = data.firstOps[task]; op < data.firstOps[task + 1]; op++) {
      switch (data.kinds[op]) {
        case RUN, RUN_TIME, SLEEP, TIMER, TIMER_RELATIVE ->
            lastTime = data.args[op] > 0 ? op : lastTime;
        case WAIT -> lastWait = op;
        case SIGNAL, SIGNAL_SYNC, BROADCAST -> lastGive = op;
        case FORK -> {
          fork(task, op);
          lastFork = op;
        }
        case LOOP -> {
          int first = data.refs[op];
          nested(task, op, first);
          takesTime(task, op, lastTime >= first, lastWait >= first, lastGive >= first);
          if (data.args[op] != 1 && lastFork >= first) {
            throw at(task, op, "must not repeat a FORK: a task starts once");
          }
        }
        case YIELD, AFFINITY, PRIORITY, EXIT -> {}
      }
    }
  }

  /** Loops lie inside one another or apart. Those that are not inside another are kept. */
  private void nested(int task, int op, int first) {
    while (depth > 0 && loopStarts[depth - 1] >= first) {
      depth--;
    }
    if (depth > 0 && loopEnds[depth - 1] >= first) {
      throw at(task, op, "must not overlap the loop that ends at " + loopEnds[depth - 1]);
    }
    if (depth == loopStarts.length) {
      loopStarts = Arrays.copyOf(loopStarts, depth * 2);
      loopEnds = Arrays.copyOf(loopEnds, depth * 2);
    }
    loopStarts[depth] = first;
    loopEnds[depth++] = op;
  }

  /**
   * A loop must take time, or time would stand still. One that only waits cannot go round for ever
   * at one instant as long as it gives no tokens, because those that do take time.
   */
  private void takesTime(int task, int op, boolean time, boolean wait, boolean give) {
    if (time) {
      return;
    }
    long times = data.args[op];
    boolean endless = times == -1 || times > MANY_TIMES;
    if (!wait || (give && endless)) {
      throw at(
          task,
          op,
          "must contain a RUN, SLEEP or TIMER longer than 0"
              + (wait ? ", because it gives tokens" : ", or a WAIT")
              + ": it can never take time");
    }
  }

  private void fork(int task, int op) {
    int child = data.refs[op];
    if (child >= data.tasks) {
      throw at(task, op, "must be one of " + data.tasks + " tasks: task=" + child);
    }
    if (data.starts[child] >= 0) {
      throw at(task, op, taskName(child) + " starts by itself, at ns " + data.starts[child]);
    }
    if (parents[child] >= 0) {
      throw at(task, op, taskName(child) + " is forked twice");
    }
    parents[child] = task;
  }

  private void startsInsideAffinity(int task) {
    int cpu = data.startCpus[task];
    int mask = data.affinities[task];
    if (cpu >= 0 && mask >= 0 && !data.masks.get(mask).contains(cpu)) {
      throw new WorkloadException(
          taskName(task)
              + ": must start inside its affinity "
              + data.masks.get(mask)
              + ": startCpu="
              + cpu,
          task);
    }
  }

  private void everyTaskStarts() {
    boolean[] starts = new boolean[data.tasks];
    for (int task = 0; task < data.tasks; task++) {
      int root = task;
      int steps = 0;
      while (data.starts[root] < 0 && !starts[root]) {
        if (parents[root] < 0 || ++steps > data.tasks) {
          throw new WorkloadException(
              taskName(task) + " never starts: it has no start time and no running task forks it",
              task);
        }
        root = parents[root];
      }
      for (int child = task; child != root; child = parents[child]) {
        starts[child] = true;
      }
      starts[root] = true;
    }
  }

  /** One more than the highest CPU that is named. */
  static int minCpus(WorkloadBuilder data) {
    int highest = 0;
    for (int task = 0; task < data.tasks; task++) {
      highest = Math.max(highest, data.startCpus[task]);
    }
    for (CpuSet mask : data.masks) {
      for (int cpu = mask.first(); cpu >= 0; cpu = mask.next(cpu)) {
        highest = Math.max(highest, cpu);
      }
    }
    for (Workload.Action action : data.actions) {
      if (action.task() < 0) {
        highest = Math.max(highest, action.ref());
      }
    }
    return highest + 1;
  }

  private WorkloadException at(int task, int op, String message) {
    return new WorkloadException(place(data, task, op) + data.kinds[op] + ": " + message, task);
  }

  private String taskName(int task) {
    return "task " + task + " (" + data.names[task] + ")";
  }

  private static String place(WorkloadBuilder data, int task, int op) {
    return "task " + task + " (" + data.names[task] + "), operation " + op + ": ";
  }
}

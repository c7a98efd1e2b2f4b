package dev.counterbalance.whatif.rules;

import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.domain.SchedGroup;
import dev.counterbalance.whatif.rule.SchedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A machine's state written by hand: {@code view.on(1).runs(-15); view.on(2).runs(0).queues(0)}.
 * Histories equal the present load unless said otherwise, all tasks may run everywhere, and none is
 * a buddy.
 */
public final class FakeView implements SchedView {
  /** kernel/sched.c prio_to_weight, as in kernel-rules 2.1: nice -20 to 19. */
  private static final int[] WEIGHTS = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
    9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
    1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
    110, 87, 70, 56, 45, 36, 29, 23, 18, 15
  };

  private static final int IDLE_POLICY_WEIGHT = 3;
  private static final int SLOTS = 5;

  private static final class Task {
    private int weight;
    private int cpu;
    private boolean idlePolicy;
    private boolean running;
    private boolean buddy;
    private long execStartNs;
  }

  private final List<Task> tasks = new ArrayList<>();
  private final List<List<Integer>> queues = new ArrayList<>();
  private final int[] lengths;
  private final int[] running;
  private final long[] loads;
  private final long[][] history;
  private final int[] powers;
  private final long[] groupPowers;
  private long nowNs;

  public FakeView(SchedDomains domains) {
    int cpus = domains.cpus();
    lengths = new int[cpus];
    running = new int[cpus];
    Arrays.fill(running, -1);
    loads = new long[cpus];
    history = new long[cpus][SLOTS];
    powers = new int[cpus];
    groupPowers = new long[domains.groups().length];
    for (long[] slots : history) {
      Arrays.fill(slots, -1);
    }
    for (SchedGroup group : domains.groups()) {
      groupPowers[group.id] = group.power;
    }
    for (int cpu = 0; cpu < cpus; cpu++) {
      queues.add(new ArrayList<>());
      SchedDomain lowest = domains.of(cpu).length == 0 ? null : domains.of(cpu)[0];
      powers[cpu] = lowest == null ? 1024 : lowest.groups[0].power / lowest.groups[0].cpus.length;
    }
  }

  /** The queue of a CPU, for {@link Queue#runs} and the like. */
  public Queue on(int cpu) {
    return new Queue(cpu);
  }

  public FakeView now(long ns) {
    nowNs = ns;
    return this;
  }

  public FakeView groupPower(SchedGroup group, int power) {
    groupPowers[group.id] = power;
    return this;
  }

  public FakeView buddy(int task) {
    tasks.get(task).buddy = true;
    return this;
  }

  public FakeView execStart(int task, long ns) {
    tasks.get(task).execStartNs = ns;
    return this;
  }

  /** Puts tasks on a CPU. Tasks are numbered as they are added, from 0. */
  public final class Queue {
    private final int cpu;

    private Queue(int cpu) {
      this.cpu = cpu;
    }

    /** The running task, SCHED_NORMAL of that nice. */
    public Queue runs(int nice) {
      return add(WEIGHTS[nice + 20], false, true);
    }

    /** A waiting task. */
    public Queue queues(int nice) {
      return add(WEIGHTS[nice + 20], false, false);
    }

    /** The running task, SCHED_IDLE, and {@code waiting} more of these. */
    public Queue idlePolicy(int waiting) {
      add(IDLE_POLICY_WEIGHT, true, true);
      for (int i = 0; i < waiting; i++) {
        add(IDLE_POLICY_WEIGHT, true, false);
      }
      return this;
    }

    /** What cpu_load[slot] says. */
    public Queue history(int slot, long load) {
      history[cpu][slot] = load;
      return this;
    }

    public Queue power(int power) {
      powers[cpu] = power;
      return this;
    }

    private Queue add(int weight, boolean idlePolicy, boolean runs) {
      Task task = new Task();
      task.weight = weight;
      task.cpu = cpu;
      task.idlePolicy = idlePolicy;
      task.running = runs;
      if (runs) {
        running[cpu] = tasks.size();
      }
      lengths[cpu]++;
      queues.get(cpu).add(0, tasks.size());
      tasks.add(task);
      loads[cpu] += weight;
      return this;
    }
  }

  /** A hash of everything that a decision can read. */
  public int hash() {
    int hash = Arrays.hashCode(loads) * 31 + Arrays.deepHashCode(history);
    hash = hash * 31 + Arrays.hashCode(powers);
    hash = hash * 31 + Arrays.hashCode(groupPowers);
    hash = hash * 31 + Arrays.hashCode(lengths) + 7 * Arrays.hashCode(running);
    hash = hash * 31 + queues.hashCode();
    for (Task task : tasks) {
      hash = hash * 31 + task.weight + 7 * task.cpu + Long.hashCode(task.execStartNs);
      hash = hash * 8 + (task.idlePolicy ? 4 : 0) + (task.running ? 2 : 0) + (task.buddy ? 1 : 0);
    }
    return hash * 31 + Long.hashCode(nowNs);
  }

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public long load(int cpu) {
    return loads[cpu];
  }

  @Override
  public long loadHistory(int cpu, int slot) {
    return history[cpu][slot] < 0 ? loads[cpu] : history[cpu][slot];
  }

  @Override
  public int nrRunning(int cpu) {
    return lengths[cpu];
  }

  @Override
  public boolean isIdle(int cpu) {
    return running[cpu] < 0;
  }

  @Override
  public int running(int cpu) {
    return running[cpu];
  }

  @Override
  public int power(int cpu) {
    return powers[cpu];
  }

  @Override
  public int power(SchedGroup group) {
    return (int) groupPowers[group.id];
  }

  @Override
  public boolean activeBalancePending(int cpu) {
    return false;
  }

  @Override
  public int newestTask(int cpu) {
    return queues.get(cpu).isEmpty() ? -1 : queues.get(cpu).get(0);
  }

  @Override
  public int olderTask(int task) {
    List<Integer> queue = queues.get(tasks.get(task).cpu);
    int next = queue.indexOf(task) + 1;
    return next == queue.size() ? -1 : queue.get(next);
  }

  @Override
  public int weight(int task) {
    return tasks.get(task).weight;
  }

  @Override
  public boolean isIdlePolicy(int task) {
    return tasks.get(task).idlePolicy;
  }

  @Override
  public boolean isAllowed(int task, int cpu) {
    return true;
  }

  @Override
  public boolean isRunning(int task) {
    return tasks.get(task).running;
  }

  @Override
  public boolean isBuddy(int task) {
    return tasks.get(task).buddy;
  }

  @Override
  public long execStartNs(int task) {
    return tasks.get(task).execStartNs;
  }
}

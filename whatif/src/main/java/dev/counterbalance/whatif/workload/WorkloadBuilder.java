package dev.counterbalance.whatif.workload;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a {@link Workload}: {@code task(...)} begins a task, then come the attributes and
 * operations of that task, in order. Bad values are refused with a {@link WorkloadException}, at
 * once where they can be seen at once, else by {@link #build}.
 */
public final class WorkloadBuilder {
  public static final int MAX_TASKS = 1_000_000;
  public static final int MAX_OPS = 20_000_000;
  public static final int MAX_SEMAPHORES = 4_000_000;
  public static final int MAX_TIMERS = 4_000_000;
  public static final int MAX_MASKS = 100_000;
  public static final int MAX_ACTIONS = 1_000_000;
  public static final int MAX_CPUS = 65_536;

  /** The longest work, sleep or point in time, in ns: two of them still add up to a long. */
  public static final long MAX_NS = Long.MAX_VALUE / 4;

  final String name;
  String description = "";
  long durationNs = -1;
  int minCpus;
  int tasks;
  String[] names = new String[8];
  Policy[] policies = new Policy[8];
  int[] nices = new int[8];
  int[] rtPriorities = new int[8];
  int[] affinities = new int[8];
  int[] startCpus = new int[8];
  long[] starts = new long[8];
  int[] firstOps = new int[9];
  int ops;
  OpKind[] kinds = new OpKind[32];
  long[] args = new long[32];
  int[] refs = new int[32];
  int semaphores;
  int[] tokens = new int[8];
  int timers;
  final List<CpuSet> masks = new ArrayList<>();
  List<Workload.Action> actions = new ArrayList<>();
  private final Map<CpuSet, Integer> maskIds = new HashMap<>();
  private boolean spent;

  public WorkloadBuilder(String name) {
    if (name == null || name.isBlank()) {
      throw new WorkloadException("a workload must have a name");
    }
    this.name = name;
  }

  /** What it shows, in a sentence, for people. */
  public WorkloadBuilder description(String text) {
    checkNotSpent();
    description = text;
    return this;
  }

  /** How long it is meant to run, in ns; -1, the default, is "until every task has ended". */
  public WorkloadBuilder durationNs(long ns) {
    checkNotSpent();
    if (ns != -1) {
      WorkloadCheck.within("durationNs", ns, 1, MAX_NS);
    }
    durationNs = ns;
    return this;
  }

  /**
   * Begins a task: SCHED_NORMAL, nice 0, every CPU that is not isolated, started at time 0 where
   * the rule places it.
   */
  public int task(String taskName) {
    checkNotSpent();
    WorkloadCheck.atMost("tasks", tasks, MAX_TASKS);
    if (taskName == null || taskName.isEmpty()) {
      throw new WorkloadException("a task must have a name: task " + tasks);
    }
    if (tasks == names.length) {
      int size = Math.min(tasks * 2, MAX_TASKS);
      names = Arrays.copyOf(names, size);
      policies = Arrays.copyOf(policies, size);
      nices = Arrays.copyOf(nices, size);
      rtPriorities = Arrays.copyOf(rtPriorities, size);
      affinities = Arrays.copyOf(affinities, size);
      startCpus = Arrays.copyOf(startCpus, size);
      starts = Arrays.copyOf(starts, size);
      firstOps = Arrays.copyOf(firstOps, size + 1);
    }
    names[tasks] = taskName;
    policies[tasks] = Policy.NORMAL;
    affinities[tasks] = -1;
    startCpus[tasks] = -1;
    firstOps[tasks] = ops;
    return tasks++;
  }

  /** Policy of the task begun last; {@code priority} is nice, or 1 to 99 for FIFO and RR. */
  public WorkloadBuilder policy(Policy policy, int priority) {
    int task = last();
    WorkloadCheck.priority(policy, priority);
    policies[task] = policy;
    if (policy.isRealtime()) {
      rtPriorities[task] = priority;
    } else {
      nices[task] = priority;
      rtPriorities[task] = 0;
    }
    return this;
  }

  /** Nice of the task begun last, -20 to 19. */
  public WorkloadBuilder nice(int nice) {
    int task = last();
    WorkloadCheck.within("nice", nice, -20, 19);
    nices[task] = nice;
    return this;
  }

  /** Initial affinity of the task begun last: a mask id, -1 is every CPU that is not isolated. */
  public WorkloadBuilder affinity(int mask) {
    int task = last();
    WorkloadCheck.within("mask", mask, -1, masks.size() - 1);
    affinities[task] = mask;
    return this;
  }

  /** The CPU the task begun last starts on; -1, the default: the rule's fork placement decides. */
  public WorkloadBuilder startCpu(int cpu) {
    int task = last();
    WorkloadCheck.within("startCpu", cpu, -1, MAX_CPUS - 1);
    startCpus[task] = cpu;
    return this;
  }

  /** When the task begun last starts, or -1: a FORK operation starts it. */
  public WorkloadBuilder startNs(long ns) {
    int task = last();
    WorkloadCheck.within("startNs", ns, -1, MAX_NS);
    starts[task] = ns;
    return this;
  }

  /** Adds a set of CPUs; the id stands for it in AFFINITY. Equal sets share an id. */
  public int mask(CpuSet cpus) {
    checkNotSpent();
    Integer known = maskIds.get(cpus);
    if (known != null) {
      return known;
    }
    if (cpus.isEmpty()) {
      throw new WorkloadException("an affinity mask must have a CPU: mask " + masks.size());
    }
    WorkloadCheck.atMost("masks", masks.size(), MAX_MASKS);
    CpuSet copy = cpus.copy();
    masks.add(copy);
    maskIds.put(copy, masks.size() - 1);
    return masks.size() - 1;
  }

  /** Adds a semaphore. */
  public int semaphore(int initialTokens) {
    checkNotSpent();
    WorkloadCheck.within("initialTokens", initialTokens, 0, Integer.MAX_VALUE);
    WorkloadCheck.atMost("semaphores", semaphores, MAX_SEMAPHORES);
    if (semaphores == tokens.length) {
      tokens = Arrays.copyOf(tokens, semaphores * 2);
    }
    tokens[semaphores] = initialTokens;
    return semaphores++;
  }

  /** Adds a timer. */
  public int timer() {
    checkNotSpent();
    WorkloadCheck.atMost("timers", timers, MAX_TIMERS);
    return timers++;
  }

  /** Adds an operation to the task begun last; returns its index, as LOOP needs it. */
  public int op(OpKind kind, long arg, int ref) {
    int task = last();
    WorkloadCheck.atMost("operations", ops, MAX_OPS);
    WorkloadCheck.op(this, task, kind, arg, ref);
    if (ops == kinds.length) {
      int size = (int) Math.min(ops * 2L, MAX_OPS);
      kinds = Arrays.copyOf(kinds, size);
      args = Arrays.copyOf(args, size);
      refs = Arrays.copyOf(refs, size);
    }
    kinds[ops] = kind;
    args[ops] = arg;
    refs[ops] = ref;
    return ops++;
  }

  public int run(long workNs) {
    return op(OpKind.RUN, workNs, -1);
  }

  public int sleep(long ns) {
    return op(OpKind.SLEEP, ns, -1);
  }

  /** Repeats everything since operation {@code first}; {@code times} in all, -1 for ever. */
  public int loop(int first, long times) {
    return op(OpKind.LOOP, times, first);
  }

  /** Runs for ever: what the threads call a soaker. */
  public WorkloadBuilder hog() {
    op(OpKind.RUN, MAX_NS, -1);
    return this;
  }

  /** Adds something done from outside; its task must have begun. */
  public WorkloadBuilder action(Workload.Action action) {
    checkNotSpent();
    WorkloadCheck.atMost("actions", actions.size(), MAX_ACTIONS);
    WorkloadCheck.action(this, action);
    actions.add(action);
    return this;
  }

  /**
   * The workload; the builder is spent.
   *
   * @throws WorkloadException if a task is never started, or more than once; if loops overlap or
   *     can go round without taking time; if a task starts outside its affinity
   */
  public Workload build() {
    checkNotSpent();
    firstOps[tasks] = ops;
    new WorkloadCheck(this).all();
    actions.sort(Comparator.comparingLong(Workload.Action::atNs));
    actions = List.copyOf(actions);
    minCpus = WorkloadCheck.minCpus(this);
    spent = true;
    return new Workload(this);
  }

  private int last() {
    checkNotSpent();
    if (tasks == 0) {
      throw new WorkloadException("a task must be begun before its attributes and operations");
    }
    return tasks - 1;
  }

  private void checkNotSpent() {
    if (spent) {
      throw new IllegalStateException("the workload is built, its builder is spent: " + name);
    }
  }
}

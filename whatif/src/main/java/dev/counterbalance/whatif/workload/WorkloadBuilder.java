package dev.counterbalance.whatif.workload;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Makes a {@link Workload}: {@code task(...)} begins a task, then come the attributes and
 * operations of that task, in order.
 */
public final class WorkloadBuilder {
  final String name;
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

  public WorkloadBuilder(String name) {
    this.name = name;
  }

  /** Begins a task: SCHED_NORMAL, nice 0, every CPU, started at time 0 where the rule places it. */
  public int task(String taskName) {
    if (tasks == names.length) {
      int size = tasks * 2;
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
    policies[tasks - 1] = policy;
    if (policy.isRealtime()) {
      rtPriorities[tasks - 1] = priority;
    } else {
      nices[tasks - 1] = priority;
    }
    return this;
  }

  public WorkloadBuilder nice(int nice) {
    nices[tasks - 1] = nice;
    return this;
  }

  /** Initial affinity of the task begun last: a mask id, -1 is "every CPU". */
  public WorkloadBuilder affinity(int mask) {
    affinities[tasks - 1] = mask;
    return this;
  }

  public WorkloadBuilder startCpu(int cpu) {
    startCpus[tasks - 1] = cpu;
    return this;
  }

  /** When the task begun last starts, or -1: a FORK operation starts it. */
  public WorkloadBuilder startNs(long ns) {
    starts[tasks - 1] = ns;
    return this;
  }

  /** Adds a set of CPUs; the id stands for it in AFFINITY. Equal sets share an id. */
  public int mask(CpuSet cpus) {
    int known = masks.indexOf(cpus);
    if (known >= 0) {
      return known;
    }
    masks.add(cpus.copy());
    return masks.size() - 1;
  }

  public int semaphore(int initialTokens) {
    if (semaphores == tokens.length) {
      tokens = Arrays.copyOf(tokens, semaphores * 2);
    }
    tokens[semaphores] = initialTokens;
    return semaphores++;
  }

  public int timer() {
    return timers++;
  }

  /** Adds an operation to the task begun last; returns its index, as LOOP needs it. */
  public int op(OpKind kind, long arg, int ref) {
    if (ops == kinds.length) {
      kinds = Arrays.copyOf(kinds, ops * 2);
      args = Arrays.copyOf(args, ops * 2);
      refs = Arrays.copyOf(refs, ops * 2);
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
    op(OpKind.RUN, Long.MAX_VALUE / 4, -1);
    return this;
  }

  public WorkloadBuilder action(Workload.Action action) {
    actions.add(action);
    return this;
  }

  /** The workload; the builder is spent. */
  public Workload build() {
    firstOps[tasks] = ops;
    actions.sort(Comparator.comparingLong(Workload.Action::atNs));
    actions = List.copyOf(actions);
    return new Workload(this);
  }
}

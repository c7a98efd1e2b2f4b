package dev.counterbalance.whatif.workload;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.SplittableRandom;

/**
 * The workloads of the analytic cases: situations of which arithmetic or queueing theory knows the
 * outcome. What the outcome is, the tests that run them say. SplittableRandom is a SplitMix64.
 */
public final class AnalyticWorkloads {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  private AnalyticWorkloads() {}

  /** A1, A2, A7: equal hogs, placed by fork balancing. */
  public static Workload hogs(int tasks) {
    return jobs(tasks, WorkloadBuilder.MAX_NS);
  }

  /** A3: equal jobs that are there from the start. */
  public static Workload jobs(int tasks, long workNs) {
    WorkloadBuilder builder = new WorkloadBuilder("jobs");
    for (int i = 0; i < tasks; i++) {
      builder.task("job");
      builder.run(workNs);
    }
    return builder.build();
  }

  /** A3 as static placement has it, and A2: equal jobs, each started on its CPU. */
  public static Workload placedJobs(long workNs, int... startCpus) {
    WorkloadBuilder builder = new WorkloadBuilder("placed jobs");
    for (int cpu : startCpus) {
      builder.task("job");
      builder.startCpu(cpu);
      builder.run(workNs);
    }
    return builder.build();
  }

  /** A4: one nice -15 hog on CPU 1, two nice 0 hogs on CPU 2 and on CPU 3, CPU 0 idle. */
  public static Workload mike() {
    WorkloadBuilder builder = new WorkloadBuilder("mike");
    builder.task("heavy");
    builder.nice(-15).startCpu(1).hog();
    for (int cpu : new int[] {2, 2, 3, 3}) {
      builder.task("hog");
      builder.startCpu(cpu).hog();
    }
    return builder.build();
  }

  /**
   * A5: one normal hog and 16 of SCHED_IDLE.
   *
   * @param startCpus of the normal one and then of the 16, or none: fork placement
   */
  public static Workload nikhil(int... startCpus) {
    WorkloadBuilder builder = new WorkloadBuilder("nikhil");
    for (int i = 0; i < 17; i++) {
      builder.task(i == 0 ? "hog" : "idle hog");
      builder.policy(i == 0 ? Policy.NORMAL : Policy.IDLE, 0);
      builder.startCpu(startCpus.length == 0 ? -1 : startCpus[i]).hog();
    }
    return builder.build();
  }

  /** A6: two hogs on one CPU with weights 36 and 18, the only exact 2:1 in the nice table. */
  public static Workload weights2to1() {
    WorkloadBuilder builder = new WorkloadBuilder("weights 2:1");
    for (int nice : new int[] {15, 18}) {
      builder.task("nice " + nice);
      builder.nice(nice).startCpu(0).hog();
    }
    return builder.build();
  }

  /** A7: hogs on CPU 0, of the given nices. */
  public static Workload hogsOfNice(int... nices) {
    WorkloadBuilder builder = new WorkloadBuilder("hogs of nice");
    for (int nice : nices) {
      builder.task("nice " + nice);
      builder.nice(nice).startCpu(0).hog();
    }
    return builder.build();
  }

  /** How the service times of jobs are spread, all with the same mean. */
  public enum Service {
    /** E[S²] = 2 S². */
    EXPONENTIAL(2),
    /** E[S²] = S². */
    DETERMINISTIC(1),
    /** S/2 with probability 0.9, else 5.5 S: E[S²] = 0.9 · 0.25 + 0.1 · 30.25 = 3.25 S². */
    MIXED(3.25);

    /** E[S²] / S². */
    public final double secondMoment;

    Service(double secondMoment) {
      this.secondMoment = secondMoment;
    }

    long draw(SplittableRandom random, long meanNs) {
      return switch (this) {
        case EXPONENTIAL -> exponential(random, (double) meanNs);
        case DETERMINISTIC -> meanNs;
        case MIXED -> random.nextInt(10) == 0 ? meanNs / 2 * 11 : meanNs / 2;
      };
    }
  }

  private static long exponential(SplittableRandom random, double meanNs) {
    return Math.max(1, Math.round(-StrictMath.log(1 - random.nextDouble()) * meanNs));
  }

  /**
   * A8 to A12: jobs that arrive as a Poisson stream, each a task that starts, works and exits.
   *
   * @param load utilisation of the {@code cpus}, below 1
   * @param meanNs mean service time
   */
  public static Workload arrivals(
      Service service, long seed, int jobs, int cpus, double load, long meanNs) {
    WorkloadBuilder builder = new WorkloadBuilder("arrivals " + service);
    SplittableRandom random = new SplittableRandom(seed);
    SplittableRandom services = random.split();
    long now = 0;
    for (int job = 0; job < jobs; job++) {
      now += exponential(random, meanNs / (cpus * load));
      builder.task("job");
      builder.startNs(now);
      builder.run(service.draw(services, meanNs));
    }
    return builder.build();
  }

  /**
   * A14: tasks of which some begin when others have ended.
   *
   * @param workNs the work of all
   * @param criticalPathNs the longest chain
   */
  public record Dag(Workload workload, long workNs, long criticalPathNs) {}

  /** A14: a random graph; each task follows up to {@code most} of the tasks before it. */
  public static Dag dag(long seed, int tasks, int most) {
    SplittableRandom random = new SplittableRandom(seed);
    WorkloadBuilder builder = new WorkloadBuilder("dag");
    int[] ready = new int[tasks];
    boolean[][] edge = new boolean[tasks][tasks];
    for (int to = 0; to < tasks; to++) {
      ready[to] = builder.semaphore(0);
      for (int i = to == 0 ? 0 : random.nextInt(most + 1); i > 0; i--) {
        edge[random.nextInt(to)][to] = true;
      }
    }
    long[] endNs = new long[tasks];
    long workNs = 0;
    long criticalNs = 0;
    for (int task = 0; task < tasks; task++) {
      builder.task("node");
      for (int from = 0; from < task; from++) {
        if (edge[from][task]) {
          builder.op(OpKind.WAIT, 0, ready[task]);
          endNs[task] = Math.max(endNs[task], endNs[from]);
        }
      }
      long work = MS + random.nextLong(20 * MS);
      builder.run(work);
      for (int to = task + 1; to < tasks; to++) {
        if (edge[task][to]) {
          builder.op(OpKind.SIGNAL, 0, ready[to]);
        }
      }
      endNs[task] += work;
      workNs += work;
      criticalNs = Math.max(criticalNs, endNs[task]);
    }
    return new Dag(builder.build(), workNs, criticalNs);
  }

  /** A16: on CPU 0, A runs 5 ms and sleeps 10, B runs 5 ms on an absolute timer of 19 ms. */
  public static Workload sleepAndTimer() {
    WorkloadBuilder builder = new WorkloadBuilder("sleep and timer");
    int mask = builder.mask(CpuSet.of(1, 0));
    builder.task("A");
    builder.affinity(mask);
    int first = builder.run(5 * MS);
    builder.sleep(10 * MS);
    builder.loop(first, -1);
    builder.task("B");
    builder.affinity(mask);
    int timer = builder.timer();
    builder.op(OpKind.TIMER, 0, timer);
    first = builder.run(5 * MS);
    builder.op(OpKind.TIMER, 19 * MS, timer);
    builder.loop(first, -1);
    return builder.build();
  }

  /** A17: hogs that may only run on CPU 0. */
  public static Workload pinnedHogs(int tasks) {
    WorkloadBuilder builder = new WorkloadBuilder("pinned hogs");
    int mask = builder.mask(CpuSet.of(1, 0));
    for (int i = 0; i < tasks; i++) {
      builder.task("hog");
      builder.affinity(mask).hog();
    }
    return builder.build();
  }

  /** A20: a FIFO task that takes 3 ms of every 10 on CPU 0, and two hogs. */
  public static Workload realtimeAndHogs() {
    WorkloadBuilder builder = new WorkloadBuilder("real-time and hogs");
    builder.task("rt");
    builder.policy(Policy.FIFO, 50).affinity(builder.mask(CpuSet.of(1, 0)));
    int timer = builder.timer();
    int first = builder.run(3 * MS);
    builder.op(OpKind.TIMER, 10 * MS, timer);
    builder.loop(first, -1);
    for (int cpu = 0; cpu < 2; cpu++) {
      builder.task("hog");
      builder.startCpu(cpu).hog();
    }
    return builder.build();
  }

  /** A21: jobs, one to a CPU, and a CPU that goes off line. */
  public static Workload hotplug(int cpus, long workNs, int off, long atNs) {
    WorkloadBuilder builder = new WorkloadBuilder("hotplug");
    for (int cpu = 0; cpu < cpus; cpu++) {
      builder.task("job");
      builder.startCpu(cpu);
      builder.run(workNs);
    }
    builder.action(new Workload.Action(atNs, Workload.Action.Kind.CPU_OFF, -1, off, 0));
    return builder.build();
  }

  /** A22: hogs pinned to CPU 0 and freed after a second. */
  public static Workload unpinned(int tasks) {
    WorkloadBuilder builder = new WorkloadBuilder("unpinned");
    int mask = builder.mask(CpuSet.of(1, 0));
    for (int i = 0; i < tasks; i++) {
      int task = builder.task("hog");
      builder.affinity(mask).startCpu(0).hog();
      builder.action(new Workload.Action(SECOND, Workload.Action.Kind.AFFINITY, task, -1, 0));
    }
    return builder.build();
  }

  /** A23: the same with all times {@code k} times as long. */
  public static Workload scaled(Workload source, long k) {
    return copy(source, k, null);
  }

  /** A23: the same on other CPUs: CPU c becomes {@code newCpu[c]}. */
  public static Workload relabelled(Workload source, int... newCpu) {
    return copy(source, 1, newCpu);
  }

  private static Workload copy(Workload source, long k, int[] newCpu) {
    WorkloadBuilder builder = new WorkloadBuilder(source.name());
    for (int semaphore = 0; semaphore < source.semaphores(); semaphore++) {
      builder.semaphore(source.initialTokens(semaphore));
    }
    for (int timer = 0; timer < source.timers(); timer++) {
      builder.timer();
    }
    for (int mask = 0; mask < source.masks(); mask++) {
      builder.mask(newCpu == null ? source.mask(mask) : relabelled(source.mask(mask), newCpu));
    }
    for (int task = 0; task < source.tasks(); task++) {
      builder.task(source.name(task));
      Policy policy = source.policy(task);
      builder.nice(source.nice(task));
      builder.policy(policy, policy.isRealtime() ? source.rtPriority(task) : source.nice(task));
      int cpu = source.startCpu(task);
      builder.affinity(source.affinity(task)).startCpu(cpu < 0 ? -1 : cpu(cpu, newCpu));
      long start = source.startNs(task);
      builder.startNs(start < 0 ? start : start * k);
      for (int op = source.firstOp(task); op < source.endOp(task); op++) {
        builder.op(source.kind(op), arg(source, op, k), source.ref(op));
      }
    }
    for (Workload.Action action : source.actions()) {
      int ref = action.task() < 0 ? cpu(action.ref(), newCpu) : action.ref();
      builder.action(
          new Workload.Action(action.atNs() * k, action.kind(), action.task(), ref, action.arg()));
    }
    return builder.build();
  }

  private static long arg(Workload source, int op, long k) {
    long arg = source.arg(op);
    return switch (source.kind(op)) {
      case RUN, RUN_TIME, SLEEP, TIMER, TIMER_RELATIVE ->
          arg > WorkloadBuilder.MAX_NS / k ? WorkloadBuilder.MAX_NS : arg * k;
      default -> arg;
    };
  }

  private static int cpu(int cpu, int[] newCpu) {
    return newCpu == null ? cpu : newCpu[cpu];
  }

  private static CpuSet relabelled(CpuSet mask, int[] newCpu) {
    CpuSet result = new CpuSet(newCpu.length);
    for (int cpu = mask.first(); cpu >= 0; cpu = mask.next(cpu)) {
      result.add(newCpu[cpu]);
    }
    return result;
  }
}

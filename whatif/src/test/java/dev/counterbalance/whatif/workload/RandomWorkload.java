package dev.counterbalance.whatif.workload;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.SplittableRandom;

/**
 * Random workloads that any rule finishes if it runs every runnable task now and then: all work is
 * finite, every WAIT has its token, and who gives it never waits, directly or through others, for
 * who takes it.
 */
public final class RandomWorkload {
  private static final long US = 1000;

  private final SplittableRandom random;
  private final int cpus;
  private final WorkloadBuilder builder;

  private RandomWorkload(long seed, int cpus) {
    random = new SplittableRandom(seed);
    this.cpus = cpus;
    builder = new WorkloadBuilder("random " + seed);
  }

  /** A workload of some 5 to 60 tasks with up to about a second of work. */
  public static Workload make(long seed, int cpus) {
    return new RandomWorkload(seed, cpus).make();
  }

  private Workload make() {
    for (int part = 1 + random.nextInt(6); part > 0; part--) {
      switch (random.nextInt(8)) {
        case 0 -> hogs();
        case 1 -> sleepers();
        case 2 -> pingPong();
        case 3 -> pool();
        case 4 -> pipeline();
        case 5 -> periodic();
        case 6 -> wanderers();
        default -> forks();
      }
    }
    actions();
    return builder.build();
  }

  private int task(String name) {
    int task = builder.task(name);
    attributes();
    if (random.nextInt(3) == 0) {
      builder.startNs(random.nextLong(20_000 * US));
    }
    return task;
  }

  /** Policy, priority, affinity and start CPU, of which most are the defaults. */
  private void attributes() {
    switch (random.nextInt(10)) {
      case 0 -> builder.policy(Policy.IDLE, 0);
      case 1 -> builder.policy(Policy.BATCH, random.nextInt(-20, 20));
      case 2 -> builder.policy(Policy.FIFO, random.nextInt(1, 100));
      case 3 -> builder.policy(Policy.RR, random.nextInt(1, 100));
      case 4, 5, 6 -> builder.nice(random.nextInt(-20, 20));
      default -> {}
    }
    CpuSet mask = random.nextInt(3) == 0 ? mask() : CpuSet.all(cpus);
    if (mask.size() < cpus) {
      builder.affinity(builder.mask(mask));
    }
    if (random.nextBoolean()) {
      int[] allowed = mask.toArray();
      builder.startCpu(allowed[random.nextInt(allowed.length)]);
    }
  }

  private CpuSet mask() {
    CpuSet mask = CpuSet.of(cpus, random.nextInt(cpus));
    while (random.nextBoolean()) {
      mask.add(random.nextInt(cpus));
    }
    return mask;
  }

  private long work() {
    return US * (1 + random.nextLong(random.nextBoolean() ? 200 : 5000));
  }

  private int loops() {
    return 1 + random.nextInt(20);
  }

  private void hogs() {
    for (int i = 1 + random.nextInt(2 * cpus); i > 0; i--) {
      task("hog");
      builder.op(random.nextBoolean() ? OpKind.RUN : OpKind.RUN_TIME, 20 * work(), -1);
    }
  }

  private void sleepers() {
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      task("sleeper");
      int first = builder.run(work());
      builder.sleep(work());
      if (random.nextInt(3) == 0) {
        builder.op(OpKind.YIELD, 0, -1);
      }
      builder.loop(first, loops());
    }
  }

  private void periodic() {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int timer = builder.timer();
      task("periodic");
      int first = builder.run(work());
      OpKind kind = random.nextBoolean() ? OpKind.TIMER : OpKind.TIMER_RELATIVE;
      builder.op(kind, 1 + 2 * work(), timer);
      builder.loop(first, loops());
    }
  }

  private OpKind signal() {
    return random.nextBoolean() ? OpKind.SIGNAL : OpKind.SIGNAL_SYNC;
  }

  private void pingPong() {
    int ping = builder.semaphore(0);
    int pong = builder.semaphore(0);
    int loops = loops();
    task("ping");
    int first = builder.run(work());
    builder.op(signal(), 0, ping);
    builder.op(OpKind.WAIT, 0, pong);
    builder.loop(first, loops);
    task("pong");
    first = builder.op(OpKind.WAIT, 0, ping);
    builder.run(work());
    builder.op(signal(), 0, pong);
    builder.loop(first, loops);
  }

  /** Workers that take what one task gives; all together as much as it gives. */
  private void pool() {
    int jobs = builder.semaphore(0);
    int workers = 1 + random.nextInt(2 * cpus);
    int each = loops();
    task("giver");
    int first = builder.run(work());
    builder.op(signal(), 0, jobs);
    builder.loop(first, (long) workers * each);
    for (int i = 0; i < workers; i++) {
      task("worker");
      first = builder.op(OpKind.WAIT, 0, jobs);
      builder.run(work());
      builder.loop(first, each);
    }
  }

  /** Stages, each of which waits for the one before it; all take a mutex for a part of it. */
  private void pipeline() {
    int stages = 2 + random.nextInt(5);
    int loops = loops();
    int mutex = builder.semaphore(1);
    int before = -1;
    for (int stage = 0; stage < stages; stage++) {
      int after = builder.semaphore(random.nextInt(2));
      task("stage");
      int first = before < 0 ? builder.run(work()) : builder.op(OpKind.WAIT, 0, before);
      builder.op(OpKind.WAIT, 0, mutex);
      builder.run(work());
      builder.op(OpKind.SIGNAL, 0, mutex);
      builder.op(signal(), 0, after);
      builder.loop(first, loops);
      before = after;
    }
  }

  /** Tasks that change their affinity, policy and priority as they go. */
  private void wanderers() {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      task("wanderer");
      int first = builder.run(work());
      builder.op(OpKind.AFFINITY, 0, builder.mask(mask()));
      builder.run(work());
      builder.op(OpKind.PRIORITY, random.nextInt(-20, 20), Policy.NORMAL.ordinal());
      builder.run(work());
      builder.op(OpKind.AFFINITY, 0, -1);
      builder.op(OpKind.PRIORITY, random.nextInt(1, 100), Policy.RR.ordinal());
      builder.loop(first, loops());
      builder.op(OpKind.EXIT, 0, -1);
    }
  }

  /** A task that forks others, of which some fork one more. */
  private void forks() {
    int children = 1 + random.nextInt(5);
    int parent = task("parent");
    for (int child = 0; child < children; child++) {
      builder.run(work());
      builder.op(OpKind.FORK, 0, parent + 1 + child);
    }
    int grandchild = parent + 1 + children;
    int grandchildren = 0;
    for (int child = 0; child < children; child++) {
      child();
      if (random.nextBoolean()) {
        builder.op(OpKind.FORK, 0, grandchild + grandchildren++);
        builder.run(work());
      }
    }
    for (int i = 0; i < grandchildren; i++) {
      child();
    }
  }

  private void child() {
    builder.task("child");
    attributes();
    builder.startNs(-1).run(work());
  }

  /** Changes from outside, to tasks that may have ended. */
  private void actions() {
    for (int i = random.nextInt(6); i > 0; i--) {
      long at = random.nextLong(100_000 * US);
      int task = random.nextInt(builder.tasks);
      if (random.nextBoolean()) {
        int mask = random.nextBoolean() ? -1 : builder.mask(mask());
        builder.action(new Workload.Action(at, Workload.Action.Kind.AFFINITY, task, mask, 0));
      } else {
        builder.action(
            new Workload.Action(
                at,
                Workload.Action.Kind.PRIORITY,
                task,
                Policy.BATCH.ordinal(),
                random.nextInt(-20, 20)));
      }
    }
  }
}

package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import java.util.SplittableRandom;

/**
 * Random workloads that are as nasty as they may be and still end: everything happens at whole
 * milliseconds and so at the same instants, CPUs come and go, real-time tasks crowd a CPU, masks
 * and priorities change under running tasks. No RUN_TIME: how much work there is, is known.
 */
final class ChaosWorkload {
  private static final long MS = 1_000_000;

  private final SplittableRandom random;
  private final int cpus;
  private final WorkloadBuilder builder;
  private int tasks;

  private ChaosWorkload(long seed, int cpus) {
    random = new SplittableRandom(seed);
    this.cpus = cpus;
    builder = new WorkloadBuilder("chaos " + seed);
  }

  static Workload make(long seed, int cpus) {
    return new ChaosWorkload(seed, cpus).make();
  }

  private Workload make() {
    for (int part = 1 + random.nextInt(5); part > 0; part--) {
      switch (random.nextInt(7)) {
        case 0 -> hogs();
        case 1 -> realtime();
        case 2 -> yielders();
        case 3 -> crowd();
        case 4 -> fleeting();
        case 5 -> turncoats();
        default -> forks();
      }
    }
    changes();
    hotplug();
    return builder.build();
  }

  private int task(String name) {
    tasks++;
    int task = builder.task(name);
    switch (random.nextInt(8)) {
      case 0 -> builder.policy(Policy.IDLE, 0);
      case 1 -> builder.policy(Policy.BATCH, 0);
      case 2 -> builder.policy(Policy.FIFO, realtimePriority());
      case 3 -> builder.policy(Policy.RR, realtimePriority());
      case 4 -> builder.nice(random.nextBoolean() ? -20 : 19);
      default -> {}
    }
    if (random.nextInt(3) == 0) {
      CpuSet mask = mask();
      builder.affinity(builder.mask(mask));
      if (random.nextBoolean()) {
        builder.startCpu(mask.first());
      }
    } else if (random.nextBoolean()) {
      builder.startCpu(random.nextInt(cpus));
    }
    if (random.nextBoolean()) {
      builder.startNs(random.nextInt(10) * MS);
    }
    return task;
  }

  private int realtimePriority() {
    return random.nextInt(4) == 0 ? 99 : 1 + random.nextInt(3);
  }

  private CpuSet mask() {
    CpuSet mask = CpuSet.of(cpus, random.nextInt(cpus));
    while (random.nextInt(3) == 0) {
      mask.add(random.nextInt(cpus));
    }
    return mask;
  }

  private long work() {
    return random.nextInt(5) == 0 ? random.nextInt(3) : random.nextInt(1, 12) * MS;
  }

  private void hogs() {
    for (int i = 1 + random.nextInt(2 * cpus); i > 0; i--) {
      task("hog");
      builder.run(random.nextInt(10, 200) * MS);
    }
  }

  private void realtime() {
    for (int i = 1 + random.nextInt(cpus + 2); i > 0; i--) {
      task("rt");
      builder.policy(random.nextBoolean() ? Policy.FIFO : Policy.RR, realtimePriority());
      int first = builder.run(MS + work());
      if (random.nextBoolean()) {
        builder.op(OpKind.YIELD, 0, -1);
      }
      builder.sleep(work());
      builder.loop(first, 1 + random.nextInt(8));
      builder.run(random.nextInt(3) == 0 ? 250 * MS : 0);
    }
  }

  private void yielders() {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      task("yielder");
      int first = builder.op(OpKind.YIELD, 0, -1);
      builder.run(1 + work() / 10);
      builder.op(OpKind.YIELD, 0, -1);
      builder.op(OpKind.YIELD, 0, -1);
      builder.loop(first, 1 + random.nextInt(30));
    }
  }

  /** Many that wait for one semaphore, woken in all ways there are; tokens are for all of them. */
  private void crowd() {
    int semaphore = builder.semaphore(0);
    int mutex = builder.semaphore(1);
    int waiters = 1 + random.nextInt(12);
    for (int i = 0; i < waiters; i++) {
      task("waiter");
      builder.run(random.nextBoolean() ? 0 : work());
      builder.op(OpKind.WAIT, 0, semaphore);
      builder.op(OpKind.WAIT, 0, mutex);
      builder.run(work());
      builder.op(OpKind.SIGNAL, random.nextInt(2), mutex);
      if (random.nextBoolean()) {
        builder.op(OpKind.EXIT, 0, -1);
      }
    }
    task("giver");
    for (int i = 0; i < 3; i++) {
      builder.run(work());
      builder.op(OpKind.BROADCAST, random.nextInt(3), semaphore);
    }
    builder.run(1);
    int first = builder.op(OpKind.SIGNAL_SYNC, 0, semaphore);
    builder.run(1);
    builder.loop(first, waiters);
  }

  /** Tasks that are over at once, or almost. */
  private void fleeting() {
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      task("fleeting");
      builder.run(0);
      builder.sleep(random.nextInt(2));
      builder.run(random.nextInt(2));
      if (random.nextBoolean()) {
        builder.op(OpKind.EXIT, 0, -1);
        builder.run(MS);
      }
    }
  }

  /** Tasks that change their own class and CPUs. */
  private void turncoats() {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      task("turncoat");
      int first = builder.run(work());
      builder.op(OpKind.AFFINITY, 0, builder.mask(mask()));
      builder.op(OpKind.PRIORITY, realtimePriority(), Policy.FIFO.ordinal());
      builder.run(work());
      builder.op(OpKind.AFFINITY, 0, builder.mask(mask()));
      builder.op(OpKind.PRIORITY, 0, Policy.IDLE.ordinal());
      builder.run(1 + work());
      builder.op(OpKind.PRIORITY, 0, Policy.NORMAL.ordinal());
      builder.op(OpKind.AFFINITY, 0, -1);
      builder.sleep(work());
      builder.loop(first, 1 + random.nextInt(6));
    }
  }

  private void forks() {
    int parent = task("parent");
    int children = 1 + random.nextInt(5);
    for (int i = 1; i <= children; i++) {
      builder.run(random.nextInt(2) * work());
      builder.op(OpKind.FORK, 0, parent + i);
    }
    for (int i = 0; i < children; i++) {
      task("child");
      builder.startNs(-1);
      builder.run(work());
    }
  }

  private void changes() {
    for (int i = random.nextInt(12); i > 0; i--) {
      long at = random.nextInt(60) * MS;
      int task = random.nextInt(tasks);
      if (random.nextBoolean()) {
        int mask = random.nextInt(3) == 0 ? -1 : builder.mask(mask());
        builder.action(new Workload.Action(at, Workload.Action.Kind.AFFINITY, task, mask, 0));
        continue;
      }
      Policy policy = Policy.values()[random.nextInt(Policy.values().length)];
      int priority = policy.isRealtime() ? realtimePriority() : random.nextInt(-20, 20);
      builder.action(
          new Workload.Action(at, Workload.Action.Kind.PRIORITY, task, policy.ordinal(), priority));
    }
  }

  /** CPUs go and come back; sometimes all but one are gone. */
  private void hotplug() {
    if (random.nextInt(3) > 0) {
      return;
    }
    boolean most = random.nextBoolean();
    int left = random.nextInt(cpus);
    for (int cpu = 0; cpu < cpus; cpu++) {
      if (cpu != left && (most || random.nextBoolean())) {
        long off = random.nextInt(60);
        builder.action(new Workload.Action(off * MS, Workload.Action.Kind.CPU_OFF, -1, cpu, 0));
        if (random.nextBoolean()) {
          long on = off + random.nextInt(40);
          builder.action(new Workload.Action(on * MS, Workload.Action.Kind.CPU_ON, -1, cpu, 0));
        }
      }
    }
  }
}

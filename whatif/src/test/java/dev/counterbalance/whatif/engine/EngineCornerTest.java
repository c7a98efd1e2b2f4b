package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.Workload.Action;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Situations in which an engine like ours goes wrong easily; the kernel says what is right. */
class EngineCornerTest {
  private static final long MS = 1_000_000;

  private final WorkloadBuilder builder = new WorkloadBuilder("corner");

  private int hog(String name) {
    int task = builder.task(name);
    builder.hog();
    return task;
  }

  private void pin(int... cpus) {
    builder.affinity(builder.mask(CpuSet.of(8, cpus)));
  }

  private void at(long ms, Action.Kind kind, int task, int ref, int arg) {
    builder.action(new Action(ms * MS, kind, task, ref, arg));
  }

  private TestRun run(String machine, String rule) {
    return new TestRun(machine, rule, builder.build());
  }

  /** task_tick_rt counts a slice down over all turns; one that is preempted does not start anew. */
  @Test
  void roundRobinGoesOnAlthoughSomethingHigherCutsTheTurnsShort() {
    for (int i = 0; i < 2; i++) {
      hog("rr");
      builder.policy(Policy.RR, 10);
    }
    builder.task("higher");
    builder.policy(Policy.FIFO, 20);
    int first = builder.run(MS);
    builder.sleep(49 * MS);
    builder.loop(first, -1);
    Books books = run("1s1c", "v2.6.36").ms(10_000).go();
    assertThat(books.cpuPct(0)).isCloseTo(49, within(2.0));
    assertThat(books.cpuPct(1)).isCloseTo(49, within(2.0));
  }

  /**
   * A task's vruntime is relative while it is no fair one, so it comes back with the lag it had.
   */
  @Test
  void aTaskThatWasRealTimeForAWhileIsTreatedAsBefore() {
    int changing = hog("changing");
    hog("other");
    builder.task("highest");
    builder.policy(Policy.FIFO, 90).startNs(5200 * MS);
    builder.run(100 * MS);
    at(5000, Action.Kind.PRIORITY, changing, Policy.FIFO.ordinal(), 10);
    // It waits behind the highest when it becomes a fair one again.
    at(5250, Action.Kind.PRIORITY, changing, Policy.NORMAL.ordinal(), 0);
    Books books = run("1s1c", "v2.6.36").ms(9000).warmUpMs(6000).go();
    assertThat(books.cpuPct(0)).isCloseTo(50, within(1.0));
    assertThat(books.cpuPct(1)).isCloseTo(50, within(1.0));
  }

  @Test
  void aTaskThatMovedWhileItWasRealTimeIsNotHeldBack() {
    int moving = hog("moving");
    pin(0);
    builder.startCpu(0);
    hog("other on 1");
    pin(1);
    // CPU 0 has counted 10 s of vruntime, CPU 1 less: a weight of 88761 makes it slow.
    builder.nice(-20);
    at(10_000, Action.Kind.PRIORITY, moving, Policy.FIFO.ordinal(), 10);
    at(10_001, Action.Kind.AFFINITY, moving, builder.mask(CpuSet.of(8, 1)), 0);
    at(10_002, Action.Kind.PRIORITY, moving, Policy.NORMAL.ordinal(), -20);
    Books books = run("1s2c", "v2.6.36").ms(14_000).warmUpMs(11_000).go();
    assertThat(books.cpuPct(0)).isCloseTo(50, within(1.0));
  }

  /** push_rt_tasks: a preempted real-time task goes to a CPU that runs something lower. */
  @Test
  void aPreemptedRealTimeTaskIsPushed() {
    builder.task("low");
    builder.policy(Policy.FIFO, 10).startCpu(0);
    builder.run(100 * MS);
    builder.task("high");
    builder.policy(Policy.FIFO, 20).startNs(10 * MS);
    pin(0);
    builder.run(50 * MS);
    Books books = run("1s2c", "v2.6.36").go();
    assertThat(books.waitNs[0]).isZero();
    assertThat(books.migrations[0]).isEqualTo(1);
    assertThat(books.finishNs[0]).isEqualTo(100 * MS);
  }

  /** switched_from_rt: a CPU whose task is no longer real-time pulls one that waits elsewhere. */
  @Test
  void aCpuThatStopsDoingRealTimeWorkPulls() {
    int first = hog("first");
    builder.policy(Policy.FIFO, 50).startCpu(0);
    hog("second");
    builder.policy(Policy.FIFO, 60).startCpu(1);
    hog("waits");
    builder.policy(Policy.FIFO, 40).startNs(10 * MS).startCpu(1);
    at(20, Action.Kind.PRIORITY, first, Policy.NORMAL.ordinal(), 0);
    Books books = run("1s2c", "v2.6.36").ms(100).go();
    assertThat(books.waitNs[2]).isEqualTo(10 * MS);
    assertThat(books.runNs[2]).isEqualTo(80 * MS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"global-fifo", "processor-sharing"})
  void oneQueueLeavesNoCpuIdleWhileATaskWaits(String rule) {
    builder.task("preempted");
    builder.startCpu(0);
    builder.run(100 * MS);
    builder.task("rt");
    builder.policy(Policy.FIFO, 10).startNs(10 * MS);
    pin(0);
    builder.run(50 * MS);
    int bound = builder.task("bound");
    pin(0);
    builder.startNs(70 * MS);
    builder.run(30 * MS);
    at(80, Action.Kind.AFFINITY, bound, -1, 0);
    builder.task("late");
    builder.startNs(200 * MS).startCpu(0);
    builder.run(20 * MS);
    builder.task("same CPU");
    builder.startNs(200 * MS).startCpu(0);
    builder.run(20 * MS);
    Books books = run("1s2c", rule).go();
    assertThat(books.finishNs[0]).isEqualTo(100 * MS);
    assertThat(books.finishNs[1]).isEqualTo(60 * MS);
    // On CPU 0, free since 60: the first has gone to CPU 1.
    assertThat(books.finishNs[2]).isEqualTo(100 * MS);
    assertThat(books.finishNs[3]).isEqualTo(220 * MS);
    assertThat(books.finishNs[4]).isEqualTo(220 * MS);
  }

  @Test
  void aCpuThatComesBackTakesFromTheOneQueue() {
    for (int i = 0; i < 2; i++) {
      builder.task("job");
      builder.run(100 * MS);
    }
    at(0, Action.Kind.CPU_OFF, -1, 1, 0);
    at(50, Action.Kind.CPU_ON, -1, 1, 0);
    Books books = run("1s2c", "global-fifo").go();
    assertThat(books.finishNs).containsExactly(100 * MS, 150 * MS);
  }

  /** select_fallback_rq: a task whose CPUs are all gone may run anywhere from then on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "v2.6.36",
        "v2.6.38",
        "no-balance",
        "random-placement",
        "global-fifo",
        "static-split",
        "processor-sharing"
      })
  void aTaskWhoseCpusAreGoneRunsElsewhere(String rule) {
    for (Policy policy : new Policy[] {Policy.NORMAL, Policy.RR, Policy.FIFO}) {
      builder.task("bound");
      builder.policy(policy, policy.isRealtime() ? 50 : 0);
      pin(1);
      int first = builder.run(MS);
      builder.sleep(MS);
      builder.loop(first, 50);
    }
    int other = hogFor(300);
    at(20, Action.Kind.CPU_OFF, -1, 1, 0);
    at(30, Action.Kind.AFFINITY, other, builder.mask(CpuSet.of(8, 1)), 0);
    at(500, Action.Kind.CPU_ON, -1, 1, 0);
    TestRun run = run("1s2c", rule);
    CheckedBooks books = new CheckedBooks(run, 4);
    run.into(books);
    assertThat(run.result.finishedTasks()).isEqualTo(4);
    assertThat(run.result.stuck()).isZero();
  }

  private int hogFor(long ms) {
    int task = builder.task("job");
    builder.run(ms * MS);
    return task;
  }

  /** The migration thread is above all, so a task at SCHED_FIFO 99 leaves its CPU at once, too. */
  @Test
  void theHighestRealTimeTaskMovesWhenItAsksTo() {
    builder.task("moves");
    builder.policy(Policy.FIFO, 99).startCpu(0);
    builder.run(10 * MS);
    builder.op(OpKind.AFFINITY, 0, builder.mask(CpuSet.of(8, 1)));
    builder.run(10 * MS);
    Books books = run("1s2c", "v2.6.36").go();
    assertThat(books.busyNs).containsExactly(10 * MS, 10 * MS);
    assertThat(books.migrations[0]).isEqualTo(1);
  }

  @Test
  void aWorkloadWithoutWorkEndsWhenItBegins() {
    builder.task("nothing");
    builder.run(0);
    builder.task("nothing either");
    builder.op(OpKind.EXIT, 0, -1);
    Workload nothing = builder.build();
    TestRun run = new TestRun("1s1c", "v2.6.36", nothing);
    Books books = run.go();
    assertThat(run.result.endNs()).isZero();
    assertThat(run.result.finishedTasks()).isEqualTo(2);
    assertThat(books.endNs).isZero();
  }

  @Test
  void aTaskThatNobodyWakesIsStuckAndSaidToBe() {
    int semaphore = builder.semaphore(0);
    builder.task("waits");
    builder.op(OpKind.WAIT, 0, semaphore);
    builder.task("leaves");
    builder.run(MS);
    TestRun run = run("1s2c", "v2.6.36").ms(100);
    run.go();
    assertThat(run.result.stuck()).isEqualTo(1);
    assertThat(run.result.finishedTasks()).isEqualTo(1);
    assertThat(run.result.endNs()).isEqualTo(100 * MS);
  }
}

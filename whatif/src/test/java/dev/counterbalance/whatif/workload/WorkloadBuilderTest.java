package dev.counterbalance.whatif.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WorkloadBuilderTest {
  private final WorkloadBuilder builder = new WorkloadBuilder("test");

  private void refused(String message, Consumer<WorkloadBuilder> what) {
    assertThatThrownBy(() -> what.accept(builder))
        .isInstanceOf(WorkloadException.class)
        .hasMessage(message);
  }

  private void refusedAtBuild(String message) {
    assertThatThrownBy(builder::build).isInstanceOf(WorkloadException.class).hasMessage(message);
  }

  @Test
  void keepsWhatItIsGiven() {
    int mask = builder.mask(CpuSet.of(8, 1, 5));
    assertThat(builder.mask(CpuSet.of(64, 5, 1))).isEqualTo(mask);
    int semaphore = builder.semaphore(3);
    int timer = builder.timer();
    builder.description("what it shows").durationNs(5);
    int a = builder.task("a");
    builder.nice(-15).affinity(mask).startCpu(5).startNs(7);
    int first = builder.run(10);
    builder.sleep(20);
    builder.op(OpKind.TIMER, 30, timer);
    builder.op(OpKind.WAIT, 0, semaphore);
    builder.loop(first, -1);
    int b = builder.task("b");
    builder.policy(Policy.FIFO, 99);
    builder.op(OpKind.PRIORITY, 19, Policy.BATCH.ordinal());
    builder.action(new Workload.Action(9, Workload.Action.Kind.CPU_OFF, -1, 6, 0));
    builder.action(new Workload.Action(8, Workload.Action.Kind.AFFINITY, a, -1, 0));
    Workload workload = builder.build();

    assertThat(workload.name()).isEqualTo("test");
    assertThat(workload.description()).isEqualTo("what it shows");
    assertThat(workload.durationNs()).isEqualTo(5);
    assertThat(workload.tasks()).isEqualTo(2);
    assertThat(workload.nice(a)).isEqualTo(-15);
    assertThat(workload.mask(workload.affinity(a)).toString()).isEqualTo("1,5");
    assertThat(workload.startCpu(a)).isEqualTo(5);
    assertThat(workload.startNs(a)).isEqualTo(7);
    assertThat(workload.firstOp(a)).isZero();
    assertThat(workload.endOp(a)).isEqualTo(5);
    assertThat(workload.kind(4)).isEqualTo(OpKind.LOOP);
    assertThat(workload.arg(4)).isEqualTo(-1);
    assertThat(workload.ref(4)).isEqualTo(first);
    assertThat(workload.policy(b)).isEqualTo(Policy.FIFO);
    assertThat(workload.rtPriority(b)).isEqualTo(99);
    assertThat(workload.initialTokens(semaphore)).isEqualTo(3);
    assertThat(workload.actions()).extracting(Workload.Action::atNs).containsExactly(8L, 9L);
    assertThat(workload.minCpus()).isEqualTo(7);
  }

  @Test
  void isSpentOnceBuilt() {
    builder.task("a");
    builder.build();
    assertThatThrownBy(() -> builder.task("b")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> builder.run(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void attributesNeedATask() {
    refused("a task must be begun before its attributes and operations", b -> b.run(1));
    refused("a task must be begun before its attributes and operations", b -> b.nice(1));
  }

  @Test
  void refusesBadAttributes() {
    builder.task("a");
    refused("must be within -20 to 19: nice=20", b -> b.nice(20));
    refused("must be within -20 to 19: nice=-21", b -> b.policy(Policy.NORMAL, -21));
    refused("must be within 1 to 99: FIFO priority=0", b -> b.policy(Policy.FIFO, 0));
    refused("must be within 1 to 99: RR priority=100", b -> b.policy(Policy.RR, 100));
    refused("must be within -1 to -1: mask=0", b -> b.affinity(0));
    refused("must be within -1 to 65535: startCpu=-2", b -> b.startCpu(-2));
    refused("must be within -1 to " + Long.MAX_VALUE / 4 + ": startNs=-2", b -> b.startNs(-2));
    refused("an affinity mask must have a CPU: mask 0", b -> b.mask(new CpuSet(8)));
    refused("must be >= 0: initialTokens=-1", b -> b.semaphore(-1));
    refused("a task must have a name: task 1", b -> b.task(""));
    refused("must be within 1 to " + Long.MAX_VALUE / 4 + ": durationNs=0", b -> b.durationNs(0));
    assertThatThrownBy(() -> new WorkloadBuilder(" ")).isInstanceOf(WorkloadException.class);
  }

  @Test
  void refusesBadOperationsAndSaysWhere() {
    builder.task("a");
    builder.run(1);
    builder.task("b");
    String place = "task 1 (b), operation 1: ";
    String most = "" + Long.MAX_VALUE / 4;
    refused(place + "RUN: must be within 0 to " + most + ": work=-1", b -> b.run(-1));
    refused(place + "SLEEP: must be within 0 to " + most + ": sleep=-1", b -> b.sleep(-1));
    refused(place + "TIMER: must be one that exists: timer=0", b -> b.op(OpKind.TIMER, 1, 0));
    refused(place + "WAIT: must be one that exists: semaphore=0", b -> b.op(OpKind.WAIT, 0, 0));
    refused(
        place + "SIGNAL: must be one that exists: semaphore=-1", b -> b.op(OpKind.SIGNAL, 0, -1));
    refused(place + "AFFINITY: must be within -1 to -1: mask=0", b -> b.op(OpKind.AFFINITY, 0, 0));
    refused(place + "PRIORITY: must be within 0 to 4: policy=5", b -> b.op(OpKind.PRIORITY, 0, 5));
    refused(
        place + "PRIORITY: must be within 1 to 99: RR priority=0",
        b -> b.op(OpKind.PRIORITY, 0, Policy.RR.ordinal()));
    refused(
        place + "LOOP: must go back to an operation of its task, which has none: first=0",
        b -> b.loop(0, 2));
    builder.run(1);
    String later = "task 1 (b), operation 2: ";
    refused(later + "LOOP: must be >= 1, or -1 for ever: times=0", b -> b.loop(1, 0));
    refused(later + "LOOP: must be >= 1, or -1 for ever: times=-2", b -> b.loop(1, -2));
    refused(
        later + "LOOP: must go back to an operation of its task, 1 to 1: first=0",
        b -> b.loop(0, 2));
    refused(
        later + "LOOP: must go back to an operation of its task, 1 to 1: first=2",
        b -> b.loop(2, 2));
  }

  @Test
  void loopsMustLieInsideOneAnotherOrApart() {
    builder.task("a");
    int outer = builder.run(1);
    int inner = builder.run(1);
    builder.loop(inner, 2);
    builder.loop(outer, 2);
    int apart = builder.run(1);
    builder.loop(apart, -1);
    builder.task("b");
    int first = builder.run(1);
    int second = builder.run(1);
    builder.loop(first, 2);
    builder.loop(second, 2);
    refusedAtBuild("task 1 (b), operation 9: LOOP: must not overlap the loop that ends at 8");
  }

  @Test
  void aLoopMustTakeTime() {
    builder.task("a");
    int first = builder.op(OpKind.YIELD, 0, -1);
    builder.run(0);
    builder.loop(first, 2);
    refusedAtBuild(
        "task 0 (a), operation 2: LOOP: must contain a RUN, SLEEP or TIMER longer than 0, or a"
            + " WAIT: it can never take time");
  }

  @Test
  void timeBeforeTheLoopIsNoTimeInTheLoop() {
    builder.task("a");
    builder.run(5);
    int first = builder.op(OpKind.YIELD, 0, -1);
    builder.loop(first, 2);
    assertThatThrownBy(builder::build).hasMessageContaining("it can never take time");
  }

  @Test
  void tasksThatOnlyWakeOneAnotherWouldStopTime() {
    int ping = builder.semaphore(1);
    int pong = builder.semaphore(0);
    builder.task("a");
    int first = builder.op(OpKind.WAIT, 0, ping);
    builder.op(OpKind.SIGNAL, 0, pong);
    builder.loop(first, -1);
    refusedAtBuild(
        "task 0 (a), operation 2: LOOP: must contain a RUN, SLEEP or TIMER longer than 0, because"
            + " it gives tokens: it can never take time");
  }

  @Test
  void aLoopMayOnlyWait() {
    int semaphore = builder.semaphore(0);
    builder.task("a");
    int first = builder.op(OpKind.WAIT, 0, semaphore);
    builder.loop(first, -1);
    assertThat(builder.build().ops()).isEqualTo(2);
  }

  @Test
  void forkedTasksHaveNoStartOfTheirOwn() {
    builder.task("parent");
    builder.op(OpKind.FORK, 0, 1);
    builder.task("child");
    refusedAtBuild("task 0 (parent), operation 0: FORK: task 1 (child) starts by itself, at ns 0");
  }

  @Test
  void aTaskIsForkedOnce() {
    builder.task("parent");
    builder.op(OpKind.FORK, 0, 1);
    builder.op(OpKind.FORK, 0, 1);
    builder.task("child");
    builder.startNs(-1);
    refusedAtBuild("task 0 (parent), operation 1: FORK: task 1 (child) is forked twice");
  }

  @Test
  void aForkIsNotRepeated() {
    builder.task("parent");
    int first = builder.run(1);
    builder.op(OpKind.FORK, 0, 1);
    builder.loop(first, 2);
    builder.task("child");
    builder.startNs(-1);
    refusedAtBuild(
        "task 0 (parent), operation 2: LOOP: must not repeat a FORK: a task starts once");
  }

  @Test
  void aForkNeedsItsTask() {
    builder.task("parent");
    builder.op(OpKind.FORK, 0, 1);
    refusedAtBuild("task 0 (parent), operation 0: FORK: must be one of 1 tasks: task=1");
  }

  @Test
  void everyTaskMustStart() {
    builder.task("a");
    builder.task("b");
    builder.startNs(-1);
    builder.op(OpKind.FORK, 0, 2);
    builder.task("c");
    builder.startNs(-1);
    builder.op(OpKind.FORK, 0, 1);
    refusedAtBuild("task 1 (b) never starts: it has no start time and no running task forks it");
  }

  @Test
  void forksOfForksStart() {
    builder.task("c");
    builder.startNs(-1);
    builder.task("b");
    builder.startNs(-1);
    builder.op(OpKind.FORK, 0, 0);
    builder.task("a");
    builder.op(OpKind.FORK, 0, 1);
    assertThat(builder.build().tasks()).isEqualTo(3);
  }

  @Test
  void aTaskStartsInsideItsAffinity() {
    int mask = builder.mask(CpuSet.of(4, 2, 3));
    builder.task("a");
    builder.affinity(mask).startCpu(1);
    refusedAtBuild("task 0 (a): must start inside its affinity 2-3: startCpu=1");
  }

  @Test
  void refusesBadActions() {
    builder.task("a");
    refused(
        "action 0: AFFINITY: must be within 0 to 0: task=1",
        b -> b.action(new Workload.Action(0, Workload.Action.Kind.AFFINITY, 1, -1, 0)));
    refused(
        "action 0: PRIORITY: must be within -20 to 19: nice=20",
        b -> b.action(new Workload.Action(0, Workload.Action.Kind.PRIORITY, 0, 0, 20)));
    refused(
        "action 0: CPU_ON: must be within 0 to 65535: cpu=-1",
        b -> b.action(new Workload.Action(0, Workload.Action.Kind.CPU_ON, -1, -1, 0)));
    refused(
        "action 0: CPU_OFF: must be within 0 to " + Long.MAX_VALUE / 4 + ": atNs=-1",
        b -> b.action(new Workload.Action(-1, Workload.Action.Kind.CPU_OFF, -1, 1, 0)));
  }

  @Test
  void countsAreLimited() {
    for (int i = 0; i < WorkloadBuilder.MAX_TASKS; i++) {
      builder.task("a");
    }
    refused("must be <= 1000000: tasks=1000001", b -> b.task("a"));
    for (int i = 0; i < WorkloadBuilder.MAX_OPS; i++) {
      builder.op(OpKind.YIELD, 0, -1);
    }
    refused("must be <= 20000000: operations=20000001", b -> b.run(1));
    assertThat(builder.build().ops()).isEqualTo(20_000_000);
  }
}

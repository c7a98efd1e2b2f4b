package dev.counterbalance.trace.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskRegistryTest {
  private final Names names = new Names();
  private final List<String> history = new ArrayList<>();
  private final TaskRegistry tasks =
      new TaskRegistry(
          names, (utid, ts, name) -> history.add(utid + "@" + ts + "=" + names.text(name)));

  @Test
  void idleTasksAreOnePerCpu() {
    int first = tasks.of(0, 0);
    int second = tasks.of(0, 1);
    assertThat(second).isNotEqualTo(first);
    assertThat(tasks.of(0, 0)).isEqualTo(first);
    assertThat(tasks.isIdle(first)).isTrue();
    assertThat(tasks.of(0, 5000)).isNotIn(first, second);
  }

  @Test
  void oneBirthToldTwiceIsOneTask() {
    int byPerf = tasks.born(77, 100);
    int byKernel = tasks.born(77, 105);
    assertThat(byKernel).isEqualTo(byPerf);
    tasks.lived(byPerf);
    assertThat(tasks.born(77, 9000)).isNotEqualTo(byPerf);
    assertThat(tasks.end(byPerf)).isEqualTo(9000);
  }

  @Test
  void aDeadTidIsAnotherTask() {
    int first = tasks.of(5, 0);
    tasks.died(first, 50);
    assertThat(tasks.last(5)).isEqualTo(first);
    int second = tasks.of(5, 0);
    assertThat(second).isNotEqualTo(first);
    assertThat(tasks.end(first)).isEqualTo(50);
    assertThat(tasks.end(second)).isEqualTo(TaskRegistry.UNSEEN);
  }

  @Test
  void execOfAThreadTakesTheLeadersTid() {
    int leader = tasks.of(10, 0);
    int thread = tasks.of(11, 0);
    tasks.takesTid(thread, 10, 7);
    assertThat(tasks.of(10, 0)).isEqualTo(thread);
    assertThat(tasks.isDead(leader)).isTrue();
  }

  @Test
  void namesAreAHistoryWithoutPlaceholders() {
    int task = tasks.of(9, 0, names.of("sh"), 1);
    tasks.of(9, 0, names.of("sh"), 2);
    tasks.of(9, 0, names.of("<...>"), 3);
    tasks.of(9, 0, names.of(":9"), 4);
    tasks.of(9, 0, names.of(":-1"), 4);
    tasks.of(9, 0, names.of("cat"), 5);
    assertThat(history).containsExactly(task + "@1=sh", task + "@5=cat");
  }

  @Test
  void hostileTidsCostLittle() {
    int a = tasks.of(Integer.MAX_VALUE, 0);
    int b = tasks.of(Integer.MIN_VALUE, 0);
    assertThat(tasks.of(Integer.MAX_VALUE, 0)).isEqualTo(a).isNotEqualTo(b);
    assertThat(tasks.known(12_345_678)).isEqualTo(-1);
  }

  @Test
  void childrenOfKthreaddAreKernelThreads() {
    int kworker = tasks.of(30, 0);
    int shell = tasks.of(31, 0);
    assertThat(tasks.isKernel(kworker)).isNull();
    tasks.childOf(kworker, 2);
    tasks.childOf(shell, 1);
    assertThat(tasks.isKernel(kworker)).isTrue();
    assertThat(tasks.isKernel(shell)).isFalse();
  }

  @Test
  void threadsOfAGroupShareAProcess() {
    int leader = tasks.of(100, 0, names.of("java"), 0);
    int thread = tasks.of(101, 0, names.of("GC"), 0);
    tasks.inGroup(leader, 100, 0);
    tasks.inGroup(thread, 100, 0);
    assertThat(tasks.upid(thread)).isEqualTo(tasks.upid(leader));
    assertThat(names.text(tasks.processes().name(tasks.upid(thread)))).isEqualTo("java");
  }
}

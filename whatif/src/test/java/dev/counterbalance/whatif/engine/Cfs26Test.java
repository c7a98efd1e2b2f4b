package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The queue of 2.6.36: the vectors T2-8 and T2-9 of the rules, on four CPUs (factor 3). */
class Cfs26Test {
  private static final long MS = 1_000_000;

  private RunState state;

  /** A queue on CPU 0 of a quad core with a running task and a woken one. */
  private Cfs26 queue(Policy current, int currentNice, Policy woken, int wokenNice) {
    WorkloadBuilder builder = new WorkloadBuilder("two");
    builder.task("current");
    builder.policy(current, currentNice).hog();
    builder.task("woken");
    builder.policy(woken, wokenNice).hog();
    SimSpec spec = new TestRun("1s2l2c", "v2.6.36", builder.build()).spec();
    state = new RunState(spec.domains(), spec.workload());
    Cfs26 cfs =
        new Cfs26(
            state,
            new Speeds(spec.machine(), state.cpus, spec.tunables()),
            spec.switches(),
            spec.tunables());
    state.allowed[0] = CpuSet.all(4);
    state.allowed[1] = CpuSet.all(4);
    cfs.enqueue(0, 0, false);
    state.curr[0] = cfs.pick(0);
    state.state[0] = RunState.RUNNING;
    cfs.enqueue(0, 1, false);
    return cfs;
  }

  private boolean preempts(Cfs26 cfs, long leadNs) {
    state.vruntime[0] = 1_000 * MS;
    state.vruntime[1] = 1_000 * MS - leadNs;
    return cfs.preempts(0, 0, 1);
  }

  @Test
  void aNiceZeroTaskMustLeadByMoreThanThreeMilliseconds() {
    Cfs26 cfs = queue(Policy.NORMAL, 0, Policy.NORMAL, 0);
    assertThat(preempts(cfs, 3 * MS)).isFalse();
    assertThat(preempts(cfs, 3 * MS + 1)).isTrue();
  }

  @Test
  void aHeavyTaskMustLeadByAHundredMicroseconds() {
    Cfs26 cfs = queue(Policy.NORMAL, 0, Policy.NORMAL, -15);
    // 3 ms * 1024 / 29154.
    assertThat(preempts(cfs, 105_371)).isFalse();
    assertThat(preempts(cfs, 105_372)).isTrue();
  }

  @Test
  void anyNormalTaskPreemptsAnIdlePolicyTaskButNoneOfThemPreempts() {
    assertThat(preempts(queue(Policy.IDLE, 0, Policy.NORMAL, 0), -50 * MS)).isTrue();
    assertThat(preempts(queue(Policy.NORMAL, 0, Policy.IDLE, 0), 50 * MS)).isFalse();
    assertThat(preempts(queue(Policy.IDLE, 0, Policy.IDLE, 0), 50 * MS)).isFalse();
    assertThat(preempts(queue(Policy.IDLE, 0, Policy.BATCH, 0), 50 * MS)).isFalse();
  }

  @Test
  void slicesShareThePeriodByWeight() {
    Cfs26 even = queue(Policy.NORMAL, 0, Policy.NORMAL, 0);
    assertThat(even.slice(0, 0)).isEqualTo(9 * MS);
    Cfs26 uneven = queue(Policy.NORMAL, -15, Policy.NORMAL, 0);
    assertThat(uneven.slice(0, 0) / 1000).isEqualTo(17_389);
    assertThat(Math.round(uneven.slice(0, 1) / 1000.0)).isEqualTo(611);
  }

  /** How long each turn of two equal hogs on one CPU is, once steady. */
  private static List<Long> turns(String rule, int hz) {
    WorkloadBuilder builder = new WorkloadBuilder("two");
    int mask = builder.mask(CpuSet.of(4, 0));
    for (int i = 0; i < 2; i++) {
      builder.task("hog");
      builder.affinity(mask).hog();
    }
    Workload workload = builder.build();
    List<Long> turns = new ArrayList<>();
    long[] last = new long[1];
    Books books =
        new Books(4, 2, 0) {
          @Override
          public void onSwitch(
              long tsNs,
              int cpu,
              int prevTid,
              int prevName,
              int prevPrio,
              long prevState,
              int nextTid,
              int nextName,
              int nextPrio) {
            super.onSwitch(
                tsNs, cpu, prevTid, prevName, prevPrio, prevState, nextTid, nextName, nextPrio);
            if (tsNs > 1000 * MS) {
              turns.add(tsNs - last[0]);
            }
            last[0] = tsNs;
          }
        };
    new TestRun("1s2l2c", rule, workload).set("HZ=" + hz).set("tickSkew=off").ms(2000).into(books);
    return turns;
  }

  @ParameterizedTest
  @CsvSource({
    "v2.6.36, 1000, 16",
    "v2.6.36, 250, 16",
    "v2.6.37, 1000, 16",
    "v2.6.37, 250, 16",
    "v2.6.38, 1000, 10",
    "v2.6.38, 250, 12"
  })
  void twoHogsTakeTurnsOfWholeTicks(String rule, int hz, long turnMs) {
    List<Long> turns = turns(rule, hz);
    assertThat(turns).hasSizeGreaterThan(50);
    assertThat(turns.subList(1, turns.size())).allMatch(turn -> turn == turnMs * MS);
  }
}

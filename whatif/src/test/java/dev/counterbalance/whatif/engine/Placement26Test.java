package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import org.junit.jupiter.api.Test;

/** wake_affine: vector T2-13 of the rules; imbalance_pct 125, power 1024, no cgroups. */
class Placement26Test {
  private static final int WAKER_CPU = 0;
  private static final int PREVIOUS_CPU = 1;

  private RunState state;
  private SchedDomain domain;

  /**
   * Task 0 runs on the waker's CPU, task 1 and those after it on the wakee's, which is the last.
   */
  private Placement26 placement(int onPrevious) {
    WorkloadBuilder builder = new WorkloadBuilder("wake");
    int tasks = onPrevious + 2;
    for (int i = 0; i < tasks; i++) {
      builder.task("task");
      builder.hog();
    }
    SimSpec spec = new TestRun("1s1l2c", "v2.6.36", builder.build()).spec();
    state = new RunState(spec.domains(), spec.workload());
    for (int i = 0; i < tasks; i++) {
      state.allowed[i] = CpuSet.all(2);
    }
    state.link(WAKER_CPU, 0);
    state.curr[WAKER_CPU] = 0;
    for (int i = 1; i <= onPrevious; i++) {
      state.link(PREVIOUS_CPU, i);
    }
    state.taskCpu[onPrevious + 1] = PREVIOUS_CPU;
    domain = spec.domains().of(WAKER_CPU)[0];
    return new Placement26(state, new Schedstat(spec.domains().all().length, 2));
  }

  @Test
  void aTaskIsPulledFromABusierCpu() {
    // 100 * 2048 <= 112 * 2048.
    assertThat(placement(2).pulls(domain, 3, WAKER_CPU, false)).isTrue();
  }

  @Test
  void aTaskStaysWhereLoadIsEqual() {
    // 100 * 2048 = 204800 > 112 * 1024 = 114688, and 1024 + 1024 > 1024.
    assertThat(placement(1).pulls(domain, 2, WAKER_CPU, false)).isFalse();
  }

  @Test
  void aSyncWakeupLeavesTheWakerOut() {
    assertThat(placement(1).pulls(domain, 2, WAKER_CPU, true)).isTrue();
  }
}

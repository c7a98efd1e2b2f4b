package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** avg_idle and what it suppresses: vector T2-14 of the rules. */
class NewidleTest {
  private static final long US = 1000;

  @Test
  void shortIdleTimesSuppressNewidlePassesAndALongOneRestoresThem() {
    WorkloadBuilder builder = new WorkloadBuilder("sleeper");
    builder.task("sleeper");
    builder.affinity(builder.mask(CpuSet.of(2, 0)));
    for (int i = 0; i < 9; i++) {
      builder.run(50 * US);
      builder.sleep(200 * US);
    }
    builder.run(50 * US);
    builder.sleep(1100 * US);
    builder.run(50 * US);
    builder.sleep(200 * US);
    builder.run(50 * US);
    List<Long> averages = new ArrayList<>();
    List<Long> passes = new ArrayList<>();
    TestRun run = new TestRun("1s1l2c", "v2.6.36", builder.build());
    run.decisions(
        (tsNs, domain, idle, selection, queue, moved, reason) -> {
          if (idle == IdleType.NEWLY_IDLE && domain.cpu == 0) {
            passes.add(tsNs);
          }
        });
    Books books =
        new Books(2, 1, 0) {
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
            if (nextTid != 0 && tsNs > 0) {
              averages.add(run.simulation.state().avgIdle[0]);
            }
          }
        };
    run.into(books);

    assertThat(averages)
        .containsExactly(
            900_000L,
            812_500L,
            735_937L,
            668_944L,
            610_326L,
            559_035L,
            514_155L,
            474_885L,
            // From the eighth on newidle is suppressed, and idle time is not measured any more: the
            // stamp is still set before the test, so the average goes on falling.
            440_524L,
            1_000_000L,
            900_000L);
    // Passes at the ends of bursts 1 to 8, not at 9 and 10, and again after the long sleep.
    assertThat(passes).hasSize(8 + 2);
  }
}

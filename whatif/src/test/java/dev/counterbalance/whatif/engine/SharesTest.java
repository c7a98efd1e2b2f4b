package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterbalance.whatif.workload.AnalyticWorkloads;
import dev.counterbalance.whatif.workload.Workload;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets how much: the analytic cases A1 to A7, A17, A20 and A21 of the what-if method. */
class SharesTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;
  private static final long TICK = 4 * MS;

  @ParameterizedTest
  @ValueSource(strings = {"v2.6.36", "v2.6.38", "prefer-utilization"})
  void a1AsManyHogsAsCpusEachHaveOne(String rule) {
    Books books = new TestRun("1s4c", rule, AnalyticWorkloads.hogs(4)).ms(60_000).go();
    for (int task = 0; task < 4; task++) {
      assertThat(books.runNs[task]).isBetween(60 * SECOND - TICK, 60 * SECOND);
      assertThat(books.waitNs[task]).isLessThanOrEqualTo(TICK);
    }
  }

  private static double jain(long[] shares) {
    double sum = 0;
    double squares = 0;
    for (long share : shares) {
      sum += share;
      squares += (double) share * share;
    }
    return sum * sum / (shares.length * squares);
  }

  @Test
  void a2FiveHogsOnFourCpusByIdealSharing() {
    Books books =
        new TestRun("1s4c", "processor-sharing", AnalyticWorkloads.hogs(5)).ms(10_000).go();
    for (int task = 0; task < 5; task++) {
      assertThat(books.runNs[task] / 1e10).isCloseTo(0.8, within(1e-4));
    }
    assertThat(books.idlePct(4)).isZero();
  }

  @Test
  void a2FiveHogsOnFourCpusPlacedForEver() {
    Workload placed = AnalyticWorkloads.placedJobs(100 * SECOND, 0, 0, 1, 2, 3);
    Books books = new TestRun("1s4c", "no-balance", placed).ms(10_000).go();
    double[] shares = Arrays.stream(books.runNs).mapToDouble(ns -> ns / 1e10).sorted().toArray();
    assertThat(shares).containsExactly(new double[] {0.5, 0.5, 1, 1, 1}, within(0.002));
    assertThat(jain(books.runNs)).isCloseTo(0.914, within(0.001));
    assertThat(books.idlePct(4)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2.6.36", "v2.6.37", "v2.6.38", "prefer-utilization"})
  void a2ABalancerKeepsSharesBetweenAHalfAndOne(String rule) {
    Books books = new TestRun("1s4c", rule, AnalyticWorkloads.hogs(5)).ms(10_000).go();
    assertThat(books.idlePct(4)).isZero();
    for (int task = 0; task < 5; task++) {
      assertThat(books.runNs[task] / 1e10).isBetween(0.5 - 0.002, 1.0);
    }
  }

  @Test
  void a3MakespanOfFiveJobsOnFourCpus() {
    Workload jobs = AnalyticWorkloads.jobs(5, SECOND);
    TestRun shared = new TestRun("1s4c", "processor-sharing", jobs);
    shared.go();
    // McNaughton: rotation reaches total work by CPUs, but for the last quantum of 100 us.
    assertThat(shared.result.endNs()).isBetween(1250 * MS, 1250 * MS + MS / 10);
    TestRun placed =
        new TestRun("1s4c", "no-balance", AnalyticWorkloads.placedJobs(SECOND, 0, 0, 1, 2, 3));
    placed.go();
    assertThat(placed.result.endNs()).isEqualTo(2 * SECOND);
    TestRun kernel = new TestRun("1s4c", "v2.6.36", jobs);
    kernel.go();
    assertThat(kernel.result.endNs()).isBetween(1250 * MS, 2000 * MS);
  }

  @ParameterizedTest
  @CsvSource({"v2.6.36, true", "prefer-utilization, false", "newidle-utilization, true"})
  void a4TheStuckQuadCore(String rule, boolean stuck) {
    Books books =
        new TestRun("1s2l2c", rule, AnalyticWorkloads.mike()).ms(12_000).warmUpMs(2_000).go();
    assertThat(books.cpuPct(0)).isGreaterThan(99);
    assertThat(books.idlePct(4)).isCloseTo(stuck ? 25 : 0, within(0.5));
    for (int task = 1; task <= 4; task++) {
      assertThat(books.cpuPct(task)).isBetween(49.5, stuck ? 50.5 : 100);
    }
  }

  @ParameterizedTest
  @CsvSource({"v2.6.36, 18.75", "prefer-utilization, 0"})
  void a5SixteenIdlePolicyTasks(String rule, double idlePct) {
    Books books =
        new TestRun("4s4c", rule, AnalyticWorkloads.nikhil()).ms(12_000).warmUpMs(6_000).go();
    assertThat(books.idlePct(16)).isCloseTo(idlePct, within(1.0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2.6.36", "v2.6.38"})
  void a6TwoHogsShareByWeight(String rule) {
    Books books =
        new TestRun("1s1c", rule, AnalyticWorkloads.weights2to1()).set("HZ=1000").ms(20_000).go();
    // One slice of the heavier: two thirds of the latency of one CPU, 6 ms, and a tick or two.
    double slice = (4 + 2) / 20_000.0;
    assertThat(books.runNs[0] / 2e10).isCloseTo(2 / 3.0, within(slice));
    assertThat(books.runNs[0] + books.runNs[1]).isEqualTo(20 * SECOND);
  }

  /**
   * A7, CFS: fair tasks of one CPU stay within a slice and a tick of each other in vruntime. Under
   * 2.6.38, as the turns of 2.6.36 are longer than that by the quirk of its tick (T2-9).
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8, 16})
  void a7VruntimesStayTogether(int hogs) {
    TestRun run =
        new TestRun("1s1c", "v2.6.38", AnalyticWorkloads.hogsOfNice(new int[hogs]))
            .set("HZ=1000")
            .ms(5_000);
    // One CPU: sched_latency 6 ms, sched_min_granularity 0.75 ms, and a tick of 1 ms.
    long bound = Math.max(6 * MS / hogs, 750_000) + MS;
    long[] widest = new long[1];
    Books books =
        new Books(1, hogs, 0) {
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
            if (tsNs > SECOND) {
              long[] sorted = run.simulation.state().vruntime.clone();
              Arrays.sort(sorted, 0, hogs);
              widest[0] = Math.max(widest[0], sorted[hogs - 1] - sorted[0]);
            }
          }
        };
    run.into(books);
    assertThat(widest[0]).isPositive().isLessThanOrEqualTo(bound);
  }

  @Test
  void a17PinnedHogsLeaveTheOtherCpusIdleByRight() {
    Books books = new TestRun("1s4c", "prefer-utilization", AnalyticWorkloads.pinnedHogs(4)).go();
    assertThat(books.idlePct(4)).isEqualTo(75);
    assertThat(books.moves).isZero();
    for (int task = 0; task < 4; task++) {
      assertThat(books.cpuPct(task)).isCloseTo(25, within(0.5));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2.6.36", "v2.6.38"})
  void a20ARealtimeTaskTakesItsShareFirst(String rule) {
    Books books = new TestRun("1s2c", rule, AnalyticWorkloads.realtimeAndHogs()).ms(10_000).go();
    assertThat(books.runNs[0]).isEqualTo(3 * SECOND);
    assertThat(books.waitNs[0]).isZero();
    assertThat(books.runNs[1] + books.runNs[2]).isEqualTo(17 * SECOND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2.6.36", "v2.6.38", "processor-sharing", "global-fifo"})
  void a21AVanishingCpuLosesNoTask(String rule) {
    long offNs = 300 * MS;
    TestRun run = new TestRun("1s4c", rule, AnalyticWorkloads.hotplug(4, SECOND, 2, offNs));
    Books books = run.go();
    assertThat(run.result.finishedTasks()).isEqualTo(4);
    assertThat(books.runNs).containsOnly(SECOND);
    assertThat(books.busyNs[2]).isEqualTo(offNs);
  }
}

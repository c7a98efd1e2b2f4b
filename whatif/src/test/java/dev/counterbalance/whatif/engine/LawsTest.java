package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterbalance.whatif.rtapp.Workloads;
import dev.counterbalance.whatif.workload.AnalyticWorkloads;
import dev.counterbalance.whatif.workload.Generators;
import dev.counterbalance.whatif.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The analytic cases A14, A16, A22, A23 and A24 of the what-if method. */
class LawsTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  private static long makespan(String topology, String rule, Workload workload) {
    TestRun run = new TestRun(topology, rule, workload).ms(600_000);
    run.go();
    assertThat(run.result.finishedTasks()).isEqualTo(workload.tasks());
    return run.result.endNs();
  }

  /** A14: Graham's bounds for a rule that never idles while there is work. */
  @ParameterizedTest
  @CsvSource({"2", "3", "4", "8"})
  void a14GraphsTakeBetweenTheirBounds(int cpus) {
    for (long seed = 1; seed <= 25; seed++) {
      AnalyticWorkloads.Dag dag = AnalyticWorkloads.dag(seed, 40, 3);
      long end = makespan("1s" + cpus + "c", "global-fifo", dag.workload());
      double share = (double) dag.workNs() / cpus;
      assertThat((double) end)
          .as("seed %d", seed)
          .isBetween(
              Math.max(share, (double) dag.criticalPathNs()),
              share + (1 - 1.0 / cpus) * dag.criticalPathNs() + 1);
    }
  }

  /** A16: rt-app's tutorial: the timer keeps its period, the sleeper drifts to it. */
  @Test
  void a16ATimerKeepsItsPeriodAndASleepDoesNot() {
    List<List<Long>> starts = List.of(new ArrayList<>(), new ArrayList<>());
    Books books =
        new Books(1, 2, 0) {
          @Override
          public void onWakeup(
              long tsNs,
              int cpu,
              int currentTid,
              int tid,
              int name,
              int prio,
              int targetCpu,
              boolean isNew,
              int context) {
            super.onWakeup(tsNs, cpu, currentTid, tid, name, prio, targetCpu, isNew, context);
            if (tid >= Simulation.tid(1, 0)) {
              starts.get(tid - Simulation.tid(1, 0)).add(tsNs);
            }
          }
        };
    new TestRun("1s1c", "v2.6.36", AnalyticWorkloads.sleepAndTimer()).ms(4_000).into(books);
    assertThat(gap(starts.get(0), 0, 1)).as("A at first").isEqualTo(15);
    List<Long> sleeper = starts.get(0);
    List<Long> timer = starts.get(1);
    assertThat(gap(timer, 1, timer.size() - 1)).as("B").isEqualTo(19);
    assertThat(gap(sleeper, sleeper.size() / 2, sleeper.size() - 1))
        .as("A at the end")
        .isCloseTo(19, within(0.1));
  }

  /** Mean distance in ms between two of the times. */
  private static double gap(List<Long> times, int from, int to) {
    return (times.get(to) - times.get(from)) / (double) MS / (to - from);
  }

  /** A22: printed, but for what must hold: the fullest CPU never gets fuller, and all are used. */
  @Test
  void a22FiveHundredHogsSpreadFromOneCpu() {
    TestRun run = new TestRun("4s8c", "v2.6.36", AnalyticWorkloads.unpinned(512)).ms(20_000);
    long[] printed = {SECOND};
    int[] fullest = {512};
    StringBuilder text = new StringBuilder();
    run.decisions(
        (tsNs, domain, idle, selection, queue, moved, reason) -> {
          if (tsNs < printed[0]) {
            return;
          }
          int[] nr = run.simulation.state().fairNr.clone();
          Arrays.sort(nr);
          text.append(
              String.format(
                  "%.1f s: %d to %d tasks a CPU%n", tsNs / 1e9, nr[0], nr[nr.length - 1]));
          assertThat(nr[nr.length - 1]).isLessThanOrEqualTo(fullest[0]);
          fullest[0] = nr[nr.length - 1];
          printed[0] += printed[0] < 3 * SECOND ? SECOND / 5 : 4 * SECOND;
        });
    Books books = run.go();
    System.err.print("A22, 512 hogs unpinned from one CPU of 32 at 1 s:\n" + text);
    assertThat(Arrays.stream(books.busyNs).min().orElseThrow()).isPositive();
    assertThat(fullest[0]).isLessThan(64);
  }

  /** A23: a machine does not care what its CPUs are called. */
  @ParameterizedTest
  @ValueSource(strings = {"v2.6.36", "v2.6.38"})
  void a23RelabelledCpusGiveTheSameFigures(String rule) throws IOException {
    Path file =
        Path.of(System.getProperty("repo.root", ".."))
            .resolve("sample-traces/workloads/mike-stuck.json");
    Workload workload = Workloads.read(file.toString(), 4);
    long[] plain = figures(rule, workload);
    // The two caches change places: CPU 0 <-> 2, 1 <-> 3.
    long[] relabelled = figures(rule, AnalyticWorkloads.relabelled(workload, 2, 3, 0, 1));
    assertThat(relabelled).isEqualTo(plain);
  }

  private static long[] figures(String rule, Workload workload) {
    Books books = new TestRun("1s2l2c", rule, workload).set("tickSkew=off").ms(3_000).go();
    long[] figures = new long[9];
    System.arraycopy(books.busyNs, 0, figures, 0, 4);
    System.arraycopy(books.runNs, 0, figures, 4, 5);
    Arrays.sort(figures);
    return figures;
  }

  /** A23: all times k times as long, the tick and CFS's tunables too: everything takes k times. */
  @Test
  void a23ScaledTimesScaleTheResult() {
    Workload workload = Generators.parse("hackbench:groups=1,fds=3,loops=20,write=70us", 4);
    TestRun run = new TestRun("1s4c", "no-balance", workload).set("HZ=1000").ms(60_000);
    tunables(run, 1);
    Books once = run.go();
    TestRun slow =
        new TestRun("1s4c", "no-balance", AnalyticWorkloads.scaled(workload, 10))
            .set("HZ=100")
            .ms(600_000);
    tunables(slow, 10);
    Books tenfold = slow.go();
    assertThat(slow.result.endNs()).isEqualTo(10 * run.result.endNs());
    assertThat(tenfold.switches).isEqualTo(once.switches);
    assertThat(tenfold.waitNs).isEqualTo(Arrays.stream(once.waitNs).map(ns -> 10 * ns).toArray());
  }

  private static void tunables(TestRun run, long k) {
    run.set("tickSkew=off")
        .set("sched_latency=" + 6_000_000 * k)
        .set("min_granularity=" + 750_000 * k)
        .set("wakeup_granularity=" + 1_000_000 * k);
  }

  /** A23: zero costs never lower throughput, and one more CPU never delays independent jobs. */
  @Test
  void a23CostsAndCpusHaveTheRightSign() {
    for (long seed = 1; seed <= 10; seed++) {
      Workload jobs =
          AnalyticWorkloads.arrivals(AnalyticWorkloads.Service.MIXED, seed, 500, 3, 0.95, 2 * MS);
      assertThat(makespan("1s5c", "global-fifo", jobs))
          .isLessThanOrEqualTo(makespan("1s4c", "global-fifo", jobs));
    }
    for (String rule : List.of("v2.6.36", "processor-sharing", "no-balance")) {
      Workload hogs = AnalyticWorkloads.jobs(9, SECOND);
      TestRun free = new TestRun("1s4c", rule, hogs).ms(1_500);
      TestRun costly = new TestRun("1s4c", rule, hogs).ms(1_500).set("switchCostNs=20000");
      free.go();
      costly.go();
      assertThat(free.result.costNs()).isZero();
      assertThat(costly.result.costNs()).isPositive();
      assertThat(costly.result.workNs() - costly.result.costNs()).isLessThan(free.result.workNs());
    }
  }

  private static long hash(long seed) {
    Workload workload = Generators.parse("hackbench:groups=2,fds=4,loops=30", 8);
    return new TestRun("2s2c2t", "v2.6.37", workload)
        .set("backgroundNoise=5")
        .set("switchCostNs=700")
        .ms(2_000)
        .seed(seed)
        .go()
        .hash;
  }

  /** A24: the same events three times over, on one thread or two at once. */
  @Test
  void a24ARunIsTheSameEveryTime() throws Exception {
    long first = hash(1);
    assertThat(List.of(hash(1), hash(1))).containsOnly(first);
    assertThat(hash(2)).isNotEqualTo(first);
    ExecutorService two = Executors.newFixedThreadPool(2);
    try {
      List<Future<Long>> hashes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        hashes.add(two.submit(() -> hash(1)));
      }
      for (Future<Long> hash : hashes) {
        assertThat(hash.get()).isEqualTo(first);
      }
    } finally {
      two.shutdownNow();
    }
  }
}

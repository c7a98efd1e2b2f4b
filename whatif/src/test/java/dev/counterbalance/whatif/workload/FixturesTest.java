package dev.counterbalance.whatif.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterbalance.whatif.workload.AnalyticWorkloads.Service;
import java.util.EnumSet;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workloads that other tests rely on are what they say. */
class FixturesTest {
  private static final int JOBS = 400_000;
  private static final long SERVICE_NS = 1_000_000;

  @Test
  void randomWorkloadsFinishWithNothingLeft() {
    EnumSet<OpKind> seen = EnumSet.noneOf(OpKind.class);
    EnumSet<Policy> policies = EnumSet.noneOf(Policy.class);
    int pinned = 0;
    int actions = 0;
    for (long seed = 0; seed < 500; seed++) {
      int cpus = 1 + (int) (seed % 9);
      Workload workload = RandomWorkload.make(seed, cpus);
      assertThat(workload.minCpus()).isLessThanOrEqualTo(cpus);
      UnlimitedCpus run = new UnlimitedCpus(workload).run(Long.MAX_VALUE);
      assertThat(run.endNs).as("seed %d", seed).doesNotContain(-1);
      for (int op = 0; op < workload.ops(); op++) {
        seen.add(workload.kind(op));
      }
      for (int task = 0; task < workload.tasks(); task++) {
        policies.add(workload.policy(task));
        pinned += workload.affinity(task) >= 0 ? 1 : 0;
      }
      actions += workload.actions().size();
    }
    assertThat(seen).isEqualTo(EnumSet.complementOf(EnumSet.of(OpKind.BROADCAST)));
    assertThat(policies).isEqualTo(EnumSet.allOf(Policy.class));
    assertThat(pinned).isPositive();
    assertThat(actions).isPositive();
  }

  @Test
  void randomWorkloadsRepeat() {
    Workload one = RandomWorkload.make(5, 4);
    Workload two = RandomWorkload.make(5, 4);
    assertThat(new UnlimitedCpus(two).run(Long.MAX_VALUE).log())
        .isEqualTo(new UnlimitedCpus(one).run(Long.MAX_VALUE).log());
    assertThat(new UnlimitedCpus(RandomWorkload.make(6, 4)).run(Long.MAX_VALUE).log())
        .isNotEqualTo(new UnlimitedCpus(one).run(Long.MAX_VALUE).log());
  }

  /** Mean wait, in service times, of a queue that serves first come, first served. */
  private static double meanWait(Workload workload, int cpus) {
    PriorityQueue<Long> free = new PriorityQueue<>();
    for (int cpu = 0; cpu < cpus; cpu++) {
      free.add(0L);
    }
    double waits = 0;
    for (int task = 0; task < workload.tasks(); task++) {
      long arrival = workload.startNs(task);
      long begin = Math.max(arrival, free.poll());
      waits += begin - arrival;
      free.add(begin + workload.arg(workload.firstOp(task)));
    }
    return waits / workload.tasks() / SERVICE_NS;
  }

  /** whatif-method §7, A8 and A9; M/D/c with more than one CPU is an approximation there. */
  @ParameterizedTest
  @CsvSource({
    "EXPONENTIAL, 1, 0.8, 4.0",
    "EXPONENTIAL, 2, 0.8, 1.7778",
    "EXPONENTIAL, 4, 0.8, 0.7455",
    "EXPONENTIAL, 8, 0.8, 0.2860",
    "DETERMINISTIC, 1, 0.8, 2.0",
    "DETERMINISTIC, 4, 0.8, 0.3852"
  })
  void arrivalsWaitAsQueueingTheorySays(Service service, int cpus, double load, double wait) {
    double sum = 0;
    for (long seed = 1; seed <= 4; seed++) {
      Workload workload = AnalyticWorkloads.arrivals(service, seed, JOBS, cpus, load, SERVICE_NS);
      sum += meanWait(workload, cpus) / 4;
    }
    assertThat(sum).isCloseTo(wait, within(0.03 * wait));
  }

  /** A11, Pollaczek and Khinchine: λ E[S²] / (2 (1 − ρ)). */
  @Test
  void mixedServicesWaitAsPollaczekAndKhinchineSay() {
    double sum = 0;
    for (long seed = 1; seed <= 4; seed++) {
      sum +=
          meanWait(AnalyticWorkloads.arrivals(Service.MIXED, seed, JOBS, 1, 0.6, SERVICE_NS), 1)
              / 4;
    }
    double wait = 0.6 * Service.MIXED.secondMoment / (2 * (1 - 0.6));
    assertThat(sum).isCloseTo(wait, within(0.03 * wait));
  }

  /** With a CPU for each, a graph takes as long as its longest chain. */
  @Test
  void dagsEndWithTheirCriticalPath() {
    for (long seed = 0; seed < 50; seed++) {
      AnalyticWorkloads.Dag dag = AnalyticWorkloads.dag(seed, 40, 3);
      UnlimitedCpus run = new UnlimitedCpus(dag.workload()).run(Long.MAX_VALUE);
      long end = 0;
      long work = 0;
      for (int task = 0; task < 40; task++) {
        end = Math.max(end, run.endNs[task]);
        work += run.workNs[task];
      }
      assertThat(end).isEqualTo(dag.criticalPathNs());
      assertThat(work).isEqualTo(dag.workNs());
      assertThat(end).isLessThan(work);
    }
  }

  @Test
  void timersKeepTheirPeriod() {
    assertThat(new UnlimitedCpus(AnalyticWorkloads.sleepAndTimer()).run(40_000_000).log())
        .containsExactly("A@0", "B@0", "A@15000", "B@19000", "A@30000", "B@38000");
  }

  @Test
  void realtimeTakesItsShare() {
    UnlimitedCpus run = new UnlimitedCpus(AnalyticWorkloads.realtimeAndHogs()).run(1_000_000_000);
    assertThat(run.workNs[0]).isCloseTo(300_000_000L, within(6_000_000L));
  }

  @Test
  void scalingScalesEveryTime() {
    Workload source = RandomWorkload.make(7, 4);
    UnlimitedCpus one = new UnlimitedCpus(source).run(Long.MAX_VALUE);
    UnlimitedCpus three =
        new UnlimitedCpus(AnalyticWorkloads.scaled(source, 3)).run(Long.MAX_VALUE);
    for (int task = 0; task < source.tasks(); task++) {
      assertThat(three.endNs[task]).isEqualTo(3 * one.endNs[task]);
    }
  }

  @Test
  void relabellingMovesCpus() {
    Workload mike = AnalyticWorkloads.relabelled(AnalyticWorkloads.mike(), 2, 3, 0, 1);
    assertThat(mike.startCpu(0)).isEqualTo(3);
    assertThat(mike.startCpu(1)).isZero();
    assertThat(mike.startCpu(4)).isEqualTo(1);
    Workload pinned = AnalyticWorkloads.relabelled(AnalyticWorkloads.unpinned(2), 3, 2, 1, 0);
    assertThat(pinned.mask(pinned.affinity(0)).toString()).isEqualTo("3");
    Workload off = AnalyticWorkloads.relabelled(AnalyticWorkloads.hotplug(2, 9, 1, 5), 1, 0);
    assertThat(off.actions().get(0).ref()).isZero();
  }

  @Test
  void theOthersAreWhatTheyAreCalled() {
    assertThat(AnalyticWorkloads.hogs(5).tasks()).isEqualTo(5);
    assertThat(AnalyticWorkloads.jobs(5, 9).arg(4)).isEqualTo(9);
    assertThat(AnalyticWorkloads.placedJobs(9, 0, 1, 1).startCpu(2)).isEqualTo(1);
    assertThat(AnalyticWorkloads.nikhil().startCpu(3)).isEqualTo(-1);
    assertThat(AnalyticWorkloads.nikhil().policy(16)).isEqualTo(Policy.IDLE);
    assertThat(AnalyticWorkloads.weights2to1().nice(1)).isEqualTo(18);
    assertThat(AnalyticWorkloads.hogsOfNice(0, 5).nice(1)).isEqualTo(5);
    assertThat(AnalyticWorkloads.pinnedHogs(4).mask(0).toString()).isEqualTo("0");
  }
}

package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterbalance.whatif.workload.AnalyticWorkloads;
import dev.counterbalance.whatif.workload.AnalyticWorkloads.Service;
import dev.counterbalance.whatif.workload.Workload;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Queueing theory as the judge: the analytic cases A8 to A13 of the what-if method. Jobs arrive as
 * a Poisson stream; times in units of the mean service time S.
 */
class QueueingTest {
  private static final long S = 1_000_000;
  private static final int JOBS = 60_000;
  private static final int SEEDS = 8;

  /** Waiting tasks over time, kept apart from the waits of each task. */
  private static final class QueueLength extends Books {
    private long area;
    private long sinceNs;
    private int waiting;

    QueueLength(int cpus, int tasks) {
      super(cpus, tasks, 0);
    }

    private void until(long tsNs) {
      area += waiting * (tsNs - sinceNs);
      sinceNs = tsNs;
    }

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
      until(tsNs);
      waiting++;
    }

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
      until(tsNs);
      waiting += (prevTid != 0 && (prevState == 0 || prevState == 256) ? 1 : 0);
      waiting -= nextTid != 0 ? 1 : 0;
    }
  }

  /** One stream under a rule; laws that hold exactly are asserted on the way (A13). */
  private static Books stream(
      Service service, int cpus, double load, String rule, long seed, int jobs, long meanNs) {
    Workload workload = AnalyticWorkloads.arrivals(service, seed, jobs, cpus, load, meanNs);
    TestRun run = new TestRun("1s" + cpus + "c", rule, workload).ms(3_600_000).seed(seed);
    QueueLength books = new QueueLength(cpus, jobs);
    run.into(books);
    assertThat(run.result.finishedTasks()).isEqualTo(jobs);
    long work = 0;
    for (int job = 0; job < jobs; job++) {
      work += workload.arg(workload.firstOp(job));
    }
    // The utilisation law and Little's law, L = lambda W, exact as the window is closed.
    assertThat(Arrays.stream(books.busyNs).sum()).isEqualTo(work).isEqualTo(run.result.workNs());
    assertThat(books.area).isEqualTo(Arrays.stream(books.waitNs).sum());
    return books;
  }

  private static double meanWait(Books books) {
    return Arrays.stream(books.waitNs).average().orElseThrow() / S;
  }

  /**
   * The waits of jobs served first come, first served by {@code servers}, by the recursion of
   * Kiefer and Wolfowitz: nothing of the simulator is in it.
   */
  private static long[] fifoWaits(long[] arrivals, long[] services, int servers) {
    long[] freeAt = new long[servers];
    long[] waits = new long[arrivals.length];
    for (int job = 0; job < arrivals.length; job++) {
      int first = 0;
      for (int server = 1; server < servers; server++) {
        first = freeAt[server] < freeAt[first] ? server : first;
      }
      long start = Math.max(arrivals[job], freeAt[first]);
      waits[job] = start - arrivals[job];
      freeAt[first] = start + services[job];
    }
    return waits;
  }

  private static long[] arrivals(Workload workload) {
    long[] arrivals = new long[workload.tasks()];
    Arrays.setAll(arrivals, workload::startNs);
    return arrivals;
  }

  private static long[] services(Workload workload) {
    long[] services = new long[workload.tasks()];
    Arrays.setAll(services, job -> workload.arg(workload.firstOp(job)));
    return services;
  }

  /**
   * Waits of a long stream by the recursion, in S; the simulator's are the recursion's to the ns.
   */
  private static double[] longRun(Service service, int servers, double load, int jobs) {
    SplittableRandom random = new SplittableRandom(42);
    double[] freeAt = new double[servers];
    double[] waits = new double[jobs];
    double now = 0;
    for (int job = 0; job < jobs; job++) {
      now -= Math.log(1 - random.nextDouble()) / (servers * load);
      int first = 0;
      for (int server = 1; server < servers; server++) {
        first = freeAt[server] < freeAt[first] ? server : first;
      }
      double start = Math.max(now, freeAt[first]);
      waits[job] = start - now;
      freeAt[first] = start + draw(service, random);
    }
    return waits;
  }

  private static double draw(Service service, SplittableRandom random) {
    return switch (service) {
      case EXPONENTIAL -> -Math.log(1 - random.nextDouble());
      case DETERMINISTIC -> 1;
      case MIXED -> random.nextInt(10) == 0 ? 5.5 : 0.5;
    };
  }

  private static double longMean(Service service, int servers, double load) {
    return Arrays.stream(longRun(service, servers, load, 6_000_000)).average().orElseThrow();
  }

  /** Erlang's C: the probability that a job has to wait. */
  private static double erlangC(int servers, double load) {
    double offered = servers * load;
    double term = 1;
    double sum = 1;
    for (int k = 1; k < servers; k++) {
      term *= offered / k;
      sum += term;
    }
    double last = term * offered / servers / (1 - load);
    return last / (sum + last);
  }

  @Test
  void erlangsFormulaGivesTheTable() {
    assertThat(erlangC(2, 0.8) / (2 * 0.2)).isCloseTo(1.7778, within(5e-5));
    assertThat(erlangC(4, 0.9) / (4 * 0.1)).isCloseTo(1.9694, within(5e-5));
    assertThat(erlangC(16, 0.95) / (16 * 0.05)).isCloseTo(0.9752, within(5e-5));
  }

  /** A8, A9, A11: each job of the simulator waits as long as the recursion says, to the ns. */
  @ParameterizedTest
  @CsvSource({
    "EXPONENTIAL, 1, 0.8", "EXPONENTIAL, 2, 0.8", "EXPONENTIAL, 4, 0.9", "EXPONENTIAL, 16, 0.95",
    "EXPONENTIAL, 64, 0.95", "DETERMINISTIC, 4, 0.8", "DETERMINISTIC, 8, 0.9", "MIXED, 1, 0.8"
  })
  void oneQueueForAllIsExact(Service service, int cpus, double load) {
    Workload workload = AnalyticWorkloads.arrivals(service, 1, JOBS, cpus, load, S);
    Books books = stream(service, cpus, load, "global-fifo", 1, JOBS, S);
    assertThat(books.waitNs).isEqualTo(fifoWaits(arrivals(workload), services(workload), cpus));
  }

  @ParameterizedTest
  @CsvSource({"1, 0.8", "2, 0.8", "4, 0.8", "8, 0.8", "4, 0.9"})
  void a8OneQueueForAll(int cpus, double load) {
    double expected = erlangC(cpus, load) / (cpus * (1 - load));
    assertThat(longMean(Service.EXPONENTIAL, cpus, load))
        .isCloseTo(expected, within(0.02 * expected));
  }

  @ParameterizedTest
  @CsvSource({"4, 5.110", "8, 2.390"})
  void a8TheTailOfWaits(int cpus, double expected) {
    double p99 = Math.log(erlangC(cpus, 0.8) / 0.01) / (cpus * 0.2);
    assertThat(p99).isCloseTo(expected, within(5e-4));
    double[] waits = longRun(Service.EXPONENTIAL, cpus, 0.8, 4_000_000);
    Arrays.sort(waits);
    assertThat(waits[waits.length / 100 * 99]).isCloseTo(p99, within(0.02 * p99));
  }

  /** A9: c = 1 exact, the others the document's simulation of 2 M arrivals; 2 % are allowed. */
  @ParameterizedTest
  @CsvSource({"1, 0.8, 2.0", "4, 0.8, 0.3852", "4, 0.9, 0.9866", "8, 0.9, 0.4434"})
  void a9ConstantServiceTimes(int cpus, double load, double expected) {
    assertThat(longMean(Service.DETERMINISTIC, cpus, load))
        .isCloseTo(expected, within(0.02 * expected));
  }

  /**
   * A10: each CPU is a queue of its own, exactly; with what the split drew, S * load / (1 - load).
   */
  @Test
  void a10ARandomSplitIsAQueueForEach() {
    Workload workload = AnalyticWorkloads.arrivals(Service.EXPONENTIAL, 1, JOBS, 4, 0.8, S);
    Books books = stream(Service.EXPONENTIAL, 4, 0.8, "static-split", 1, JOBS, S);
    assertThat(books.moves).isZero();
    for (int cpu = 0; cpu < 4; cpu++) {
      int own = cpu;
      int[] jobs = IntStream.range(0, JOBS).filter(job -> books.taskCpu[job] == own).toArray();
      assertThat(jobs.length / (double) JOBS).isCloseTo(0.25, within(0.01));
      long[] arrivals = Arrays.stream(jobs).mapToLong(workload::startNs).toArray();
      long[] services =
          Arrays.stream(jobs).mapToLong(job -> workload.arg(workload.firstOp(job))).toArray();
      long[] waits = Arrays.stream(jobs).mapToLong(job -> books.waitNs[job]).toArray();
      assertThat(waits).isEqualTo(fifoWaits(arrivals, services, 1));
    }
    assertThat(longMean(Service.EXPONENTIAL, 1, 0.8)).isCloseTo(4.0, within(0.08));
  }

  @ParameterizedTest
  @CsvSource({"v2.6.36", "v2.6.38", "prefer-utilization"})
  void a10AKernelIsBetweenTheTwo(String rule) {
    for (long seed = 1; seed <= 3; seed++) {
      double best = meanWait(stream(Service.EXPONENTIAL, 4, 0.8, "global-fifo", seed, JOBS, S));
      double worst = meanWait(stream(Service.EXPONENTIAL, 4, 0.8, "static-split", seed, JOBS, S));
      double kernel = meanWait(stream(Service.EXPONENTIAL, 4, 0.8, rule, seed, JOBS, S));
      assertThat(kernel).isBetween(best, worst);
    }
  }

  /** A11: Pollaczek and Khinchine. */
  @Test
  void a11MixedServiceTimes() {
    double expected = 0.8 * Service.MIXED.secondMoment / (2 * 0.2);
    assertThat(longMean(Service.MIXED, 1, 0.8)).isCloseTo(expected, within(0.02 * expected));
  }

  /** A12: response S / (1 - load), and a slowdown that does not depend on the size of the job. */
  @ParameterizedTest
  @CsvSource({"0.5", "0.8"})
  void a12SharingOneProcessor(double load) {
    long mean = 20 * S;
    double[] small = new double[2];
    double[] large = new double[2];
    double[] all = new double[2];
    for (int seed = 1; seed <= SEEDS; seed++) {
      int jobs = 4_000;
      Workload workload =
          AnalyticWorkloads.arrivals(Service.EXPONENTIAL, seed, jobs, 1, load, mean);
      Books books = stream(Service.EXPONENTIAL, 1, load, "processor-sharing", seed, jobs, mean);
      for (int job = 0; job < jobs; job++) {
        long size = workload.arg(workload.firstOp(job));
        long response = books.finishNs[job] - workload.startNs(job);
        add(all, response, size);
        add(size < mean ? small : large, response, size);
      }
    }
    double slowdown = 1 / (1 - load);
    assertThat(all[0] / all[1]).isCloseTo(slowdown, within(0.06 * slowdown));
    assertThat(small[0] / small[1]).isCloseTo(large[0] / large[1], within(0.06 * slowdown));
  }

  private static void add(double[] sums, long response, long size) {
    sums[0] += response;
    sums[1] += size;
  }
}

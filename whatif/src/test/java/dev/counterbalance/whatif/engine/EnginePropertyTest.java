package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.RandomWorkload;
import dev.counterbalance.whatif.workload.UnlimitedCpus;
import dev.counterbalance.whatif.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random workloads on random machines under random rules and settings: whatever the rule decides,
 * nothing is lost or stuck, runs twice at once or outside its affinity; the work that the events
 * show is the work there was; counts agree with states; decisions change nothing. Repeat a run with
 * {@code -Dseed=N}, run more with {@code -Druns=N}.
 */
class EnginePropertyTest {
  private static final String[] RULES = {
    "v2.6.36",
    "nikhil-p1",
    "nikhil-rfc-v1",
    "nikhil-rfc-v2",
    "group-weight",
    "prefer-utilization",
    "prefer-utilization-plain",
    "newidle-utilization",
    "v2.6.37",
    "v2.6.38",
    "no-balance",
    "random-placement",
    "global-fifo",
    "static-split",
    "processor-sharing"
  };

  private static final String[] MACHINES = {
    "1s1c", "1s2c", "1s1c2t", "1s2l2c", "2s2c2t", "1s2l2c@4x1024", "4s4c", "2s2n2l4c2t"
  };

  private static long[] seeds() {
    String wanted = System.getProperty("seed", "");
    return wanted.isEmpty()
        ? LongStream.range(0, Integer.getInteger("runs", 48)).toArray()
        : new long[] {Long.parseLong(wanted)};
  }

  @Test
  void whateverTheRuleDecidesTheBooksAgree() {
    List<String> failures = new ArrayList<>();
    for (long seed : seeds()) {
      Case one = new Case(seed);
      try {
        one.check();
      } catch (AssertionError | RuntimeException e) {
        failures.add("seed " + seed + ": " + one + ": " + e);
      }
    }
    assertThat(failures).isEmpty();
  }

  /** One run, drawn by its seed. */
  private static final class Case {
    private final SplittableRandom random;
    private final String rule;
    private final String machine;
    private final Workload workload;
    private final StringBuilder settings = new StringBuilder();
    private final TestRun run;
    private PureView view;

    Case(long seed) {
      random = new SplittableRandom(seed);
      rule = pick(random.nextInt(3) == 0 ? Arrays.copyOf(RULES, 1) : RULES);
      machine = pick(MACHINES);
      int cpus = new TestRun(machine, "v2.6.36", RandomWorkload.make(0, 1)).cpus();
      workload =
          random.nextInt(3) > 0 ? ChaosWorkload.make(seed, cpus) : RandomWorkload.make(seed, cpus);
      run = new TestRun(machine, rule, workload).seed(seed).ms(60_000);
      boolean balances = Arrays.asList(RULES).indexOf(rule) < 10;
      boolean queues = Arrays.asList(RULES).indexOf(rule) < 12;
      set("backgroundNoise=" + pick("0", "1", "200"));
      set("switchCostNs=" + pick("0", "0", "1000"));
      set("reloadNs[CROSS_NODE]=" + pick("0", "100000"));
      set("noiseRunNs=" + pick("20000", "2000000"));
      if (queues) {
        set("HZ=" + pick("100", "250", "300", "1000"));
        set("tickSkew=" + pick("on", "off"));
        set("tickEvery=" + pick("1", "1", "3", "12"));
      }
      if (balances) {
        set("nohz=" + pick("on", "off"));
        set("preemptKernel=" + pick("on", "off"));
        set("migration_cost=" + pick("-1", "0", "500000"));
        set("stopperRunNs=" + pick("0", "0", "50000"));
      }
      if (cpus > 2) {
        isolate(cpus);
      }
      if (random.nextInt(3) == 0) {
        run.around(
            balancer -> {
              view = balancer == null ? null : new PureView(balancer);
              return view;
            });
      }
    }

    private void isolate(int cpus) {
      if (random.nextInt(4) == 0) {
        String list = random.nextInt(cpus) + (random.nextBoolean() ? "" : "," + (cpus - 1));
        run.isolated(list);
        settings.append("isolated ").append(list);
      }
      if (random.nextInt(4) == 0) {
        String list = String.valueOf(random.nextInt(cpus));
        run.offline(list);
        settings.append("offline ").append(list);
      }
    }

    private String pick(String... values) {
      return values[random.nextInt(values.length)];
    }

    private void set(String setting) {
      run.set(setting);
      settings.append(setting).append(' ');
    }

    @Override
    public String toString() {
      return rule + " on " + machine + ", " + workload.name() + ", " + settings;
    }

    void check() {
      CheckedBooks books = new CheckedBooks(run, workload.tasks());
      run.into(books);
      SimResult result = run.result;
      assertThat(result.stuck()).as("stuck").isZero();
      assertThat(result.startedTasks()).as("started").isEqualTo(workload.tasks());
      assertThat(result.finishedTasks()).as("finished").isEqualTo(workload.tasks());
      assertThat(books.endNs).isEqualTo(result.endNs());
      assertThat(books.finishNs).as("exits").doesNotContain(-1);
      checkCounters(books);
      checkWork(books, result);
      if (view != null) {
        assertThat(view.calls).isNotNegative();
      }
    }

    /** The counters of /proc/schedstat against the same from the events. */
    private void checkCounters(Books books) {
      Schedstat stat = run.simulation.schedstat();
      for (int cpu = 0; cpu < books.busyNs.length; cpu++) {
        assertThat(stat.get(cpu, Schedstat.Cpu.RQ_CPU_TIME))
            .as("busy time of CPU %d", cpu)
            .isEqualTo(books.busyNs[cpu]);
      }
    }

    /** On a CPU that is slower than 1, each time a burst is planned may round up by 1 ns. */
    private double rounding(long events, double workNs) {
      if (!machine.contains("2t")) {
        return 0;
      }
      // Processor sharing plans anew every 100 us; SMT factors are kept to 2^-20.
      return 2 * events + (rule.equals("processor-sharing") ? 2e-5 : 2e-6) * workNs;
    }

    private void checkWork(CheckedBooks books, SimResult result) {
      RunState state = run.simulation.state();
      for (int op = 0; op < workload.ops(); op++) {
        if (workload.kind(op) == OpKind.RUN_TIME) {
          return;
        }
      }
      UnlimitedCpus unlimited = new UnlimitedCpus(workload).run(Long.MAX_VALUE);
      boolean costs = result.costNs() > 0;
      double done = 0;
      long wanted = 0;
      double rounding = rounding(result.events(), result.workNs() + books.kernelWorkNs);
      for (int task = 0; task < workload.tasks(); task++) {
        done += books.workNs[task];
        wanted += unlimited.workNs[task];
        if (!costs) {
          assertThat(books.workNs[task])
              .as("work of task %d (%s)", task, workload.name(task))
              .isCloseTo((double) unlimited.workNs[task], within(rounding));
        }
      }
      if (rounding == 0) {
        assertThat((double) result.workNs()).as("work of all").isEqualTo(done);
      }
      if (workload.actions().stream().anyMatch(a -> a.kind() == Workload.Action.Kind.CPU_OFF)) {
        // The threads of a CPU that goes away leave their work undone.
        return;
      }
      double left = 0;
      for (int task = state.workTasks; task < state.tasks; task++) {
        left += state.isOnQueue(task) ? state.remaining[task] : 0;
      }
      assertThat(done + books.kernelWorkNs)
          .as("work and costs")
          .isCloseTo(wanted + result.costNs() + books.kernelAskedNs - left, within(rounding));
    }
  }
}

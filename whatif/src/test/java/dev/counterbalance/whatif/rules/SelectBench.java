package dev.counterbalance.whatif.rules;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.DomainFixture;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.Selection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one load balance decision costs at the top level of sockets of four cores: CPU 0 is idle,
 * its three neighbours have one task each, all others two. To run it, with {@code -prof gc} to see
 * that nothing is allocated:
 *
 * <pre>{@code
 * mvn -Pbench -pl whatif -am process-test-classes
 * java -cp 'whatif/target/test-classes:whatif/target/classes:trace/target/classes:whatif/target/bench/*' \
 *   org.openjdk.jmh.Main SelectBench -prof gc
 * }</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class SelectBench {
  @Param({"8", "64", "256"})
  private int cpus;

  @Param({"v2.6.36", "v2.6.37"})
  private String rule;

  private final Selection selection = new Selection();
  private LoadBalancer balancer;
  private FakeView view;
  private SchedDomain domain;
  private SchedDomain notBalancer;
  private CpuSet all;

  /** Makes the machine. */
  @Setup
  public void create() {
    SchedDomains domains = DomainFixture.quadSockets(cpus / 4);
    view = new FakeView(domains);
    for (int cpu = 1; cpu < cpus; cpu++) {
      view.on(cpu).runs(0);
      if (cpu >= 4) {
        view.on(cpu).queues(0);
      }
    }
    balancer = Rules.load().resolve(rule, List.of(), cpus).newBalancer();
    domain = domains.of(0)[1];
    notBalancer = domains.of(3)[1];
    all = domains.active();
  }

  /** find_busiest_group and find_busiest_queue of the idle CPU. */
  @Benchmark
  public int findsQueue() {
    balancer.select(view, domain, 0, IdleType.IDLE, all, selection);
    return balancer.busiestQueue(
        view, domain, selection.busiest, selection.amount, IdleType.IDLE, all);
  }

  /** find_busiest_group where another CPU of the group is the one to balance. */
  @Benchmark
  public Object isNotTheBalancer() {
    balancer.select(view, notBalancer, 3, IdleType.NOT_IDLE, all, selection);
    return selection.reason;
  }
}

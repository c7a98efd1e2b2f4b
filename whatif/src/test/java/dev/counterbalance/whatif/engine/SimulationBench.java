package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Trace events a second of one simulated run, with all of its rule's balancing on and a sink that
 * drops them: per CPU two pairs of ping-pong tasks (100 us and 150 us of work a turn), a periodic
 * task (300 us every 1.3 ms) and half a hog, so that every CPU always has something to choose from.
 * The figure to read is {@code simulate:events}. To run it, with {@code -prof gc} to see what a run
 * allocates:
 *
 * <pre>{@code
 * mvn -Pbench -pl whatif -am process-test-classes
 * java -cp 'whatif/target/test-classes:whatif/target/classes:trace/target/classes:whatif/target/bench/*' \
 *   org.openjdk.jmh.Main SimulationBench -prof gc
 * }</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class SimulationBench {
  private static final long US = 1000;

  @Param({"2s4c", "4s16c", "4s2n16c2t"})
  private String topology;

  @Param({"v2.6.36", "v2.6.38"})
  private String rule;

  /** Counts the events of the runs. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Counters {
    public long events;
  }

  static Workload workload(int cpus) {
    WorkloadBuilder builder = new WorkloadBuilder("mix");
    for (int i = 0; i < cpus * 2; i++) {
      int ping = builder.semaphore(0);
      int pong = builder.semaphore(0);
      builder.task("ping");
      int first = builder.run(100 * US + i * US);
      builder.op(OpKind.SIGNAL, 0, ping);
      builder.op(OpKind.WAIT, 0, pong);
      builder.loop(first, -1);
      builder.task("pong");
      first = builder.op(OpKind.WAIT, 0, ping);
      builder.run(150 * US);
      builder.op(OpKind.SIGNAL, 0, pong);
      builder.loop(first, -1);
    }
    for (int i = 0; i < cpus; i++) {
      builder.task("periodic");
      int first = builder.run(300 * US);
      builder.sleep(1000 * US + i * US);
      builder.loop(first, -1);
    }
    for (int i = 0; i < cpus / 2; i++) {
      builder.task("hog");
      builder.hog();
    }
    return builder.build();
  }

  /** One run of about 800,000 events. */
  @Benchmark
  public SimResult simulate(Counters counters) {
    int cpus = new TestRun(topology, rule, workload(1)).cpus();
    EventSink dropped = new NoEvents();
    TestRun run =
        new TestRun(topology, rule, workload(cpus))
            .set("backgroundNoise=200")
            .ms(64_000 / cpus)
            .into(dropped);
    counters.events += run.result.events();
    return run.result;
  }
}

package dev.counterbalance.whatif.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import org.junit.jupiter.api.Test;

/** The two cases of the 2010 thread, as whole runs. */
class ThreadTest {
  private static Workload mike(int heavyCpu, int... lightCpus) {
    WorkloadBuilder builder = new WorkloadBuilder("mike");
    builder.task("heavy");
    builder.nice(-15).startCpu(heavyCpu).hog();
    for (int cpu : lightCpus) {
      builder.task("light");
      builder.startCpu(cpu).hog();
    }
    return builder.build();
  }

  private static Workload nikhil() {
    WorkloadBuilder builder = new WorkloadBuilder("nikhil");
    builder.task("normal");
    builder.hog();
    for (int i = 0; i < 16; i++) {
      builder.task("soaker");
      builder.policy(Policy.IDLE, 0).hog();
    }
    return builder.build();
  }

  @Test
  void print() {
    for (String rule :
        new String[] {
          "v2.6.36",
          "nikhil-p1",
          "nikhil-rfc-v1",
          "nikhil-rfc-v2",
          "group-weight",
          "prefer-utilization",
          "prefer-utilization-plain",
          "newidle-utilization",
          "v2.6.37",
          "v2.6.38"
        }) {
      for (String noise : new String[] {"0", "200"}) {
        Books a =
            new TestRun("1s2l2c", rule, mike(1, 2, 2, 3, 3))
                .set("HZ=1000")
                .set("backgroundNoise=" + noise)
                .ms(12000)
                .warmUpMs(6000)
                .go();
        Books b =
            new TestRun("4s4c", rule, nikhil())
                .set("HZ=1000")
                .set("backgroundNoise=" + noise)
                .ms(12000)
                .warmUpMs(6000)
                .go();
        System.err.printf(
            "%-26s noise %s mike idle %.2f  [%.0f %.0f %.0f %.0f %.0f] moves %d   nikhil idle %.2f moves %d%n",
            rule,
            noise,
            a.idlePct(4),
            a.cpuPct(0),
            a.cpuPct(1),
            a.cpuPct(2),
            a.cpuPct(3),
            a.cpuPct(4),
            a.moves,
            b.idlePct(16),
            b.moves);
      }
    }
    assertThat(OpKind.RUN).isNotNull();
    assertThat(CpuSet.all(3).size()).isEqualTo(3);
  }
}

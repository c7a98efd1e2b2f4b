package dev.counterbalance.whatif.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratorsTest {
  private static int[] startCpus(Workload workload) {
    return IntStream.range(0, workload.tasks()).map(workload::startCpu).toArray();
  }

  @Test
  void soakersAreOneNormalAndSixteenIdle() {
    Workload workload = Generators.parse("soakers", 16);
    assertThat(workload.name()).isEqualTo("soakers");
    assertThat(workload.tasks()).isEqualTo(17);
    assertThat(workload.policy(0)).isEqualTo(Policy.NORMAL);
    for (int task = 1; task < 17; task++) {
      assertThat(workload.policy(task)).isEqualTo(Policy.IDLE);
      assertThat(workload.startCpu(task)).isEqualTo(-1);
    }
    assertThat(workload.durationNs()).isEqualTo(-1);
  }

  /** kernel-rules.md T2-4: one normal task on A, and 6, 5 and 5 idle ones on B, C and D. */
  @Test
  void stuckSoakersAreTheStateThatV2636EndsIn() {
    int[] cpus = startCpus(Generators.parse("soakers:start=stuck", 16));
    assertThat(cpus[0]).isZero();
    int[] perGroup = new int[4];
    for (int task = 1; task < 17; task++) {
      perGroup[cpus[task] / 4]++;
    }
    assertThat(perGroup).containsExactly(0, 6, 5, 5);
    assertThat(IntStream.of(cpus).distinct().count()).isEqualTo(13);
  }

  /** kernel-rules.md T2-1, with CPU 0 and 1 exchanged. */
  @Test
  void aHeavySoakerIsStuckOnAQuadCore() {
    Workload workload = Generators.parse("soakers:idle=0,normal=4,heavy=1,start=stuck,group=2", 4);
    assertThat(startCpus(workload)).containsExactly(0, 2, 3, 2, 3);
    assertThat(workload.nice(0)).isEqualTo(-15);
    assertThat(workload.nice(1)).isZero();
  }

  @Test
  void soakersStartWhereTheyAreTold() {
    assertThat(startCpus(Generators.parse("soakers:idle=4,start=packed", 4))).containsOnly(0);
    assertThat(startCpus(Generators.parse("soakers:idle=4,start=spread", 4)))
        .containsExactly(0, 1, 2, 3, 0);
    assertThat(startCpus(Generators.parse("soakers:idle=4,start=1+2+2", 4)))
        .containsExactly(1, 2, 2, 1, 2);
    int[] random = startCpus(Generators.parse("soakers:idle=99,start=random,seed=5", 4));
    assertThat(random).contains(0, 1, 2, 3);
    assertThat(startCpus(Generators.parse("soakers:idle=99,start=random,seed=5", 4)))
        .isEqualTo(random);
    assertThat(startCpus(Generators.parse("soakers:idle=99,start=random,seed=6", 4)))
        .isNotEqualTo(random);
  }

  @Test
  void soakersMayEnd() {
    UnlimitedCpus run =
        new UnlimitedCpus(Generators.parse("soakers:idle=1,run=3ms", 4)).run(Long.MAX_VALUE);
    assertThat(run.endNs).containsExactly(3_000_000, 3_000_000);
  }

  @ParameterizedTest
  @CsvSource({"3,3000", "3us,3000", "3ns,3", "3ms,3000000", "3s,3000000000"})
  void durationsHaveUnits(String text, long ns) {
    Workload workload = Generators.parse("soakers:idle=0,run=" + text, 1);
    assertThat(workload.arg(0)).isEqualTo(ns);
  }

  /** Each message costs one piece of work, and the two tasks never work at once. */
  @Test
  void pipeGoesToAndFro() {
    Workload workload = Generators.parse("pipe:loops=100,work=3,pairs=2", 4);
    UnlimitedCpus run = new UnlimitedCpus(workload).run(Long.MAX_VALUE);
    assertThat(workload.tasks()).isEqualTo(4);
    assertThat(run.endNs).containsExactly(600_000, 600_000, 600_000, 600_000);
    assertThat(run.workNs).containsOnly(300_000);
  }

  /** Work of a sender: loops x receivers; of a receiver: senders x loops. */
  @Test
  void hackbenchSendsEveryMessage() {
    Workload workload =
        Generators.parse("hackbench:groups=2,fds=3,loops=50,write=2,read=5,capacity=7,batch=4", 4);
    assertThat(workload.tasks()).isEqualTo(1 + 2 * 2 * 3);
    UnlimitedCpus run = new UnlimitedCpus(workload).run(Long.MAX_VALUE);
    assertThat(run.endNs).doesNotContain(-1);
    int senders = 0;
    for (int task = 1; task < workload.tasks(); task++) {
      boolean sender = workload.name(task).equals("sender");
      senders += sender ? 1 : 0;
      assertThat(run.workNs[task]).isEqualTo(3 * 50 * (sender ? 2000L : 5000L));
      assertThat(workload.startNs(task)).isEqualTo(-1);
    }
    assertThat(senders).isEqualTo(6);
    assertThat(run.endNs[0])
        .isEqualTo(IntStream.range(1, 13).mapToLong(t -> run.endNs[t]).max().orElseThrow());
  }

  /** A reader that is 100 times slower holds its writers back once the pipe is full. */
  @Test
  void aFullPipeStopsWriters() {
    Workload workload =
        Generators.parse(
            "hackbench:groups=1,fds=1,loops=100,write=1,read=100,capacity=10,batch=10", 4);
    UnlimitedCpus run = new UnlimitedCpus(workload).run(Long.MAX_VALUE);
    int receiver = 1;
    int sender = 2;
    // The last 10 fit while the reader still has the 10 before them to read, and those 10.
    assertThat(run.endNs[receiver] - run.endNs[sender]).isBetween(900_000L, 1_100_000L);
  }

  @Test
  void defaultsAreHackbenchsOwn() {
    Workload workload = Generators.parse("hackbench:loops=1", 4);
    assertThat(workload.tasks()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soakers:start=random", "pipe", "hackbench:groups=2"})
  void theSameTextMakesTheSameWorkload(String spec) {
    Workload one = Generators.parse(spec, 8);
    Workload two = Generators.parse(spec, 8);
    assertThat(two.ops()).isEqualTo(one.ops());
    for (int op = 0; op < one.ops(); op++) {
      assertThat(two.kind(op)).isEqualTo(one.kind(op));
      assertThat(two.arg(op)).isEqualTo(one.arg(op));
      assertThat(two.ref(op)).isEqualTo(one.ref(op));
    }
    assertThat(startCpus(two)).isEqualTo(startCpus(one));
  }

  @Test
  void namesSayWhatDiffers() {
    assertThat(Generators.parse("soakers:idle=2,normal=0", 4).name())
        .isEqualTo("soakers+idle=2+normal=0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "soaker| no generator of workloads is called \"soaker\". There are soakers, pipe,"
            + " hackbench; the name of a file ends in .json.",
        "pipe:loop=1| pipe: no parameter \"loop\". There are loops, pairs, work.",
        "pipe:loops| pipe: must be K=V,K=V: \"loops\"",
        "pipe:loops=1,| pipe: must be K=V,K=V: \"\"",
        "pipe:loops=1,loops=2| pipe: parameter loops is given twice",
        "pipe:loops=x| pipe: must be a whole number: loops=x",
        "pipe:loops=0| pipe: must be within 1 to 1000000000000: loops=0",
        "pipe:work=1m| pipe: must be a whole number of us, or one with ns, us, ms or s: work=1m",
        "pipe:work=0| pipe: must be within 1ns to 31536000s: work=0",
        "pipe:work=9999999999999999s| pipe: must be within 1ns to 31536000s:"
            + " work=9999999999999999s",
        "soakers:nice=20| soakers: must be within -20 to 19: nice=20",
        "soakers:idle=0,normal=0| soakers: must have a soaker: idle=0, normal=0, heavy=0",
        "soakers:start=8| soakers: must be CPUs of the machine, 0 to 7: start=8",
        "soakers:start=here| soakers: must be fork, packed, spread, random, stuck, or CPUs like"
            + " 1+2+2: start=here",
        "soakers:start=stuck,group=3| soakers: start=stuck needs two or more groups of equal"
            + " size: 8 CPUs, group=3",
        "hackbench:groups=25000| hackbench: must be <= 1000000: tasks=1000001",
        "hackbench:groups=1,fds=10000| hackbench: needs more operations than 20000000: groups=1, fds=10000",
        "hackbench:capacity=5| hackbench: must be <= capacity, or writers would wait for ever:"
            + " batch=40",
      })
  void errorsSayWhatIsPossible(String spec, String message) {
    assertThatThrownBy(() -> Generators.parse(spec, 8))
        .isInstanceOf(WorkloadException.class)
        .hasMessage(message);
  }
}

package dev.counterbalance.whatif.rtapp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.UnlimitedCpus;
import dev.counterbalance.whatif.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What rt-app's JSON means: doc/tutorial.txt of rt-app 1.0, in times of a run that never waits. */
class RtAppTest {
  private static final long MS = 1_000_000;

  static Workload read(String json) {
    return RtApp.read("test.json", json.getBytes(StandardCharsets.UTF_8), 8);
  }

  private static Workload tasks(String tasks) {
    return read("{ \"tasks\" : {" + tasks + "} }");
  }

  private static UnlimitedCpus run(String tasks) {
    return new UnlimitedCpus(tasks(tasks)).run(1000 * MS);
  }

  @Test
  void aTaskHasDefaults() {
    Workload workload = tasks("'a' : { 'run' : 5 }".replace('\'', '"'));
    assertThat(workload.name()).isEqualTo("test");
    assertThat(workload.durationNs()).isEqualTo(-1);
    assertThat(workload.tasks()).isEqualTo(1);
    assertThat(workload.name(0)).isEqualTo("a");
    assertThat(workload.policy(0)).isEqualTo(Policy.NORMAL);
    assertThat(workload.nice(0)).isZero();
    assertThat(workload.affinity(0)).isEqualTo(-1);
    assertThat(workload.startCpu(0)).isEqualTo(-1);
    assertThat(workload.startNs(0)).isZero();
    assertThat(workload.kind(0)).isEqualTo(OpKind.RUN);
    assertThat(workload.arg(0)).isEqualTo(5000);
    assertThat(workload.kind(1)).isEqualTo(OpKind.LOOP);
    assertThat(workload.arg(1)).isEqualTo(-1);
    assertThat(workload.ops()).isEqualTo(2);
  }

  @Test
  void attributesAreTaken() {
    Workload workload =
        read(
            """
            { "tasks" : {
                "a" : { "instance" : 2, "priority" : -15, "cpus" : [1, 3], "run" : 5,
                        "counterbalance" : { "start_cpu" : [3, 1] } },
                "b" : { "policy" : "SCHED_FIFO", "run" : 5 },
                "c" : { "policy" : "SCHED_RR", "priority" : 99, "run" : 5 },
                "d" : { "policy" : "SCHED_IDLE", "run" : 5,
                        "counterbalance" : { "start_cpu" : 7 } },
                "e" : { "policy" : "SCHED_OTHER", "run" : 5 },
                "f" : { "run" : 5 } },
              "global" : { "duration" : 3, "default_policy" : "SCHED_BATCH" },
              "counterbalance" : { "name" : "mine", "description" : "what it shows" } }
            """);
    assertThat(workload.name()).isEqualTo("mine");
    assertThat(workload.description()).isEqualTo("what it shows");
    assertThat(workload.durationNs()).isEqualTo(3_000 * MS);
    assertThat(workload.tasks()).isEqualTo(7);
    assertThat(workload.nice(0)).isEqualTo(-15);
    assertThat(workload.mask(workload.affinity(0)).toString()).isEqualTo("1,3");
    assertThat(workload.startCpu(0)).isEqualTo(3);
    assertThat(workload.startCpu(1)).isEqualTo(1);
    assertThat(workload.policy(2)).isEqualTo(Policy.FIFO);
    assertThat(workload.rtPriority(2)).isEqualTo(10);
    assertThat(workload.policy(3)).isEqualTo(Policy.RR);
    assertThat(workload.rtPriority(3)).isEqualTo(99);
    assertThat(workload.policy(4)).isEqualTo(Policy.IDLE);
    assertThat(workload.startCpu(4)).isEqualTo(7);
    assertThat(workload.policy(5)).isEqualTo(Policy.NORMAL);
    assertThat(workload.policy(6)).isEqualTo(Policy.BATCH);
  }

  @Test
  void keysMayHaveSuffixes() {
    UnlimitedCpus run =
        run(
            """
            "a" : { "loop" : 1, "run0" : 1000, "sleep1" : 2000, "runtime" : 4000, "run_b" : 8000,
                    "sleep" : 16000 }
            """);
    assertThat(run.endNs).containsExactly(31 * MS);
    assertThat(run.workNs).containsExactly(13 * MS);
  }

  @Test
  void loopsOfPhasesAndTasks() {
    UnlimitedCpus run =
        run(
            """
            "a" : { "loop" : 3, "phases" : {
                "one" : { "loop" : 4, "run" : 1000 },
                "two" : { "run" : 100 } } },
            "b" : { "loop" : 7, "run" : 10 },
            "c" : { "phases" : { "one" : { "run" : 1000 } } }
            """);
    assertThat(run.workNs[0]).isEqualTo(3 * (4 * MS + MS / 10));
    assertThat(run.workNs[1]).isEqualTo(70_000);
    assertThat(run.endNs[2]).as("loops for ever").isEqualTo(-1);
  }

  @Test
  void commentsAndCommasAreTakenAsJsonCDoes() {
    assertThat(read("{ /* one */ \"tasks\" : { // two\n \"a\" : { \"run\" : 5, }, }, }").tasks())
        .isEqualTo(1);
  }

  @Test
  void delayComesFirst() {
    UnlimitedCpus run = run("\"a\" : { \"loop\" : 1, \"delay\" : 7000, \"run\" : 1000 }");
    assertThat(run.endNs).containsExactly(8 * MS);
  }

  /** The tutorial's picture: 10, 10, 20 or more, 10: "relative" forgets the overrun. */
  @Test
  void relativeTimersStartAnewWhenLate() {
    UnlimitedCpus run = new UnlimitedCpus(overrun("relative")).run(1000 * MS);
    assertThat(run.log()).containsExactly("a@0", "a@20000", "a@40000", "a@70000", "a@90000");
  }

  /** The tutorial's picture: "absolute" keeps the grid, so the next one comes early. */
  @Test
  void absoluteTimersKeepTheirGrid() {
    UnlimitedCpus run = new UnlimitedCpus(overrun("absolute")).run(1000 * MS);
    assertThat(run.log()).containsExactly("a@0", "a@20000", "a@40000", "a@70000", "a@80000");
  }

  private static Workload overrun(String mode) {
    String timer = "{ \"ref\" : \"unique\", \"period\" : 20000, \"mode\" : \"" + mode + "\" }";
    return tasks(
        "\"a\" : { \"loop\" : 1, \"phases\" : {"
            + "\"short\" : { \"loop\" : 2, \"run\" : 10000, \"timer\" : "
            + timer
            + " }, \"long\" : { \"run\" : 30000, \"timer\" : "
            + timer
            + " }, \"again\" : { \"loop\" : 2, \"run\" : 10000, \"timer\" : "
            + timer
            + " } } }");
  }

  /** rt-app.c: the first point is the start of the thread and one period, not the first use. */
  @Test
  void theGridOfATimerBeginsWithTheTask() {
    UnlimitedCpus run =
        run(
            """
            "a" : { "loop" : 1, "delay" : 100000, "phases" : { "p" : { "loop" : 3,
                "run" : 5000, "timer" : { "ref" : "unique", "period" : 19000 } } } }
            """);
    assertThat(run.log()).containsExactly("a@100000", "a@119000", "a@138000");
  }

  @Test
  void instancesShareATimerUnlessItIsUnique() {
    String task =
        """
        "a" : { "instance" : 2, "loop" : 2, "run" : 1000,
                "timer" : { "ref" : "NAME", "period" : 10000 } }
        """;
    assertThat(tasks(task.replace("NAME", "unique1")).timers()).isEqualTo(2);
    Workload shared = tasks(task.replace("NAME", "tick"));
    assertThat(shared.timers()).isEqualTo(1);
    // Each use moves the timer on: the second instance gets the point after the first's.
    assertThat(new UnlimitedCpus(shared).run(1000 * MS).log())
        .containsExactly("a@0", "a@0", "a@10000", "a@20000");
  }

  @Test
  void oneUserMakesATimerAbsolute() {
    Workload workload =
        tasks(
            """
            "a" : { "run" : 1, "timer" : { "ref" : "t", "period" : 9, "mode" : "absolute" } },
            "b" : { "run" : 1, "timer" : { "ref" : "t", "period" : 9 } }
            """);
    assertThat(kinds(workload)).contains(OpKind.TIMER).doesNotContain(OpKind.TIMER_RELATIVE);
  }

  private static List<OpKind> kinds(Workload workload) {
    return IntStream.range(0, workload.ops()).mapToObj(workload::kind).toList();
  }

  @Test
  void aMutexIsHeldByOne() {
    UnlimitedCpus run =
        run(
            """
            "a" : { "instance" : 3, "loop" : 1, "lock" : "m", "run" : 5000, "unlock" : "m" }
            """);
    assertThat(run.endNs).containsExactly(5 * MS, 10 * MS, 15 * MS);
  }

  /** pthread_cond_signal: one waiter, the first; none is kept for those who come later. */
  @Test
  void signalsWakeOneWaiterAndAreNotKept() {
    UnlimitedCpus run =
        run(
            """
            "w" : { "instance" : 3, "loop" : 1, "lock" : "m",
                    "wait" : { "ref" : "c", "mutex" : "m" }, "run" : 1000, "unlock" : "m" },
            "s" : { "loop" : 1, "sleep0" : 10000, "signal0" : "c", "sleep1" : 10000,
                    "signal1" : "c" },
            "late" : { "loop" : 1, "delay" : 30000, "lock" : "m",
                    "wait" : { "ref" : "c", "mutex" : "m" }, "unlock" : "m" }
            """);
    assertThat(run.endNs).containsExactly(11 * MS, 21 * MS, -1, 20 * MS, -1);
  }

  @Test
  void broadcastWakesAllAndTheMutexLetsOneInAtATime() {
    UnlimitedCpus run =
        run(
            """
            "w" : { "instance" : 3, "loop" : 1, "lock" : "m",
                    "wait" : { "ref" : "c", "mutex" : "m" }, "run" : 1000, "unlock" : "m" },
            "s" : { "loop" : 1, "sleep" : 10000, "lock" : "m", "broad" : "c", "unlock" : "m" }
            """);
    assertThat(run.endNs).containsExactly(11 * MS, 12 * MS, 13 * MS, 10 * MS);
  }

  /** The tutorial's picture of sync: two tasks take turns. */
  @Test
  void syncSignalsAndWaits() {
    UnlimitedCpus run =
        run(
            """
            "a" : { "loop" : 3, "sync" : { "ref" : "c", "mutex" : "m" }, "run" : 5000 },
            "b" : { "loop" : 3, "delay" : 100, "run" : 1000,
                    "sync" : { "ref" : "c", "mutex" : "m" } }
            """);
    assertThat(run.log().subList(0, 5))
        .containsExactly("b@100", "a@1100", "b@6100", "a@7100", "b@12100");
  }

  /** The tutorial's example 7, whose comment has the times. */
  @Test
  void aBarrierLetsAllGoWhenTheLastIsThere() {
    UnlimitedCpus run =
        run(
            """
            "task0" : { "loop" : 1, "run1" : 1000, "sleep1" : 2000, "barrier1" : "FIRST",
                        "run2" : 2000, "barrier2" : "SECOND", "run3" : 1000 },
            "task1" : { "loop" : 1, "run1" : 2000, "barrier1" : "FIRST",
                        "run2" : 1000, "sleep2" : 2000, "barrier2" : "SECOND", "run3" : 2000 }
            """);
    assertThat(run.log())
        .containsExactlyInAnyOrder(
            "task0@0", "task1@0", "task0@3000", "task1@3000", "task0@6000", "task1@6000");
  }

  @Test
  void aBarrierOfManyWorksAgainAndAgain() {
    UnlimitedCpus run =
        run(
            """
            "fast" : { "instance" : 3, "loop" : 4, "run" : 1000, "barrier" : "B" },
            "slow" : { "instance" : 2, "loop" : 4, "run" : 7000, "barrier" : "B" }
            """);
    assertThat(run.endNs).containsOnly(28 * MS);
  }

  /** The tutorial's example 4: whoever is resumed runs 10 ms, resumes the other, suspends. */
  @Test
  void resumeWakesWhoIsSuspended() {
    UnlimitedCpus run =
        run(
            """
            "thread0" : { "run" : 10000, "resume" : "thread1", "suspend" : "" },
            "thread1" : { "delay" : 1000, "run" : 10000, "resume" : "thread0",
                          "suspend" : "thread1" }
            """);
    assertThat(run.log().subList(0, 6))
        .containsExactly(
            "thread0@0",
            "thread1@1000",
            "thread0@11000",
            "thread1@21000",
            "thread0@31000",
            "thread1@41000");
  }

  @Test
  void semaphoresKeepTheirTokens() {
    UnlimitedCpus run =
        run(
            """
            "p" : { "loop" : 1, "sem_post0" : "s", "sem_post1" : "s", "run" : 1 },
            "w" : { "loop" : 1, "delay" : 5000, "sem_wait0" : "s", "sem_wait1" : "s", "run" : 1 }
            """);
    assertThat(run.endNs[1]).isEqualTo(5_001_000);
  }

  @Test
  void forksStartAThreadEachTime() {
    Workload workload =
        tasks(
            """
            "parent" : { "loop" : 2, "phases" : {
                "p" : { "loop" : 3, "run" : 1000, "fork" : "child", "yield" : "" },
                "q" : { "run" : 1000 } } },
            "child" : { "instance" : 0, "loop" : 1, "run" : 500, "fork" : "grandchild" },
            "grandchild" : { "loop" : 1, "run" : 100 }
            """);
    assertThat(workload.tasks()).isEqualTo(2 + 6 + 6);
    UnlimitedCpus run = new UnlimitedCpus(workload).run(1000 * MS);
    assertThat(run.endNs[0]).isEqualTo(8 * MS);
    assertThat(run.endNs[1]).isEqualTo(MS / 10);
    assertThat(run.endNs).doesNotContain(-1);
    assertThat(run.log())
        .contains("child@1000", "child@2000", "child@3000", "child@5000", "grandchild@7500");
  }

  @Test
  void phasesMayHaveTheirOwnAffinity() {
    Workload workload =
        tasks(
            """
            "a" : { "cpus" : [2], "phases" : {
                "one" : { "cpus" : [0], "run" : 1500 },
                "two" : { "cpus" : [1], "run" : 1500 },
                "three" : { "run" : 1500 } } }
            """);
    assertThat(workload.mask(workload.affinity(0)).toString()).isEqualTo("0");
    List<String> affinities =
        IntStream.range(0, workload.ops())
            .filter(op -> workload.kind(op) == OpKind.AFFINITY)
            .mapToObj(op -> workload.mask(workload.ref(op)).toString())
            .toList();
    assertThat(affinities).containsExactly("0", "1", "2");
  }

  @Test
  void actionsComeFromOutside() {
    Workload workload =
        read(
            """
            { "tasks" : { "a" : { "run" : 1 }, "b" : { "instance" : 2, "run" : 1 } },
              "counterbalance" : { "actions" : [
                { "at" : 9, "task" : "b", "cpus" : [1] },
                { "at" : 8, "task" : "a", "cpus" : "all" },
                { "at" : 7, "task" : "b", "policy" : "SCHED_RR" },
                { "at" : 6, "task" : "a", "priority" : 5 },
                { "at" : 5, "cpu_off" : 3 }, { "at" : 10, "cpu_on" : 3 } ] } }
            """);
    Workload.Action.Kind affinity = Workload.Action.Kind.AFFINITY;
    Workload.Action.Kind priority = Workload.Action.Kind.PRIORITY;
    assertThat(workload.actions())
        .containsExactly(
            new Workload.Action(5000, Workload.Action.Kind.CPU_OFF, -1, 3, 0),
            new Workload.Action(6000, priority, 0, Policy.NORMAL.ordinal(), 5),
            new Workload.Action(7000, priority, 1, Policy.RR.ordinal(), 10),
            new Workload.Action(7000, priority, 2, Policy.RR.ordinal(), 10),
            new Workload.Action(8000, affinity, 0, -1, 0),
            new Workload.Action(9000, affinity, 1, 0, 0),
            new Workload.Action(9000, affinity, 2, 0, 0),
            new Workload.Action(10_000, Workload.Action.Kind.CPU_ON, -1, 3, 0));
    assertThat(workload.mask(0).toString()).isEqualTo("1");
  }
}

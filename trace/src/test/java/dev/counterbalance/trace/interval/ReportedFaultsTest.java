package dev.counterbalance.trace.interval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.interval.Sequence.Slice;
import dev.counterbalance.trace.interval.Sequence.Wait;
import org.junit.jupiter.api.Test;

/**
 * Faults that other tools were reported for, as event sequences; the right answers were written
 * down with the cases, not taken from this code. Times are microseconds.
 */
class ReportedFaultsTest {

  @Test
  void eachCpuHasAnIdleTaskOfItsOwn() {
    Sequence s =
        Sequence.withWakeup()
            .run(100, 0, "idle", "R", "alpha:501")
            .run(90, 1, "idle", "R", "beta:502")
            .run(200, 0, "alpha:501", "S", "idle")
            .run(150, 1, "beta:502", "S", "idle")
            .wakeup(205, 0, "alpha:501", 0)
            .run(210, 0, "idle", "R", "alpha:501")
            .run(300, 0, "alpha:501", "S", "idle")
            .end(300);

    assertThat(s.wakeupLatencies(s.utid(501))).containsExactly(5.0);
    assertThat(s.waits).noneMatch(w -> s.tasks.isIdle(w.utid()));
    assertThat(s.idleUs(0)).isEqualTo(10);
    assertThat(s.idleUs(1)).isEqualTo(150);
    assertThat(s.slices)
        .filteredOn(slice -> slice.cpu() == 1 && slice.end().equals("END"))
        .singleElement()
        .matches(Slice::censored);
  }

  @Test
  void eventsOfSeveralCpusInTimeOrderGiveTheTrueLatencies() {
    Sequence s =
        Sequence.withWakeup()
            .run(900, 0, "idle", "R", "panel:701")
            .run(928, 0, "panel:701", "S", "idle")
            .wakeup(860, 1, "panel:701", 0)
            .wakeup(9_098_252, 1, "panel:701", 0)
            .run(9_100_353, 0, "rec:703", "S", "panel:701")
            .end(9_100_353);

    assertThat(s.wakeupLatencies(s.utid(701))).containsExactly(40.0, 2101.0);
  }

  @Test
  void noIntervalSpansLostEvents() {
    Sequence s =
        Sequence.withWakeup()
            .wakeup(100, 0, "svc:802", 1)
            .run(110, 1, "idle", "R", "svc:802")
            .run(200, 1, "svc:802", "S", "idle")
            .lossBegin(200, 1)
            .wakeup(300, 0, "svc:802", 1)
            .lossEnd(880_000, 1, 0)
            .run(880_000, 1, "idle", "R", "svc:802")
            .run(880_100, 1, "svc:802", "S", "idle")
            .wakeup(881_000, 0, "svc:802", 1)
            .run(881_030, 1, "idle", "R", "svc:802")
            .end(881_030);
    int svc = s.utid(802);

    assertThat(s.wakeupLatencies(svc)).containsExactly(10.0, 30.0);
    assertThat(s.waits)
        .filteredOn(Wait::suspect)
        .filteredOn(w -> w.state().equals("R"))
        .singleElement()
        .matches(w -> w.ts() == 300_000 && w.dur() == 0 && w.censored());
    assertThat(s.slices).noneMatch(x -> x.ts() < 200_000 && x.ts() + x.dur() > 200_000);
    assertThat(s.waits).noneMatch(w -> w.ts() < 200_000 && w.ts() + w.dur() > 200_000);
  }

  @Test
  void aCpuIsUnknownOutsideItsOwnWindow() {
    Sequence s =
        Sequence.withWakeup()
            .start(0, 0, 0)
            .run(0, 0, "idle", "R", "m:11")
            .run(4000, 0, "m:11", "S", "idle")
            .run(5000, 0, "idle", "R", "m:11")
            .start(5200, 1, 0)
            .run(5200, 1, "idle", "R", "n:12")
            .run(6200, 1, "n:12", "S", "idle")
            .run(7000, 0, "m:11", "S", "idle")
            .run(9000, 1, "idle", "R", "n:12")
            .end(9000);

    assertThat(s.slices).filteredOn(x -> x.cpu() == 1).allMatch(x -> x.ts() >= 5_200_000);
    // In the window both CPUs share, 5200 to 7000: CPU 0 never idle, CPU 1 from 6200 on.
    assertThat(idleWithin(s, 0, 5200, 7000)).isZero();
    assertThat(idleWithin(s, 1, 5200, 7000)).isEqualTo(800);
    assertThat(s.queues).filteredOn(q -> q.ts() < 5_200_000).allMatch(q -> q.cpu() == 0);
  }

  @Test
  void aMigrationThatWasNotRecordedIsInferredOnce() {
    Sequence s =
        Sequence.withWakeup()
            .run(100, 0, "idle", "R", "t:21")
            .run(200, 0, "t:21", "S", "idle")
            .start(0, 1, 22)
            .wakeup(300, 1, "t:21", 1)
            .run(350, 1, "x:22", "S", "t:21")
            .run(400, 1, "t:21", "R+", "x:22")
            .migrate(450, 0, "t:21", 0)
            .run(470, 0, "idle", "R", "t:21")
            .end(470);

    // 0 to 1 by the wakeup's target; 1 to 0 by the recorded event.
    assertThat(s.slices)
        .filteredOn(x -> x.utid() == s.utid(21))
        .extracting(Slice::cpu)
        .containsExactly(0, 1, 0);
    assertThat(s.waits)
        .filteredOn(w -> w.state().startsWith("R") && w.utid() == s.utid(21))
        .extracting(Wait::source, Wait::cpu, Wait::dur)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("WAKEUP", 1, 50_000L),
            org.assertj.core.groups.Tuple.tuple("SWITCH_OUT", 1, 70_000L));
    assertThat(s.builder.anomalies().count("inferred_migration")).isEqualTo(1);
  }

  @Test
  void intervalsOpenAtTheEndCountToTheEndAndAreMarked() {
    Sequence s =
        Sequence.withWakeup()
            .run(0, 0, "idle", "R", "cond:31")
            .run(100_000, 0, "cond:31", "S", "idle")
            .run(200_000, 1, "idle", "R", "spin:32")
            .wakeup(10_000_000, 0, "other:33", 0)
            .run(10_000_010, 0, "idle", "R", "other:33")
            .end(10_000_010);

    assertThat(s.runUs(s.utid(31))).isEqualTo(100_000);
    assertThat(s.runUs(s.utid(32))).isEqualTo(9_800_010);
    assertThat(s.runUs(s.utid(33))).isZero();
    assertThat(s.waits)
        .filteredOn(w -> w.utid() == s.utid(31))
        .singleElement()
        .matches(w -> w.dur() == 9_900_010_000L && w.censored() && !w.suspect());
    assertThat(s.slices)
        .filteredOn(Slice::censored)
        .filteredOn(x -> x.end().equals("END"))
        .extracting(Slice::utid)
        .contains(s.utid(32), s.utid(33));
  }

  @Test
  void aRenamedTaskStaysOneTask() {
    Sequence s =
        Sequence.withWakeup()
            .run(0, 0, "idle", "R", "bash:41")
            .rename(1000, "make:41")
            .run(2000, 0, "make:41", "S", "idle")
            .run(3000, 0, "idle", "R", "make:41")
            .run(3500, 0, "cc1 -O2:41", "S", "idle")
            .run(10_000, 0, "idle", "R", "z:42")
            .end(10_000);
    int task = s.utid(41);

    assertThat(s.names.get(task)).containsExactly("bash", "make", "cc1 -O2");
    assertThat(s.runUs(task)).isEqualTo(2500);
    assertThat(s.slices).extracting(Slice::utid).filteredOn(u -> s.tasks.tid(u) == 41).hasSize(2);
  }

  @Test
  void aTidUsedAgainIsAnotherTask() {
    Sequence s =
        Sequence.withWakeup()
            .fork(0, 51)
            .wakeupNew(10, 0, "sh:51", 1)
            .run(30, 1, "idle", "R", "one:51")
            .run(1050, 1, "one:51", "Z", "idle")
            .fork(500_000, 51)
            .wakeupNew(500_010, 0, "sh:51", 0)
            .start(0, 0, 50)
            .run(500_200, 0, "sh:50", "S", "two:51")
            .run(500_900, 0, "two:51", "S", "idle")
            .end(500_900);
    int second = s.utid(51);
    int first =
        java.util.stream.IntStream.range(0, second)
            .filter(u -> s.tasks.tid(u) == 51)
            .findFirst()
            .orElseThrow();

    assertThat(s.runUs(first)).isEqualTo(1020);
    assertThat(s.wakeupLatencies(first)).containsExactly(20.0);
    assertThat(s.runUs(second)).isEqualTo(700);
    assertThat(s.wakeupLatencies(second)).containsExactly(190.0);
    assertThat(s.names.get(first)).containsExactly("sh", "one");
    assertThat(s.names.get(second)).containsExactly("sh", "two");
    assertThat(s.tasks.end(first)).isEqualTo(1_050_000);
    assertThat(s.waits).allMatch(w -> w.dur() < 1_000_000);
  }

  @Test
  void aPlaceholderIsNeverAName() {
    Sequence s =
        Sequence.withWakeup()
            .wakeup(100, 0, "logd:62", 1)
            .run(150, 1, "<...>:61", "R", "logd:62")
            .run(300, 1, "logd:62", "S", "<...>:61")
            .run(400, 1, "netd:61", "S", "idle")
            .end(400);

    assertThat(s.names.get(s.utid(61))).containsExactly("netd");
    assertThat(s.names.get(s.utid(62))).containsExactly("logd");
  }

  @Test
  void cpuNumbersAreKept() {
    Sequence s =
        Sequence.withWakeup()
            .run(0, 0, "idle", "R", "p:71")
            .run(1000, 0, "p:71", "S", "idle")
            .run(500, 3, "idle", "R", "q:72")
            .run(1500, 3, "q:72", "S", "idle")
            .end(1500);

    assertThat(s.slices).extracting(Slice::cpu).containsOnly(0, 3);
    assertThat(s.queues).extracting(Sequence.Queue::cpu).containsOnly(0, 3);
  }

  @Test
  void workWaitsWhileACpuIdles() {
    Sequence s =
        Sequence.withWakeup()
            .start(0, 2, 0)
            .start(0, 3, 81)
            .run(0, 2, "idle", "R", "busy:80")
            .run(100, 2, "busy:80", "S", "idle")
            .wakeup(200, 3, "rt0:82", 3)
            .run(218, 3, "cfs1:81", "R", "rt0:82")
            .wakeup(100_000, 3, "busy:80", 2)
            .run(100_010, 2, "idle", "R", "busy:80")
            .run(332_000, 2, "busy:80", "S", "idle")
            .migrate(332_307, 2, "cfs1:81", 2)
            .run(332_320, 2, "idle", "R", "cfs1:81")
            .run(332_400, 3, "rt0:82", "S", "idle")
            .end(332_400);
    int waiter = s.utid(81);

    assertThat(s.waits)
        .filteredOn(w -> w.utid() == waiter)
        .singleElement()
        .matches(w -> w.ts() == 218_000 && w.dur() == 332_102_000L && w.cpu() == 3);
    // CPU 2 idles without a waiter of its own while 81 waits on CPU 3, from 218 to its wake at
    // 100000 and from 332000 until 81 is moved to it at 332307.
    long idleWhileWaiting =
        s.queues.stream()
            .filter(q -> q.mIdle() > 0 && q.mOverloaded() > 0)
            .mapToLong(Sequence.Queue::mDur)
            .sum();
    // rt0 waits from 200 to 218 on CPU 3 beside idle CPU 2, too.
    assertThat(idleWhileWaiting).isEqualTo((100_000 - 200 + 332_307 - 332_000) * 1000L);
  }

  @Test
  void aFirstRunOfUnknownStartHasNoLength() {
    Sequence s =
        Sequence.withWakeup()
            .run(231, 0, "rec:91", "R+", "migration/0:15")
            .run(235, 0, "migration/0:15", "S", "rec:91")
            .run(300, 0, "rec:91", "S", "idle")
            .end(300);

    assertThat(s.runUs(s.utid(15))).isEqualTo(4);
    assertThat(s.runUs(s.utid(91))).isEqualTo(65);
    assertThat(s.slices.get(0)).matches(x -> x.dur() == 0 && x.censored());
  }

  @Test
  void aRecorderThatWalksOverTheCpusEndsTheirWindows() {
    Sequence s =
        Sequence.withWakeup()
            .start(0, 0, 0)
            .start(0, 1, 0)
            .run(100, 0, "idle", "R", "perf:9")
            // CPU 0 is switched off here; perf goes on to CPU 1, whose last event this is.
            .run(150, 1, "idle", "R", "perf:9")
            .end(400);

    assertThat(s.runUs(s.utid(9))).isEqualTo(50 + 250);
    assertThat(s.builder.windowEnd(0, 400_000)).isEqualTo(150_000);
    assertThat(s.builder.windowEnd(1, 400_000)).isEqualTo(400_000);
    assertThat(s.builder.anomalies().problems()).isEmpty();
    // Only CPU 1 is known from 150 on, and it runs a task.
    assertThat(s.queues)
        .filteredOn(q -> q.ts() == 150_000 && q.mDur() > 0)
        .allMatch(q -> q.mRunning() == 1 && q.mIdle() == 0);
  }

  @Test
  void timeAfterTheLastSignOfATaskThatLeftUnseenIsNotKnown() {
    Sequence s =
        Sequence.withWakeup()
            .start(0, 0, 1)
            .run(100, 0, "a:1", "S", "idle")
            .current(150, 0, "idle")
            // Idle's switch-out was not recorded: b shows up at 300, and leaves at 400.
            .current(300, 0, "b:2")
            .run(400, 0, "b:2", "S", "c:3")
            // So was c's: the next switch names d.
            .run(900, 0, "d:4", "S", "idle")
            .end(1000);

    assertThat(s.idleUs(0)).isEqualTo(50 + 100);
    assertThat(s.runUs(s.utid(2))).isEqualTo(100);
    assertThat(s.runUs(s.utid(3))).isZero();
    assertThat(s.runUs(s.utid(4))).isZero();
    assertThat(s.unknown)
        .containsExactly(new long[] {0, 150_000, 150_000}, new long[] {0, 400_000, 500_000});
    assertThat(s.builder.anomalies().count("mismatched_switch")).isEqualTo(2);
  }

  @Test
  void clocksThatDisagreeCutNoSlice() {
    Sequence s =
        Sequence.withWakeup()
            .start(0, 0, 0)
            .start(0, 1, 0)
            .run(100, 0, "idle", "R", "t:7")
            .run(200, 1, "idle", "R", "t:7")
            // By CPU 0's clock it left only now.
            .run(203, 0, "t:7", "S", "idle")
            .run(300, 1, "t:7", "S", "idle")
            .end(300);

    assertThat(s.slices)
        .filteredOn(x -> x.utid() == s.utid(7))
        .extracting(Slice::cpu, Slice::dur, Slice::end, Slice::censored)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, 103_000L, "SWITCH", false),
            org.assertj.core.groups.Tuple.tuple(1, 100_000L, "SWITCH", false));
    assertThat(s.builder.anomalies().count("ran_on_two_cpus")).isEqualTo(1);
    assertThat(s.waits).noneMatch(w -> w.dur() > 0);
  }

  private static long idleWithin(Sequence s, int cpu, long fromUs, long toUs) {
    return s.slices.stream()
            .filter(x -> x.cpu() == cpu && s.tasks.isIdle(x.utid()))
            .mapToLong(
                x ->
                    Math.max(
                        0,
                        Math.min(x.ts() + x.dur(), toUs * 1000) - Math.max(x.ts(), fromUs * 1000)))
            .sum()
        / 1000;
  }
}

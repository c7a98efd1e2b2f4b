package dev.counterbalance.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.analysis.RandomSchedule.Slice;
import dev.counterbalance.analysis.RandomSchedule.Wait;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The sweeps against a count tick by tick over random schedules. */
class RandomScheduleTest {
  private static final int ROUNDS = 30;

  private static long seed() {
    String seed = System.getProperty("seed", "");
    return seed.isEmpty() ? System.nanoTime() : Long.parseLong(seed);
  }

  @Test
  void sweepsAgreeWithACountTickByTick() throws SQLException {
    long seed = seed();
    SplittableRandom random = new SplittableRandom(seed);
    try (Connection connection = TestStore.empty()) {
      for (int round = 0; round < ROUNDS; round++) {
        String what = "-Dseed=" + seed + " round " + round;
        TestStore.execute(connection, "BEGIN");
        check(connection, new RandomSchedule(random.nextLong()), random, what);
        TestStore.execute(connection, "ROLLBACK");
      }
    }
  }

  private static void check(
      Connection connection, RandomSchedule schedule, SplittableRandom random, String what)
      throws SQLException {
    int grace = 1 + random.nextInt(8);
    int since = random.nextInt(RandomSchedule.TICKS / 2);
    int until = since + 1 + random.nextInt(RandomSchedule.TICKS / 2);
    schedule.store(connection);
    String call =
        "(trace := 1, since := %d, until := %d, grace := %d)".formatted(since, until, grace);
    assertThat(
            TestStore.csv(
                connection, "SELECT definition, ns, of_ns FROM idle_while_waiting" + call))
        .as(what + call)
        .isEqualTo(idleWhileWaiting(schedule, since, until, grace));
    assertThat(
            TestStore.csv(
                connection, "SELECT ts, dur, idle_cpu, waiting_utid FROM idle_episode" + call))
        .as(what + call)
        .containsExactlyInAnyOrderElementsOf(episodes(schedule, since, until, grace));
  }

  private static List<String> idleWhileWaiting(RandomSchedule s, int since, int until, int grace) {
    long window = 0;
    long[] sums = new long[4];
    for (int tick = since; tick < until; tick++) {
      if (s.lost[tick]) {
        continue;
      }
      window++;
      int idle = 0;
      int overloaded = 0;
      int waiters = 0;
      for (int cpu = 0; cpu < RandomSchedule.CPUS; cpu++) {
        idle += s.isIdle(tick, cpu) ? 1 : 0;
        if (s.running[tick][cpu] >= 0 && s.waiting[tick][cpu] > 0) {
          overloaded++;
          waiters += s.waiting[tick][cpu];
        }
      }
      sums[0] += idle > 0 && overloaded > 0 ? 1 : 0;
      sums[1] += Math.min(idle, overloaded);
      sums[2] += Math.min(idle, waiters);
      sums[3] += Math.min(idle, allowedWaiters(s, tick, grace));
    }
    return List.of(
        "definition,ns,of_ns",
        "wall," + sums[0] + "," + window,
        "per_cpu," + sums[1] + "," + window * RandomSchedule.CPUS,
        "per_thread," + sums[2] + "," + window * RandomSchedule.CPUS,
        "allowed," + sums[3] + "," + window * RandomSchedule.CPUS);
  }

  private static int allowedWaiters(RandomSchedule s, int tick, int grace) {
    int waiters = 0;
    for (Wait wait : s.waits) {
      if (!wait.suspect()
          && wait.ts() + grace <= tick
          && tick < wait.te()
          && s.running[tick][wait.cpu()] >= 0) {
        boolean allowed = false;
        for (int cpu = 0; cpu < RandomSchedule.CPUS; cpu++) {
          allowed |= s.isIdle(tick, cpu) && s.allows(wait.task(), cpu);
        }
        waiters += allowed ? 1 : 0;
      }
    }
    return waiters;
  }

  private static List<String> episodes(RandomSchedule s, int since, int until, int grace) {
    List<String> rows = new ArrayList<>();
    for (Wait wait : s.waits) {
      if (!wait.suspect() && wait.te() - wait.ts() > grace && besideIdle(s, wait)) {
        rows.addAll(episodesOf(s, wait, since, until));
      }
    }
    rows.add(0, "ts,dur,idle_cpu,waiting_utid");
    return rows;
  }

  /** True if at some time of the wait some CPU was idle and some task waited on a busy one. */
  private static boolean besideIdle(RandomSchedule s, Wait wait) {
    for (int tick = wait.ts(); tick < wait.te(); tick++) {
      boolean idle = false;
      boolean overloaded = false;
      for (int cpu = 0; cpu < RandomSchedule.CPUS; cpu++) {
        idle |= s.isIdle(tick, cpu);
        overloaded |= s.running[tick][cpu] >= 0 && s.waiting[tick][cpu] > 0;
      }
      if (idle && overloaded) {
        return true;
      }
    }
    return false;
  }

  private static List<String> episodesOf(RandomSchedule s, Wait wait, int since, int until) {
    List<int[]> found = new ArrayList<>();
    for (Slice slice : s.slices) {
      int ts = Math.max(since, Math.max(slice.ts(), wait.ts()));
      int te = Math.min(until, Math.min(slice.te(), wait.te()));
      if (slice.task() < 0
          && slice.cpu() != wait.cpu()
          && s.allows(wait.task(), slice.cpu())
          && ts < te) {
        found.add(new int[] {ts, te, slice.cpu()});
      }
    }
    List<String> rows = new ArrayList<>();
    for (int[] one : found) {
      boolean within = false;
      for (int[] other : found) {
        boolean same = other[0] == one[0] && other[1] == one[1];
        within |=
            other != one
                && other[0] <= one[0]
                && other[1] >= one[1]
                && (!same || other[2] < one[2]);
      }
      if (!within) {
        rows.add("%d,%d,%d,%d".formatted(one[0], one[1] - one[0], one[2], wait.task()));
      }
    }
    return rows;
  }
}

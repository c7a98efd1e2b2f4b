package dev.counterbalance.trace.interval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.interval.Sequence.Queue;
import dev.counterbalance.trace.interval.Sequence.Slice;
import dev.counterbalance.trace.interval.Sequence.Wait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A toy scheduler decides at random who runs where and writes down, as it goes, which slices and
 * waits that makes; the builder must find the same from the events alone. Repeat a run with {@code
 * -Dseed=N}.
 */
class RandomScheduleTest {
  private static final int RUNS = 150;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theBuilderFindsWhatTheSchedulerDid(boolean hasWakeup) {
    for (long seed : seeds()) {
      Toy toy = new Toy(new SplittableRandom(seed), hasWakeup);
      toy.run(400);

      assertThat(toy.sequence.slices)
          .as("slices, seed %d", seed)
          .filteredOn(s -> !s.censored())
          .extracting(s -> s.ts() + "+" + s.dur() + " " + s.cpu() + " " + tid(toy, s.utid()))
          .containsExactlyInAnyOrderElementsOf(toy.slices);
      assertThat(toy.sequence.waits)
          .as("waits, seed %d", seed)
          .filteredOn(w -> !w.censored())
          .extracting(w -> w.ts() + "+" + w.dur() + " " + tid(toy, w.utid()) + " " + w.state())
          .containsExactlyInAnyOrderElementsOf(toy.waits);
      assertThat(toy.sequence.waits).as("suspect, seed %d", seed).noneMatch(Wait::suspect);
      assertThat(toy.sequence.builder.anomalies().problems()).as("seed %d", seed).isEmpty();
      checkQueues(toy, seed);
      checkShapes(toy.sequence, seed);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lossesNeverMakeAnIntervalSpanThemOrOverlap(boolean hasWakeup) {
    for (long seed : seeds()) {
      SplittableRandom random = new SplittableRandom(seed);
      Toy toy = new Toy(random, hasWakeup);
      toy.lossy = true;
      toy.run(400);
      checkShapes(toy.sequence, seed);
      for (long[] gap : toy.gaps) {
        assertThat(toy.sequence.slices)
            .as("slices over gap %s, seed %d", Arrays.toString(gap), seed)
            .noneMatch(s -> s.cpu() == gap[0] && s.ts() < gap[2] && s.ts() + s.dur() > gap[1]);
        assertThat(toy.sequence.waits)
            .as("waits over gap %s, seed %d", Arrays.toString(gap), seed)
            .filteredOn(w -> !w.suspect())
            .noneMatch(
                w ->
                    w.cpu() == gap[0]
                        && w.ts() < gap[1]
                        && w.ts() + w.dur() > gap[1]
                        && !toy.movedAway(tid(toy, w.utid()), w.ts(), gap[1]));
      }
    }
  }

  private static long[] seeds() {
    String wanted = System.getProperty("seed", "");
    return wanted.isEmpty()
        ? IntStream.range(0, RUNS).mapToLong(i -> i).toArray()
        : new long[] {Long.parseLong(wanted)};
  }

  private static int tid(Toy toy, int utid) {
    return toy.sequence.tasks.tid(utid);
  }

  /** Machine counts at every moment, against a count over all slices and waits. */
  private static void checkQueues(Toy toy, long seed) {
    Sequence s = toy.sequence;
    List<Queue> changes =
        s.queues.stream()
            .filter(q -> q.mDur() > 0)
            .sorted(Comparator.comparing(Queue::ts))
            .toList();
    long covered = changes.stream().mapToLong(Queue::mDur).sum();
    assertThat(covered).as("sum of m_dur, seed %d", seed).isEqualTo(toy.endNs);
    for (Queue q : changes) {
      long t = q.ts();
      long busy =
          s.slices.stream()
              .filter(x -> x.ts() <= t && t < x.ts() + x.dur() && !s.tasks.isIdle(x.utid()))
              .count();
      int[] waiting = new int[toy.cpuCount];
      int total = 0;
      for (Map.Entry<Integer, Integer> e : toy.waitingAt(t).entrySet()) {
        waiting[e.getKey()] = e.getValue();
        total += e.getValue();
      }
      int idle = 0;
      int overloaded = 0;
      int waiters = 0;
      for (int cpu = 0; cpu < toy.cpuCount; cpu++) {
        int c = cpu;
        boolean runs =
            s.slices.stream()
                .anyMatch(
                    x ->
                        x.cpu() == c
                            && x.ts() <= t
                            && t < x.ts() + x.dur()
                            && !s.tasks.isIdle(x.utid()));
        idle += !runs && waiting[cpu] == 0 ? 1 : 0;
        overloaded += runs && waiting[cpu] > 0 ? 1 : 0;
        waiters += runs ? waiting[cpu] : 0;
      }
      assertThat(new long[] {q.mRunning(), q.mWaiting(), q.mIdle(), q.mOverloaded()})
          .as("counts at %d, seed %d", t, seed)
          .containsExactly(busy + total, waiters, idle, overloaded);
    }
  }

  private static void checkShapes(Sequence s, long seed) {
    Map<String, Long> endOf = new HashMap<>();
    List<Slice> slices = new ArrayList<>(s.slices);
    slices.sort(Comparator.comparing(Slice::ts).thenComparing(x -> x.ts() + x.dur()));
    for (Slice x : slices) {
      assertThat(x.dur()).as("seed %d", seed).isNotNegative();
      Long before = endOf.put("cpu" + x.cpu(), x.ts() + x.dur());
      assertThat(before == null || before <= x.ts()).as("overlap at %s, seed %d", x, seed).isTrue();
    }
    List<long[]> ofTask = new ArrayList<>();
    for (Slice x : s.slices) {
      if (!s.tasks.isIdle(x.utid())) {
        ofTask.add(new long[] {x.utid(), x.ts(), x.ts() + x.dur()});
      }
    }
    for (Wait w : s.waits) {
      assertThat(w.dur()).as("seed %d, %s", seed, w).isNotNegative();
      ofTask.add(new long[] {w.utid(), w.ts(), w.ts() + w.dur()});
    }
    ofTask.sort(
        Comparator.<long[]>comparingLong(a -> a[0])
            .thenComparingLong(a -> a[1])
            .thenComparingLong(a -> a[2]));
    for (int i = 1; i < ofTask.size(); i++) {
      long[] a = ofTask.get(i - 1);
      long[] b = ofTask.get(i);
      assertThat(a[0] != b[0] || a[2] <= b[1])
          .as(
              "task %d in two states: %s %s, seed %d",
              a[0], Arrays.toString(a), Arrays.toString(b), seed)
          .isTrue();
    }
  }

  /** Decides, writes down the truth, and tells the events. */
  private static final class Toy {
    final SplittableRandom random;
    final boolean hasWakeup;
    final int cpuCount;
    final int taskCount;
    final Sequence sequence;
    final List<String> slices = new ArrayList<>();
    final List<String> waits = new ArrayList<>();
    final List<long[]> gaps = new ArrayList<>();
    final int[] running;
    final long[] since;
    final char[] state;
    final long[] stateSince;
    final int[] queuedOn;
    final List<long[]> queued = new ArrayList<>();
    final long[] lossUntil;
    boolean lossy;
    long now;
    long endNs;

    Toy(SplittableRandom random, boolean hasWakeup) {
      this.random = random;
      this.hasWakeup = hasWakeup;
      cpuCount = random.nextInt(1, 6);
      taskCount = random.nextInt(1, 20);
      sequence = hasWakeup ? Sequence.withWakeup() : Sequence.withWakingOnly();
      running = new int[cpuCount];
      since = new long[cpuCount];
      lossUntil = new long[cpuCount];
      Arrays.fill(since, -1);
      state = new char[taskCount + 1];
      stateSince = new long[taskCount + 1];
      queuedOn = new int[taskCount + 1];
      Arrays.fill(state, '?');
    }

    void run(int steps) {
      for (int cpu = 0; cpu < cpuCount; cpu++) {
        sequence.start(0, cpu, 0);
      }
      for (int i = 0; i < steps; i++) {
        now += random.nextInt(1, 50);
        step(random.nextInt(cpuCount));
      }
      now += 10;
      for (int cpu = 0; cpu < cpuCount; cpu++) {
        if (lossUntil[cpu] > 0) {
          endLoss(cpu);
        }
      }
      endNs = now * 1000;
      sequence.end(now);
    }

    private void step(int cpu) {
      if (lossUntil[cpu] > 0 && now >= lossUntil[cpu]) {
        endLoss(cpu);
      } else if (lossy && lossUntil[cpu] == 0 && random.nextInt(30) == 0) {
        sequence.lossBegin(now, cpu);
        gaps.add(new long[] {cpu, now * 1000, Long.MAX_VALUE});
        lossUntil[cpu] = now + random.nextInt(1, 200);
        now++;
      }
      switch (random.nextInt(4)) {
        case 0 -> wake(cpu);
        case 1 -> pull(cpu);
        default -> reschedule(cpu);
      }
    }

    private void endLoss(int cpu) {
      sequence.lossEnd(now, cpu, running[cpu]);
      gaps.get(lastGap(cpu))[2] = now * 1000;
      lossUntil[cpu] = 0;
      now++;
    }

    private int lastGap(int cpu) {
      for (int i = gaps.size() - 1; ; i--) {
        if (gaps.get(i)[0] == cpu) {
          return i;
        }
      }
    }

    private void wake(int cpu) {
      int task = random.nextInt(1, taskCount + 1);
      if (state[task] != '?' && state[task] != 'S' && state[task] != 'D') {
        return;
      }
      boolean seen = lossUntil[cpu] == 0;
      int last = queuedOn[task];
      int target = random.nextInt(cpuCount);
      if (seen) {
        sequence.waking(now, cpu, name(task), last);
      }
      long waking = now;
      now++;
      if (target != last && seen) {
        sequence.migrate(now, cpu, name(task), target);
      }
      if (!hasWakeup && target != last) {
        queued.add(new long[] {last, waking * 1000, now * 1000});
      }
      now++;
      if (hasWakeup && seen) {
        sequence.wakeup(now, cpu, name(task), target);
      }
      long runnable = hasWakeup ? now : waking;
      if (state[task] != '?') {
        waits.add(text(stateSince[task], runnable, task, String.valueOf(state[task])));
      }
      state[task] = 'W';
      stateSince[task] = runnable;
      queuedOn[task] = target;
      queueSince(task, !hasWakeup && target != last ? now - 1 : runnable);
      now++;
    }

    private final Map<Integer, Long> onQueueSince = new HashMap<>();

    private void queueSince(int task, long us) {
      onQueueSince.put(task, us * 1000);
    }

    private void leaveQueue(int task) {
      queued.add(new long[] {queuedOn[task], onQueueSince.remove(task), now * 1000});
    }

    /** Machine-wide waiters per CPU at a time, from the toy's own books. */
    Map<Integer, Integer> waitingAt(long ts) {
      Map<Integer, Integer> count = new HashMap<>();
      for (long[] q : queued) {
        if (q[1] <= ts && ts < q[2]) {
          count.merge((int) q[0], 1, Integer::sum);
        }
      }
      onQueueSince.forEach(
          (task, from) -> {
            if (from <= ts) {
              count.merge(queuedOn[task], 1, Integer::sum);
            }
          });
      return count;
    }

    private final List<long[]> moves = new ArrayList<>();

    /** Whether a recorded migration took the task off its queue between two times. */
    boolean movedAway(int task, long from, long to) {
      return moves.stream().anyMatch(m -> m[0] == task && m[1] >= from && m[1] <= to);
    }

    private void pull(int cpu) {
      int task = random.nextInt(1, taskCount + 1);
      if ((state[task] == 'W' || state[task] == 'P') && queuedOn[task] != cpu) {
        // An event in between, so that this is no placement of a wake.
        reschedule(cpu);
        if (state[task] != 'W' && state[task] != 'P') {
          return;
        }
        now++;
        if (lossUntil[cpu] == 0) {
          sequence.migrate(now, cpu, name(task), cpu);
          moves.add(new long[] {task, now * 1000});
        }
        leaveQueue(task);
        queuedOn[task] = cpu;
        queueSince(task, now);
        now++;
      }
    }

    private void reschedule(int cpu) {
      int next = 0;
      for (int i = 0; i < 3 && next == 0; i++) {
        int task = random.nextInt(1, taskCount + 1);
        if ((state[task] == 'W' || state[task] == 'P') && queuedOn[task] == cpu) {
          next = task;
        }
      }
      int prev = running[cpu];
      if (prev == next) {
        return;
      }
      now++;
      String end = prev == 0 ? "R" : new String[] {"R", "R+", "S", "D"}[random.nextInt(4)];
      if (lossUntil[cpu] == 0) {
        sequence.run(now, cpu, name(prev), end, name(next));
      }
      if (since[cpu] >= 0) {
        slices.add(
            String.format("%d+%d %d %d", since[cpu] * 1000, (now - since[cpu]) * 1000, cpu, prev));
      }
      since[cpu] = now;
      if (next != 0) {
        waits.add(text(stateSince[next], now, next, state[next] == 'W' ? "R" : preempted(next)));
        leaveQueue(next);
        state[next] = 'r';
        queuedOn[next] = cpu;
      }
      if (prev != 0) {
        stateSince[prev] = now;
        queuedOn[prev] = cpu;
        if (end.startsWith("R")) {
          state[prev] = 'P';
          plus.put(prev, end);
          queueSince(prev, now);
        } else {
          state[prev] = end.charAt(0);
        }
      }
      running[cpu] = next;
    }

    private final Map<Integer, String> plus = new HashMap<>();

    private String preempted(int task) {
      return plus.get(task);
    }

    private static String text(long fromUs, long toUs, int task, String state) {
      return String.format("%d+%d %d %s", fromUs * 1000, (toUs - fromUs) * 1000, task, state);
    }

    private static String name(int task) {
      return task == 0 ? "idle" : "t" + task + ":" + task;
    }
  }
}

package dev.counterbalance.analysis;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A small random schedule, tick by tick, and the rows that the interval builder makes of it. */
final class RandomSchedule {
  static final int CPUS = 4;
  static final int TASKS = 6;
  static final int TICKS = 120;

  /** A wait on a CPU's queue. */
  record Wait(int task, int cpu, int ts, int te, boolean suspect) {}

  /** A task on a CPU; task is -1 for idle. */
  record Slice(int task, int cpu, int ts, int te) {}

  final int[][] running = new int[TICKS][CPUS];
  final int[][] waiting = new int[TICKS][CPUS];
  final int[] affinity = new int[TASKS];
  final boolean[] lost = new boolean[TICKS];
  final List<Wait> waits = new ArrayList<>();
  final List<Slice> slices = new ArrayList<>();
  private final SplittableRandom random;
  private final int[] waitsOn = new int[TASKS];
  private final int[] waitsSince = new int[TASKS];
  private final boolean[] runs = new boolean[TASKS];
  private final int[] current = new int[CPUS];

  RandomSchedule(long seed) {
    random = new SplittableRandom(seed);
    Arrays.fill(waitsOn, -1);
    Arrays.fill(current, -1);
    for (int task = 0; task < TASKS; task++) {
      affinity[task] = random.nextBoolean() ? 0 : 1 + random.nextInt((1 << CPUS) - 1);
    }
    int[] since = new int[CPUS];
    for (int tick = 0; tick < TICKS; tick++) {
      for (int cpu = 0; cpu < CPUS; cpu++) {
        int before = current[cpu];
        step(cpu, tick);
        if (current[cpu] != before) {
          addSlice(before, cpu, since[cpu], tick);
          since[cpu] = tick;
        }
      }
      for (int cpu = 0; cpu < CPUS; cpu++) {
        running[tick][cpu] = current[cpu];
        waiting[tick][cpu] = queued(cpu);
      }
    }
    for (int cpu = 0; cpu < CPUS; cpu++) {
      addSlice(current[cpu], cpu, since[cpu], TICKS);
    }
    for (int task = 0; task < TASKS; task++) {
      if (waitsOn[task] >= 0) {
        endWait(task, TICKS);
      }
    }
  }

  private void step(int cpu, int tick) {
    int task = random.nextInt(TASKS);
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        // A wake; at most one waiter on an idle CPU.
        if (waitsOn[task] < 0 && !runs[task] && (current[cpu] >= 0 || queued(cpu) == 0)) {
          waitsOn[task] = cpu;
          waitsSince[task] = tick;
        }
      }
      case 3 -> {
        // A switch to the first waiter, or to idle if there is none.
        stop(cpu);
        for (int next = 0; next < TASKS; next++) {
          if (waitsOn[next] == cpu) {
            run(next, cpu, tick);
            break;
          }
        }
      }
      case 4 -> {
        // An idle CPU pulls a task from another queue.
        if (current[cpu] < 0 && queued(cpu) == 0 && waitsOn[task] >= 0) {
          run(task, cpu, tick);
        }
      }
      default -> {
        // Nothing happens on this CPU.
      }
    }
  }

  private void stop(int cpu) {
    if (current[cpu] >= 0) {
      runs[current[cpu]] = false;
      current[cpu] = -1;
    }
  }

  private void run(int task, int cpu, int tick) {
    endWait(task, tick);
    runs[task] = true;
    current[cpu] = task;
  }

  private void endWait(int task, int tick) {
    if (tick > waitsSince[task]) {
      waits.add(new Wait(task, waitsOn[task], waitsSince[task], tick, random.nextInt(10) == 0));
    }
    waitsOn[task] = -1;
  }

  private int queued(int cpu) {
    return (int) Arrays.stream(waitsOn).filter(on -> on == cpu).count();
  }

  private void addSlice(int task, int cpu, int ts, int te) {
    if (te > ts) {
      slices.add(new Slice(task, cpu, ts, te));
    }
  }

  boolean allows(int task, int cpu) {
    return affinity[task] == 0 || (affinity[task] >> cpu & 1) == 1;
  }

  boolean isIdle(int tick, int cpu) {
    return running[tick][cpu] < 0 && waiting[tick][cpu] == 0;
  }

  /** Writes the schedule as trace 1, with random losses, beside a trace 2 of the same tasks. */
  void store(Connection connection) throws SQLException {
    List<String> sql = new ArrayList<>();
    for (int trace = 1; trace <= 2; trace++) {
      sql.add("_trace (trace_id, start_ns, end_ns) VALUES (%d, 0, %d)".formatted(trace, TICKS));
      for (int cpu = 0; cpu < CPUS; cpu++) {
        sql.add(
            "_cpu (trace_id, cpu, first_ns, last_ns, coverage) VALUES (%d, %d, 0, %d, 0)"
                .formatted(trace, cpu, TICKS));
        sql.add(
            "thread (trace_id, utid, is_idle) VALUES (%d, %d, true)".formatted(trace, 100 + cpu));
        sql.add(
            "run_queue VALUES (2, 0, %d, %d, 1, 0, 4, 1, 1, 1, %d)"
                .formatted(TICKS, cpu, cpu == CPUS - 1 ? TICKS : 0));
      }
      for (int task = 0; task < TASKS; task++) {
        String bits = Integer.toBinaryString(affinity[task]);
        sql.add(
            "thread (trace_id, utid, is_idle, affinity) VALUES (%d, %d, false, %s)"
                .formatted(trace, task, affinity[task] == 0 ? "NULL" : "'" + bits + "'"));
      }
    }
    losses(sql);
    for (Slice slice : slices) {
      sql.add(
          "_sched_slice (trace_id, ts, dur, cpu, utid, end_kind, censored)"
              + " VALUES (1, %d, %d, %d, %d, 0, false)"
                  .formatted(
                      slice.ts(),
                      slice.te() - slice.ts(),
                      slice.cpu(),
                      slice.task() < 0 ? 100 + slice.cpu() : slice.task()));
    }
    for (Wait wait : waits) {
      sql.add(
          "_waiting (trace_id, ts, dur, utid, state_code, cpu, cpu_source, censored, suspect)"
              + " VALUES (1, %d, %d, %d, 0, %d, 0, %b, %b)"
                  .formatted(
                      wait.ts(),
                      wait.te() - wait.ts(),
                      wait.task(),
                      wait.cpu(),
                      wait.te() == TICKS,
                      wait.suspect()));
    }
    queues(sql);
    TestStore.execute(connection, "INSERT INTO " + String.join("; INSERT INTO ", sql));
  }

  private void losses(List<String> sql) {
    for (int n = random.nextInt(4); n > 0; n--) {
      int ts = random.nextInt(TICKS);
      int te = Math.min(TICKS, ts + random.nextInt(15));
      sql.add(
          "data_loss (trace_id, cpu, ts, dur) VALUES (1, %d, %d, %d)"
              .formatted(random.nextInt(CPUS), ts, te - ts));
      Arrays.fill(lost, ts, te, true);
    }
  }

  private void queues(List<String> sql) {
    int[] changed = new int[TICKS + 1];
    for (int tick = 0; tick < TICKS; tick++) {
      for (int cpu = 0; cpu < CPUS; cpu++) {
        changed[tick] += changes(tick, cpu) ? 1 : 0;
      }
    }
    changed[TICKS] = 1;
    for (int tick = 0; tick < TICKS; tick++) {
      int left = changed[tick];
      for (int cpu = 0; cpu < CPUS; cpu++) {
        if (changes(tick, cpu)) {
          left--;
          int next = tick + 1;
          while (next < TICKS && !changes(next, cpu)) {
            next++;
          }
          int any = tick + 1;
          while (changed[any] == 0) {
            any++;
          }
          sql.add(
              "run_queue VALUES (1, %d, %d, %d, %d, %d, %s, %d)"
                  .formatted(
                      tick,
                      next - tick,
                      cpu,
                      length(tick, cpu),
                      waiting[tick][cpu],
                      machine(tick),
                      left > 0 ? 0 : any - tick));
        }
      }
    }
  }

  private int length(int tick, int cpu) {
    return waiting[tick][cpu] + (running[tick][cpu] < 0 ? 0 : 1);
  }

  private boolean changes(int tick, int cpu) {
    return tick == 0
        || length(tick, cpu) != length(tick - 1, cpu)
        || waiting[tick][cpu] != waiting[tick - 1][cpu];
  }

  private String machine(int tick) {
    int all = 0;
    int waiters = 0;
    int idle = 0;
    int overloaded = 0;
    for (int cpu = 0; cpu < CPUS; cpu++) {
      all += length(tick, cpu);
      idle += isIdle(tick, cpu) ? 1 : 0;
      if (running[tick][cpu] >= 0 && waiting[tick][cpu] > 0) {
        waiters += waiting[tick][cpu];
        overloaded++;
      }
    }
    return "%d, %d, %d, %d".formatted(all, waiters, idle, overloaded);
  }
}

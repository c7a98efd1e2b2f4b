package dev.counterbalance.whatif.workload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Runs a workload on a machine with a CPU for every task, at no cost: what its programs mean,
 * without any scheduling. Every task does its operations at once until one takes time.
 */
public final class UnlimitedCpus {
  private record Point(long atNs, int seq, int task) {}

  private final Workload workload;
  private final int[] tokens;
  private final List<ArrayDeque<Integer>> waiters = new ArrayList<>();
  private final long[] points;
  private final long[] remaining;
  private final int[] next;
  private final PriorityQueue<Point> queue =
      new PriorityQueue<>(
          (a, b) ->
              a.atNs == b.atNs ? Integer.compare(a.seq, b.seq) : Long.compare(a.atNs, b.atNs));
  private final List<String> log = new ArrayList<>();
  private int seq;
  private long steps;

  /** When each task ended, -1 if it did not. */
  public final long[] endNs;

  /** Work each task did until then. */
  public final long[] workNs;

  public UnlimitedCpus(Workload workload) {
    this.workload = workload;
    tokens = new int[workload.semaphores()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = workload.initialTokens(i);
      waiters.add(new ArrayDeque<>());
    }
    points = new long[workload.timers()];
    Arrays.fill(points, -1);
    remaining = new long[workload.ops()];
    next = new int[workload.tasks()];
    endNs = new long[workload.tasks()];
    workNs = new long[workload.tasks()];
    Arrays.fill(endNs, -1);
    for (int task = 0; task < workload.tasks(); task++) {
      next[task] = workload.firstOp(task);
      if (workload.startNs(task) >= 0) {
        at(workload.startNs(task), task);
      }
    }
  }

  /** Runs until nothing is left to do, or to the horizon; fails after too many steps. */
  public UnlimitedCpus run(long horizonNs) {
    while (!queue.isEmpty() && queue.peek().atNs <= horizonNs) {
      Point point = queue.poll();
      run(point.task, point.atNs);
    }
    return this;
  }

  /** Begins of runs, as TASK@US, in order of time. */
  public List<String> log() {
    return log;
  }

  private void at(long ns, int task) {
    queue.add(new Point(ns, seq++, task));
  }

  private void run(int task, long now) {
    while (next[task] < workload.endOp(task)) {
      if (++steps > 10_000_000) {
        throw new AssertionError("does not end: " + workload.name());
      }
      int op = next[task]++;
      if (!step(task, op, now)) {
        return;
      }
    }
    endNs[task] = now;
  }

  /** Does an operation; false if the task goes on later. */
  private boolean step(int task, int op, long now) {
    long arg = workload.arg(op);
    int ref = workload.ref(op);
    switch (workload.kind(op)) {
      case RUN, RUN_TIME -> {
        log.add(workload.name(task) + "@" + now / 1000);
        workNs[task] += arg;
        at(now + arg, task);
        return false;
      }
      case SLEEP -> {
        at(now + arg, task);
        return false;
      }
      case TIMER, TIMER_RELATIVE -> {
        points[ref] = (points[ref] < 0 ? now : points[ref]) + arg;
        if (points[ref] > now) {
          at(points[ref], task);
          return false;
        }
        if (workload.kind(op) == OpKind.TIMER_RELATIVE) {
          points[ref] = now;
        }
      }
      case WAIT -> {
        if (tokens[ref] == 0) {
          waiters.get(ref).add(task);
          return false;
        }
        tokens[ref]--;
      }
      case SIGNAL, SIGNAL_SYNC -> {
        if (waiters.get(ref).isEmpty()) {
          tokens[ref]++;
        } else {
          at(now, waiters.get(ref).poll());
        }
      }
      case BROADCAST -> {
        for (long i = arg == 0 ? Long.MAX_VALUE : arg; i > 0 && !waiters.get(ref).isEmpty(); i--) {
          at(now, waiters.get(ref).poll());
        }
      }
      case FORK -> at(now, ref);
      case LOOP -> {
        if (remaining[op] == 0) {
          remaining[op] = arg;
        }
        if (arg == -1 || --remaining[op] > 0) {
          next[task] = ref;
        }
      }
      case EXIT -> next[task] = workload.endOp(task);
      case YIELD, AFFINITY, PRIORITY -> {}
    }
    return true;
  }
}

package dev.counterbalance.trace.interval;

import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.kernel.PrevState;
import dev.counterbalance.trace.task.Names;
import dev.counterbalance.trace.task.TaskRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A sequence of scheduler events for tests: times in microseconds, states as letters, events sorted
 * by time before they reach the builder, as every importer does.
 */
final class Sequence {
  record Slice(
      long ts,
      long dur,
      int cpu,
      int utid,
      String end,
      String state,
      int nextUtid,
      boolean censored) {}

  record Wait(
      long ts,
      long dur,
      int utid,
      String state,
      int cpu,
      String source,
      long wakingTs,
      boolean censored,
      boolean suspect) {}

  record Queue(
      long ts,
      long dur,
      int cpu,
      int running,
      int waiting,
      int mRunning,
      int mWaiting,
      int mIdle,
      int mOverloaded,
      long mDur) {}

  private record Event(long ts, Runnable run) {}

  final List<Slice> slices = new ArrayList<>();
  final List<Wait> waits = new ArrayList<>();
  final List<Queue> queues = new ArrayList<>();
  final List<long[]> unknown = new ArrayList<>();
  final Map<Integer, List<String>> names = new HashMap<>();
  final Names dictionary = new Names();
  final TaskRegistry tasks =
      new TaskRegistry(
          dictionary,
          (utid, ts, name) ->
              names.computeIfAbsent(utid, u -> new ArrayList<>()).add(dictionary.text(name)));
  final StateCodes codes = new StateCodes(PrevState.modern());
  final IntervalBuilder builder;
  private final List<Event> events = new ArrayList<>();

  private Sequence(boolean hasWakeup) {
    builder = new IntervalBuilder(tasks, codes, new Collector(), hasWakeup);
  }

  /** A recording with sched_wakeup. */
  static Sequence withWakeup() {
    return new Sequence(true);
  }

  /** A recording with sched_waking only, as perf sched record makes it. */
  static Sequence withWakingOnly() {
    return new Sequence(false);
  }

  Sequence start(long us, int cpu, int tid) {
    return at(us, () -> builder.cpuStart(ns(us), cpu, tid < 0 ? -1 : tasks.of(tid, cpu)));
  }

  Sequence run(long us, int cpu, String prev, String state, String next) {
    return at(
        us,
        () -> {
          int prevUtid = task(prev, cpu, us);
          int nextUtid = task(next, cpu, us);
          builder.onSwitch(
              ns(us), cpu, prevUtid, 120, PrevState.modern().value(state), nextUtid, 120);
        });
  }

  Sequence waking(long us, int cpu, String task, int targetCpu) {
    return at(
        us,
        () ->
            builder.onWaking(
                ns(us),
                cpu,
                -1,
                task(task, targetCpu, us),
                targetCpu,
                EventContext.TASK.ordinal()));
  }

  Sequence wakeup(long us, int cpu, String task, int targetCpu) {
    return wakeup(us, cpu, task, targetCpu, false);
  }

  Sequence wakeupNew(long us, int cpu, String task, int targetCpu) {
    return wakeup(us, cpu, task, targetCpu, true);
  }

  private Sequence wakeup(long us, int cpu, String task, int targetCpu, boolean isNew) {
    return at(
        us,
        () ->
            builder.onWakeup(
                ns(us),
                cpu,
                -1,
                task(task, targetCpu, us),
                targetCpu,
                isNew,
                EventContext.UNKNOWN.ordinal()));
  }

  Sequence migrate(long us, int cpu, String task, int dest) {
    return at(us, () -> builder.onMigrate(ns(us), cpu, task(task, dest, us), dest));
  }

  Sequence current(long us, int cpu, String task) {
    return at(us, () -> builder.onCurrent(ns(us), cpu, task(task, cpu, us)));
  }

  Sequence fork(long us, int tid) {
    return at(
        us,
        () -> {
          int before = tasks.known(tid);
          int utid = tasks.born(tid, ns(us));
          if (before >= 0 && before != utid) {
            builder.onGone(ns(us), before);
          }
        });
  }

  Sequence rename(long us, String task) {
    return at(us, () -> task(task, 0, us));
  }

  Sequence lossBegin(long us, int cpu) {
    return at(us, () -> builder.onLossBegin(ns(us), cpu));
  }

  Sequence lossEnd(long us, int cpu, int tid) {
    return at(us, () -> builder.onLossEnd(ns(us), cpu, tid < 0 ? -1 : tasks.of(tid, cpu)));
  }

  Sequence end(long us) {
    events.stream()
        .sorted((a, b) -> Long.compare(a.ts(), b.ts()))
        .forEach(event -> event.run().run());
    builder.end(ns(us));
    return this;
  }

  int utid(int tid) {
    return tasks.known(tid);
  }

  long runUs(int utid) {
    return slices.stream().filter(s -> s.utid() == utid).mapToLong(Slice::dur).sum() / 1000;
  }

  long idleUs(int cpu) {
    return slices.stream()
            .filter(s -> s.cpu() == cpu && tasks.isIdle(s.utid()))
            .mapToLong(Slice::dur)
            .sum()
        / 1000;
  }

  /** Durations in microseconds of the complete runnable waits after a wake. */
  List<Double> wakeupLatencies(int utid) {
    return waits.stream()
        .filter(w -> w.utid() == utid && w.state().startsWith("R"))
        .filter(w -> !w.censored() && !w.suspect() && !w.source().equals("SWITCH_OUT"))
        .map(w -> w.dur() / 1000.0)
        .toList();
  }

  static long ns(long us) {
    return us * 1000;
  }

  private Sequence at(long us, Runnable run) {
    events.add(new Event(ns(us), run));
    return this;
  }

  /** Reads {@code name:tid}; {@code idle} is the idle task. */
  private int task(String text, int cpu, long us) {
    if (text.equals("idle")) {
      return tasks.of(0, cpu);
    }
    int colon = text.lastIndexOf(':');
    return tasks.of(
        Integer.parseInt(text.substring(colon + 1)),
        cpu,
        dictionary.of(text.substring(0, colon)),
        ns(us));
  }

  private final class Collector implements IntervalSink {
    @Override
    public void onSlice(
        long tsNs,
        long durNs,
        int cpu,
        int utid,
        int prio,
        long endState,
        int endPrio,
        int nextUtid,
        int nextPrio,
        int endKind,
        boolean censored) {
      EndKind kind = EndKind.values()[endKind];
      String state = kind == EndKind.SWITCH ? PrevState.modern().text(endState) : null;
      slices.add(new Slice(tsNs, durNs, cpu, utid, kind.name(), state, nextUtid, censored));
    }

    @Override
    public void onWaiting(
        long tsNs,
        long durNs,
        int utid,
        int stateCode,
        int cpu,
        int cpuSource,
        int wakerUtid,
        long wakingTsNs,
        int irqContext,
        boolean censored,
        boolean suspect) {
      waits.add(
          new Wait(
              tsNs,
              durNs,
              utid,
              codes.texts().get(stateCode),
              cpu,
              cpuSource < 0 ? null : CpuSource.values()[cpuSource].name(),
              wakingTsNs,
              censored,
              suspect));
    }

    @Override
    public void onRunQueue(
        long tsNs,
        long durNs,
        int cpu,
        int nrRunning,
        int nrWaiting,
        int machineRunning,
        int machineWaiting,
        int machineIdle,
        int machineOverloaded,
        long machineDurNs) {
      queues.add(
          new Queue(
              tsNs,
              durNs,
              cpu,
              nrRunning,
              nrWaiting,
              machineRunning,
              machineWaiting,
              machineIdle,
              machineOverloaded,
              machineDurNs));
    }

    @Override
    public void onUnknown(long tsNs, long durNs, int cpu) {
      unknown.add(new long[] {cpu, tsNs, durNs});
    }
  }
}

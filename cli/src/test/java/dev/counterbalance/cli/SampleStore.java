package dev.counterbalance.cli;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.trace.build.TraceBuilder;
import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.trace.task.Names;
import java.nio.file.Path;
import java.util.List;

/**
 * A store with small traces that were never recorded. On four CPUs (two sockets, SMT), in ms after
 * the start: {@code hog} runs on CPU 0 throughout; {@code late} is woken there at 10 and gets the
 * CPU at 30, is preempted at 32 and runs on the idle CPU 1 from 36 to 40; CPU 2 is idle; CPU 3
 * loses events from 20 to 25. Names as told.
 */
final class SampleStore {
  private static final long START_NS = 5_000_000_000L;
  private static final long MS = 1_000_000;
  private static final int TASK = EventContext.TASK.ordinal();

  private SampleStore() {}

  /** A store with one trace. */
  static Path create(Path file, String traceName, String hog, String late) {
    try (TraceStore store = TraceStore.create(file)) {
      add(store, traceName, hog, late);
      store.publish();
    }
    return file;
  }

  /** Adds a trace to a store that is there. */
  static void add(Path file, String traceName) {
    try (TraceStore store = TraceStore.openReadWrite(file)) {
      add(store, traceName, "hog", "late");
    }
  }

  private static void add(TraceStore store, String traceName, String hog, String late) {
    try (TraceImport trace = store.beginImport(traceName, false)) {
      Names names = new Names();
      record(new TraceBuilder(trace, "sample.data", names), names, hog, late);
      Entries.install(store);
      trace.commit();
    }
  }

  private static void record(TraceBuilder sink, Names names, String hogName, String lateName) {
    int swapper = names.of("swapper");
    int hog = names.of(hogName);
    int late = names.of(lateName);
    sink.begin(info());
    sink.onCpuStart(START_NS, 0, 0, false);
    sink.onCpuStart(START_NS, 1, 0, false);
    sink.onCpuStart(START_NS, 2, 0, false);
    sink.onCpuStart(START_NS, 3, 0, false);
    for (int cpu = 1; cpu < 4; cpu++) {
      // A short run of the hog's sibling shows that the CPU is recorded.
      sink.onSwitch(at(1), cpu, 0, swapper, 120, 0, 200 + cpu, hog, 120);
      sink.onSwitch(at(2), cpu, 200 + cpu, hog, 120, 1, 0, swapper, 120);
    }
    sink.onSwitch(at(3), 0, 0, swapper, 120, 0, 100, hog, 120);
    sink.onWaking(at(10), 1, 0, 101, late, 120, 0, TASK);
    sink.onWakeup(at(10), 1, 0, 101, late, 120, 0, false, TASK);
    sink.onLossBegin(at(20), 3);
    sink.onLossEnd(at(25), 3, 7, 0, "PERF_RECORD_LOST");
    sink.onSwitch(at(30), 0, 100, hog, 120, 0, 101, late, 120);
    sink.onSwitch(at(32), 0, 101, late, 120, 0, 100, hog, 120);
    sink.onMigrate(at(36) - 1000, 1, 0, 101, late, 120, 0, 1, TASK);
    sink.onSwitch(at(36), 1, 0, swapper, 120, 0, 101, late, 120);
    sink.onSwitch(at(40), 1, 101, late, 120, 1, 0, swapper, 120);
    sink.onSwitch(at(50), 0, 100, hog, 120, 1, 0, swapper, 120);
    sink.onProblem(
        new Problem(
            Severity.INFO,
            "odd_record",
            3,
            0x1f40,
            at(4),
            "record type 99 is not known",
            "It was skipped."));
    sink.end(at(50), 16, 7);
  }

  private static TraceInfo info() {
    TraceInfo info = new TraceInfo();
    info.format = "perf.data";
    info.clock = "perf";
    info.startNs = START_NS;
    info.endNs = at(50);
    info.hostname = "lab1";
    info.osRelease = "6.12.1";
    info.arch = "x86_64";
    info.cpusOnline = 4;
    info.cpusAvailable = 4;
    info.cmdline = "perf sched record -- ./hog";
    for (int i = 0; i < 4; i++) {
      Machine.Cpu cpu = info.machine.cpu(i);
      cpu.coreId = i / 2 * 2;
      cpu.packageId = i / 2;
      cpu.nodeId = i / 2;
      cpu.llcId = i / 2 * 2;
    }
    info.events.addAll(
        List.of(
            "sched:sched_switch",
            "sched:sched_waking",
            "sched:sched_wakeup",
            "sched:sched_migrate_task"));
    return info;
  }

  private static long at(long ms) {
    return START_NS + ms * MS;
  }
}

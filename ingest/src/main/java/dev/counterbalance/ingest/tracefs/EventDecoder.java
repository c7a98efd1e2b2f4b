package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.IrqKind;
import dev.counterbalance.trace.event.NumaEvent;
import dev.counterbalance.trace.event.ProcessEvent;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.StatKind;
import dev.counterbalance.trace.task.Names;

/** Turns the raw data of a tracepoint into one call of the sink. Makes no objects. */
@SuppressWarnings("EnumOrdinal") // the sink takes kinds as ordinals
public final class EventDecoder {
  private static final int NO_PRIO = Integer.MIN_VALUE;
  private static final int FORK = ProcessEvent.FORK.ordinal();
  private static final int EXEC = ProcessEvent.EXEC.ordinal();
  private static final int EXIT = ProcessEvent.EXIT.ordinal();
  private static final int FREE = ProcessEvent.FREE.ordinal();
  private static final int WAIT = ProcessEvent.WAIT.ordinal();
  private static final int HANG = ProcessEvent.HANG.ordinal();
  private static final int MOVE = NumaEvent.MOVE.ordinal();
  private static final int STICK = NumaEvent.STICK.ordinal();
  private static final int SWAP = NumaEvent.SWAP.ordinal();
  private static final int HARD = IrqKind.HARD.ordinal();
  private static final int SOFT = IrqKind.SOFT.ordinal();

  /** Names of soft interrupts by vector (include/linux/interrupt.h). */
  private static final String[] SOFTIRQS = {
    "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"
  };

  private final ProblemLog problems;
  private final EventSink sink;
  private final Names names;
  private final int[] contextOfFlags = new int[256];
  private final int[] softirqNames = new int[SOFTIRQS.length];

  // The event at hand: where its raw data begins and how many bytes it has.
  private byte[] bytes;
  private int start;
  private int length;

  /**
   * Makes a decoder.
   *
   * @param names receives every name; the sink is told their ids
   */
  public EventDecoder(ProblemLog problems, Names names, EventSink sink) {
    this.problems = problems;
    this.sink = sink;
    this.names = names;
    for (int flags = 0; flags < contextOfFlags.length; flags++) {
      contextOfFlags[flags] = EventContext.ofCommonFlags(flags).ordinal();
    }
    for (int vector = 0; vector < SOFTIRQS.length; vector++) {
      softirqNames[vector] = names.of(SOFTIRQS[vector]);
    }
  }

  /**
   * Decodes one event.
   *
   * @param rawStart where the raw data begins
   * @param rawLength its size in bytes
   * @param sampleTid the sample's own task, for formats without one
   */
  public void decode(
      byte[] record,
      int rawStart,
      int rawLength,
      EventLayout layout,
      long timeNs,
      int cpu,
      int sampleTid) {
    bytes = record;
    start = rawStart;
    length = rawLength;
    switch (layout.kind) {
      case EventKind.SWITCH -> {
        sink.onSwitch(
            timeNs,
            cpu,
            number(layout.f1),
            name(layout.f0),
            number(layout.f2),
            Payload.number(bytes, start, layout.f3),
            number(layout.f5),
            name(layout.f4),
            number(layout.f6));
      }
      case EventKind.WAKING, EventKind.WAKEUP, EventKind.WAKEUP_NEW -> {
        wake(layout, timeNs, cpu, current(layout, sampleTid));
      }
      case EventKind.MIGRATE -> {
        sink.onMigrate(
            timeNs,
            cpu,
            current(layout, sampleTid),
            number(layout.f1),
            name(layout.f0),
            number(layout.f2),
            number(layout.f3),
            number(layout.f4),
            context(layout));
      }
      case EventKind.STAT_RUNTIME,
          EventKind.STAT_WAIT,
          EventKind.STAT_SLEEP,
          EventKind.STAT_IOWAIT,
          EventKind.STAT_BLOCKED -> {
        stat(layout, timeNs, cpu, current(layout, sampleTid));
      }
      default -> {
        rarer(layout, timeNs, cpu, current(layout, sampleTid));
      }
    }
  }

  private void wake(EventLayout layout, long timeNs, int cpu, int current) {
    int tid = number(layout.f1);
    int name = name(layout.f0);
    int prio = number(layout.f2);
    int target = number(layout.f3);
    int context = context(layout);
    if (layout.f4 != Payload.ABSENT && number(layout.f4) == 0) {
      failedWake(layout, timeNs);
    } else if (layout.kind == EventKind.WAKING) {
      sink.onWaking(timeNs, cpu, current, tid, name, prio, target, context);
    } else {
      boolean isNew = layout.kind == EventKind.WAKEUP_NEW;
      sink.onWakeup(timeNs, cpu, current, tid, name, prio, target, isNew, context);
    }
  }

  private void failedWake(EventLayout layout, long timeNs) {
    if (!problems.again("wakeup_without_success")) {
      problems.add(
          Severity.INFO,
          "wakeup_without_success",
          1,
          -1,
          timeNs,
          layout.format.name() + " with success=0: the task was awake already",
          "Such events wake nobody and are not imported.");
    }
  }

  private void stat(EventLayout layout, long timeNs, int cpu, int current) {
    StatKind kind;
    switch (layout.kind) {
      case EventKind.STAT_RUNTIME -> {
        kind = StatKind.RUNTIME;
      }
      case EventKind.STAT_WAIT -> {
        kind = StatKind.WAIT;
      }
      case EventKind.STAT_SLEEP -> {
        kind = StatKind.SLEEP;
      }
      case EventKind.STAT_IOWAIT -> {
        kind = StatKind.IOWAIT;
      }
      default -> {
        kind = StatKind.BLOCKED;
      }
    }
    boolean hasVruntime = layout.kind == EventKind.STAT_RUNTIME && layout.f3 != Payload.ABSENT;
    sink.onStat(
        timeNs,
        cpu,
        kind.ordinal(),
        current,
        number(layout.f1),
        name(layout.f0),
        Payload.number(bytes, start, layout.f2),
        hasVruntime ? Payload.number(bytes, start, layout.f3) : Long.MIN_VALUE);
  }

  private void rarer(EventLayout layout, long timeNs, int cpu, int current) {
    switch (layout.kind) {
      case EventKind.IRQ_ENTRY -> {
        sink.onIrq(timeNs, cpu, HARD, true, number(layout.f0), name(layout.f1));
      }
      case EventKind.IRQ_EXIT -> {
        sink.onIrq(timeNs, cpu, HARD, false, number(layout.f0), Names.UNKNOWN);
      }
      case EventKind.SOFTIRQ_ENTRY, EventKind.SOFTIRQ_EXIT -> {
        int vector = number(layout.f0);
        boolean entry = layout.kind == EventKind.SOFTIRQ_ENTRY;
        sink.onIrq(timeNs, cpu, SOFT, entry, vector, softirqName(vector));
      }
      case EventKind.CPU_IDLE -> {
        sink.onCpuIdle(timeNs, aboutCpu(layout.f1, cpu), number(layout.f0));
      }
      case EventKind.CPU_FREQUENCY -> {
        long khz = Payload.number(bytes, start, layout.f0);
        sink.onCpuFrequency(timeNs, aboutCpu(layout.f1, cpu), khz);
      }
      case EventKind.NR_RUNNING -> {
        sink.onNrRunning(timeNs, aboutCpu(layout.f0, cpu), number(layout.f1));
      }
      case EventKind.PRIO -> {
        sink.onPrio(
            timeNs, cpu, number(layout.f1), name(layout.f0), number(layout.f2), number(layout.f3));
      }
      case EventKind.NUMA_MOVE -> {
        numa(layout, timeNs, cpu, MOVE);
      }
      case EventKind.NUMA_STICK -> {
        numa(layout, timeNs, cpu, STICK);
      }
      case EventKind.NUMA_SWAP -> {
        numa(layout, timeNs, cpu, SWAP);
      }
      case EventKind.OTHER -> {
        int eventName = names.of(layout.format.name());
        sink.onOther(
            timeNs, cpu, current, eventName, ArgsJson.of(layout.format, bytes, start, length));
      }
      default -> {
        process(layout, timeNs, cpu, current);
      }
    }
  }

  private void process(EventLayout layout, long timeNs, int cpu, int current) {
    int none = Names.UNKNOWN;
    switch (layout.kind) {
      case EventKind.FORK -> {
        int child = number(layout.f3);
        int childName = name(layout.f2);
        sink.onProcess(
            timeNs, cpu, FORK, number(layout.f1), name(layout.f0), child, childName, NO_PRIO);
      }
      case EventKind.EXEC -> {
        int oldTid = number(layout.f2);
        sink.onProcess(
            timeNs, cpu, EXEC, number(layout.f1), name(layout.f0), oldTid, none, NO_PRIO);
      }
      case EventKind.EXIT, EventKind.FREE -> {
        int kind = layout.kind == EventKind.EXIT ? EXIT : FREE;
        int prio = number(layout.f2);
        sink.onProcess(timeNs, cpu, kind, number(layout.f1), name(layout.f0), -1, none, prio);
      }
      case EventKind.WAIT -> {
        // The comm and prio are those of the waiting task, the pid is the one waited for.
        int waiter = name(layout.f0);
        sink.onProcess(
            timeNs, cpu, WAIT, number(layout.f1), none, current, waiter, number(layout.f2));
      }
      case EventKind.HANG -> {
        sink.onProcess(timeNs, cpu, HANG, number(layout.f1), name(layout.f0), -1, none, NO_PRIO);
      }
      default -> {}
    }
  }

  private void numa(EventLayout layout, long timeNs, int cpu, int kind) {
    int other = layout.f3 == Payload.ABSENT ? -1 : number(layout.f3);
    sink.onNuma(
        timeNs,
        cpu,
        kind,
        number(layout.f0),
        number(layout.f1),
        number(layout.f2),
        other,
        number(layout.f4),
        number(layout.f5));
  }

  private int number(int code) {
    return (int) Payload.number(bytes, start, code);
  }

  private int name(int code) {
    return Payload.name(bytes, start, length, code, names);
  }

  private int current(EventLayout layout, int sampleTid) {
    return layout.pidCode == Payload.ABSENT ? sampleTid : number(layout.pidCode);
  }

  private int context(EventLayout layout) {
    return layout.flagsCode == Payload.ABSENT
        ? EventContext.UNKNOWN.ordinal()
        : contextOfFlags[number(layout.flagsCode) & 0xff];
  }

  /** The CPU an event names; the one it happened on if the event names an impossible one. */
  private int aboutCpu(int code, int cpu) {
    int told = number(code);
    return told >= 0 && told < CpuStats.MAX_CPUS ? told : cpu;
  }

  private int softirqName(int vector) {
    return vector >= 0 && vector < softirqNames.length ? softirqNames[vector] : Names.UNKNOWN;
  }

  /** Counts an event whose raw data cannot be what its description says. */
  public void malformed(String code, long offset, long timeNs, String text)
      throws TraceFormatException {
    if (!problems.again(code)) {
      problems.damage(
          code, offset, timeNs, text, "Such events are skipped; the file may be damaged.");
    }
  }
}

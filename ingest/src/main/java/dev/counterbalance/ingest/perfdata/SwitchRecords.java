package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.kernel.PrevState;
import dev.counterbalance.trace.task.Names;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Turns SWITCH and SWITCH_CPU_WIDE records, which {@code perf record --switch-events} writes, into
 * switches. Each switch has two: OUT by the task that leaves, then IN by the one that comes. The
 * switch is told at OUT; an IN that follows it says nothing new, one without it (after a loss)
 * stands for the switch.
 */
final class SwitchRecords {
  /** What the numbers below mean: why a task sleeps is not recorded. */
  static final PrevState STATES = PrevState.of(new long[] {1}, new String[] {"?"}, 0x100);

  private static final int RUNNABLE = 0;
  private static final int ASLEEP = 1;
  private static final int PREEMPTED = 0x100;

  private static final int NO_PRIO = Integer.MIN_VALUE;
  private static final int UNKNOWN = -1;
  private static final int IDLE = 0;

  /** As many threads as Linux can have at a time; names beyond are not passed on. */
  private static final int MAX_TASKS = 1 << 22;

  private final EventSink sink;
  private int[] running = new int[0];
  private final Map<Integer, Integer> nameOfTid = new HashMap<>();

  /** Switches told. */
  long switches;

  SwitchRecords(EventSink sink) {
    this.sink = sink;
  }

  /** Bytes of the body that is no trailer. */
  static int body(int type) {
    return type == RecordType.SWITCH_CPU_WIDE ? 16 : 8;
  }

  /**
   * The task that ran on the CPU before the record.
   *
   * @param tid the task that wrote the record
   * @return -1 if the record does not tell
   */
  static int before(byte[] bytes, int pos, int type, int tid) {
    if (isOut(bytes, pos)) {
      return tid;
    }
    return type == RecordType.SWITCH_CPU_WIDE ? Bytes.s32(bytes, pos + 12) : UNKNOWN;
  }

  /** A task has a name. */
  void named(int tid, int name) {
    if (nameOfTid.size() < MAX_TASKS) {
      nameOfTid.put(tid, name);
    }
  }

  /** A task was made: it has its parent's name until it gets its own, and no switch tells it. */
  void created(long timeNs, int tgid, int tid, int parentTid) {
    Integer name = nameOfTid.get(parentTid);
    if (name != null && timeNs >= 0) {
      named(tid, name);
      sink.onTaskName(timeNs, tgid, tid, name, false);
    }
  }

  /** Events of the CPU are missing: who runs there is not known. */
  void loss(int cpu) {
    if (cpu < running.length) {
      running[cpu] = UNKNOWN;
    }
  }

  /** Takes in a record; tid is the task that wrote it, -1 if that has exited. */
  void record(byte[] bytes, int pos, int type, long timeNs, int cpu, int tid) {
    if (cpu >= running.length) {
      int old = running.length;
      running = Arrays.copyOf(running, Math.max(cpu + 1, old * 2));
      Arrays.fill(running, old, running.length, UNKNOWN);
    }
    // A task's own record does not say who comes next, or who was there before.
    int other = type == RecordType.SWITCH_CPU_WIDE ? Bytes.s32(bytes, pos + 12) : IDLE;
    if (isOut(bytes, pos)) {
      boolean stays = (Bytes.u16(bytes, pos + 4) & RecordType.MISC_SWITCH_OUT_PREEMPT) != 0;
      int prev = tid < 0 ? running[cpu] : tid;
      tell(timeNs, cpu, prev, stays ? PREEMPTED : ASLEEP, other);
    } else if (running[cpu] != tid) {
      tell(timeNs, cpu, other < 0 ? running[cpu] : other, ASLEEP, tid);
    }
  }

  private void tell(long timeNs, int cpu, int prev, int state, int next) {
    if (prev >= 0 && next >= 0) {
      int prevState = prev == IDLE ? RUNNABLE : state;
      int name = Names.UNKNOWN;
      switches++;
      sink.onSwitch(timeNs, cpu, prev, name, NO_PRIO, prevState, next, name, NO_PRIO);
    }
    running[cpu] = next;
  }

  private static boolean isOut(byte[] bytes, int pos) {
    return (Bytes.u16(bytes, pos + 4) & RecordType.MISC_SWITCH_OUT) != 0;
  }
}

package dev.counterbalance.trace.interval;

import java.util.Arrays;

/** What the interval builder knows of each task, in columns indexed by utid. */
final class TaskStates {
  /** Nothing is known: not seen yet, or lost from sight. */
  static final byte UNSEEN = 0;

  static final byte RUNNING = 1;

  /** Runnable and not running. */
  static final byte QUEUED = 2;

  static final byte ASLEEP = 3;

  static final long NONE = Long.MIN_VALUE;

  byte[] state = new byte[1024];

  /** Start of the state, ns. */
  long[] since = new long[1024];

  /** CPU it runs on, is queued on, or last ran on. */
  int[] cpu = new int[1024];

  /** CPU the wait is booked on: where it was queued first. */
  int[] queuedOn = new int[1024];

  byte[] code = new byte[1024];
  byte[] source = new byte[1024];

  /** Losses of {@link #cpu} when the state began; more by now means that it spans a gap. */
  int[] lossesBefore = new int[1024];

  /** The last sched_waking not yet answered by a run, and who did it. */
  long[] wakingTs = new long[1024];

  int[] waker = new int[1024];
  byte[] irqContext = new byte[1024];

  void ensure(int utid) {
    if (utid < state.length) {
      return;
    }
    int old = state.length;
    int size = Math.max(utid + 1, old * 2);
    state = Arrays.copyOf(state, size);
    since = Arrays.copyOf(since, size);
    cpu = Arrays.copyOf(cpu, size);
    queuedOn = Arrays.copyOf(queuedOn, size);
    code = Arrays.copyOf(code, size);
    source = Arrays.copyOf(source, size);
    lossesBefore = Arrays.copyOf(lossesBefore, size);
    wakingTs = Arrays.copyOf(wakingTs, size);
    waker = Arrays.copyOf(waker, size);
    irqContext = Arrays.copyOf(irqContext, size);
    Arrays.fill(cpu, old, size, -1);
    Arrays.fill(wakingTs, old, size, NONE);
    Arrays.fill(waker, old, size, -1);
  }

  TaskStates() {
    Arrays.fill(cpu, -1);
    Arrays.fill(wakingTs, NONE);
    Arrays.fill(waker, -1);
  }

  void forgetWake(int utid) {
    wakingTs[utid] = NONE;
    waker[utid] = -1;
    irqContext[utid] = -1;
  }
}

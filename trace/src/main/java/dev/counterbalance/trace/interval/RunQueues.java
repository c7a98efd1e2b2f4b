package dev.counterbalance.trace.interval;

import java.util.Arrays;

/**
 * Runqueue lengths per CPU and for the machine. A CPU counts as idle if it runs its idle task and
 * nobody waits on it, as overloaded if it runs a task and somebody waits; one that runs idle while
 * a task waits on it counts as neither, since the scheduler is about to react (the rule of
 * SchedViz).
 */
final class RunQueues {
  private static final byte UNKNOWN = 0;
  private static final byte IDLE = 1;
  private static final byte BUSY = 2;

  private static final int NOT_KNOWN = Integer.MIN_VALUE;

  private final IntervalSink sink;
  private byte[] running = new byte[0];
  private int[] waiting = new int[0];

  // The row of a CPU that is still open: its counts hold since openTs.
  private long[] openTs = new long[0];
  private byte[] openRunning = new byte[0];
  private int[] openWaiting = new int[0];
  private int[] openMachineRunning = new int[0];
  private int[] openMachineWaiting = new int[0];
  private int[] openMachineIdle = new int[0];
  private int[] openMachineOverloaded = new int[0];
  private long[] openMachineDur = new long[0];

  private int machineRunning;
  private int machineWaiting;
  private int machineIdle;
  private int machineOverloaded;
  private int lastCpu = -1;
  private long lastTs;

  RunQueues(IntervalSink sink) {
    this.sink = sink;
  }

  void setUnknown(int cpu) {
    running[cpu] = UNKNOWN;
  }

  /** Forgets who runs and waits there. */
  void clear(int cpu) {
    running[cpu] = UNKNOWN;
    waiting[cpu] = 0;
  }

  void setRunning(int cpu, boolean idle) {
    running[cpu] = idle ? IDLE : BUSY;
  }

  void addWaiting(int cpu, int change) {
    waiting[cpu] += change;
  }

  /** Makes room for a CPU. */
  void ensure(int cpu) {
    if (cpu < running.length) {
      return;
    }
    int size = Math.max(cpu + 1, running.length * 2);
    int old = running.length;
    running = Arrays.copyOf(running, size);
    waiting = Arrays.copyOf(waiting, size);
    openTs = Arrays.copyOf(openTs, size);
    openRunning = Arrays.copyOf(openRunning, size);
    openWaiting = Arrays.copyOf(openWaiting, size);
    openMachineRunning = Arrays.copyOf(openMachineRunning, size);
    openMachineWaiting = Arrays.copyOf(openMachineWaiting, size);
    openMachineIdle = Arrays.copyOf(openMachineIdle, size);
    openMachineOverloaded = Arrays.copyOf(openMachineOverloaded, size);
    openMachineDur = Arrays.copyOf(openMachineDur, size);
    Arrays.fill(openTs, old, size, Long.MIN_VALUE);
  }

  /** Writes down the CPU's counts if they changed. */
  void changed(int cpu, long tsNs) {
    byte was = openTs[cpu] == Long.MIN_VALUE ? UNKNOWN : openRunning[cpu];
    int wasWaiting = openTs[cpu] == Long.MIN_VALUE ? 0 : openWaiting[cpu];
    if (was == running[cpu] && wasWaiting == waiting[cpu]) {
      return;
    }
    count(was, wasWaiting, -1);
    count(running[cpu], waiting[cpu], 1);
    if (lastCpu >= 0) {
      openMachineDur[lastCpu] = tsNs - lastTs;
    }
    if (openTs[cpu] != Long.MIN_VALUE && openTs[cpu] != tsNs) {
      emit(cpu, tsNs);
    }
    openTs[cpu] = tsNs;
    openRunning[cpu] = running[cpu];
    openWaiting[cpu] = waiting[cpu];
    openMachineRunning[cpu] = machineRunning;
    openMachineWaiting[cpu] = machineWaiting;
    openMachineIdle[cpu] = machineIdle;
    openMachineOverloaded[cpu] = machineOverloaded;
    openMachineDur[cpu] = 0;
    lastCpu = cpu;
    lastTs = tsNs;
  }

  void end(long tsNs) {
    if (lastCpu >= 0) {
      openMachineDur[lastCpu] = tsNs - lastTs;
    }
    for (int cpu = 0; cpu < openTs.length; cpu++) {
      if (openTs[cpu] != Long.MIN_VALUE) {
        emit(cpu, tsNs);
      }
    }
  }

  private void emit(int cpu, long tsNs) {
    sink.onRunQueue(
        openTs[cpu],
        tsNs - openTs[cpu],
        cpu,
        openRunning[cpu] == UNKNOWN ? NOT_KNOWN : openWaiting[cpu] + (openRunning[cpu] - IDLE),
        openRunning[cpu] == UNKNOWN ? NOT_KNOWN : openWaiting[cpu],
        openMachineRunning[cpu],
        openMachineWaiting[cpu],
        openMachineIdle[cpu],
        openMachineOverloaded[cpu],
        openMachineDur[cpu]);
  }

  private void count(byte state, int waiters, int sign) {
    machineRunning += sign * (waiters + (state == BUSY ? 1 : 0));
    if (state == IDLE && waiters == 0) {
      machineIdle += sign;
    } else if (state == BUSY && waiters > 0) {
      machineOverloaded += sign;
      machineWaiting += sign * waiters;
    }
  }
}

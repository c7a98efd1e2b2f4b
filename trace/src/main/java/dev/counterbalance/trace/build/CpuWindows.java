package dev.counterbalance.trace.build;

import dev.counterbalance.trace.interval.Coverage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * From when on each CPU is known. A CPU is known from the recording's start, except
 *
 * <ul>
 *   <li>where its ring buffer was overwritten: from its own first event;
 *   <li>where the task that its first event names also is another CPU's: a recorder that walks over
 *       the CPUs to switch them on is current on each in turn, so such a CPU is known from its own
 *       first event, too.
 * </ul>
 */
final class CpuWindows {
  /** Starts a CPU's window; tid -1 if it is not known who ran. */
  interface Opener {
    void open(long tsNs, int cpu, int tid);
  }

  private static final byte UNKNOWN = 0;
  private static final byte ANNOUNCED = 1;
  private static final byte OPEN = 2;

  private record Announced(long tsNs, int cpu, int tid, boolean silent) {}

  private final Opener opener;
  private final List<Announced> announced = new ArrayList<>();
  private byte[] state = new byte[16];
  private long[] firstNs = new long[16];
  private int[] startTid = new int[16];
  private boolean[] silent = new boolean[16];
  private int count;
  private boolean begun;

  CpuWindows(Opener opener) {
    this.opener = opener;
  }

  void announce(long tsNs, int cpu, int tid, boolean isSilent) {
    announced.add(new Announced(tsNs, cpu, tid, isSilent));
  }

  /** All CPUs are announced: opens those that are known from the recording's start. */
  void begin(long recordingStartNs) {
    if (begun) {
      return;
    }
    begun = true;
    Map<Integer, Integer> cpusOfTid = new HashMap<>();
    announced.forEach(a -> cpusOfTid.merge(a.tid(), 1, Integer::sum));
    for (Announced a : announced) {
      ensure(a.cpu());
      startTid[a.cpu()] = a.tid();
      silent[a.cpu()] = a.silent();
      state[a.cpu()] = ANNOUNCED;
      boolean shared = a.tid() > 0 && cpusOfTid.get(a.tid()) > 1;
      boolean unknown = a.silent() && a.tid() < 0;
      if (a.tsNs() <= recordingStartNs && !shared && !unknown) {
        open(recordingStartNs, a.cpu());
      }
    }
  }

  /** Whether the CPU's window is open; if not, {@link #firstEvent} is due. */
  boolean isOpen(int cpu) {
    return cpu < state.length && state[cpu] == OPEN;
  }

  /** The first event of a CPU whose window is not open yet. */
  void firstEvent(long tsNs, int cpu) {
    ensure(cpu);
    if (state[cpu] == UNKNOWN) {
      startTid[cpu] = -1;
    }
    open(tsNs, cpu);
  }

  Coverage coverage(int cpu) {
    if (cpu >= count || state[cpu] == UNKNOWN) {
      return Coverage.UNRECORDED;
    }
    return silent[cpu] ? Coverage.SILENT : Coverage.EVENTS;
  }

  /** Start of the CPU's window. */
  long firstNs(int cpu) {
    return firstNs[cpu];
  }

  /** CPUs from 0 to the highest one known. */
  int count() {
    return count;
  }

  private void open(long tsNs, int cpu) {
    state[cpu] = OPEN;
    firstNs[cpu] = tsNs;
    opener.open(tsNs, cpu, startTid[cpu]);
  }

  private void ensure(int cpu) {
    count = Math.max(count, cpu + 1);
    if (cpu < state.length) {
      return;
    }
    int size = Math.max(cpu + 1, state.length * 2);
    state = java.util.Arrays.copyOf(state, size);
    firstNs = java.util.Arrays.copyOf(firstNs, size);
    startTid = java.util.Arrays.copyOf(startTid, size);
    silent = java.util.Arrays.copyOf(silent, size);
  }
}

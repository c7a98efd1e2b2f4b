package dev.counterbalance.trace.task;

import java.util.Arrays;

/**
 * Gives every thread lifetime its utid. Kernels use tids again: a life ends with a final switch-out
 * (X, Z), and a fork of the same tid begins the next one. An idle task (tid 0) is one task per CPU.
 *
 * <p>Names are a history: {@link NameSink} hears of each change.
 */
public final class TaskRegistry {
  /** Hears that a task has another name from a time on. */
  public interface NameSink {
    void onName(int utid, long tsNs, int name);
  }

  private static final byte IDLE = 1;
  private static final byte DEAD = 2;
  private static final byte NEWBORN = 4;
  private static final byte KERNEL_KNOWN = 8;
  private static final byte KERNEL = 16;

  /** kthreadd: the parent of every kernel thread. */
  private static final int KTHREADD = 2;

  /** {@code end} and {@code start} of a task whose birth or death was not seen. */
  public static final long UNSEEN = Long.MIN_VALUE;

  private final Names names;
  private final NameSink nameSink;
  private final TidMap live = new TidMap();
  private int[] idleOfCpu = new int[16];
  private final Processes processes = new Processes();

  private int count;
  private int[] tid = new int[1024];
  private int[] upid = new int[1024];
  private int[] name = new int[1024];
  private int[] prio = new int[1024];
  private long[] start = new long[1024];
  private long[] end = new long[1024];
  private byte[] flags = new byte[1024];

  public TaskRegistry(Names names, NameSink nameSink) {
    this.names = names;
    this.nameSink = nameSink;
    Arrays.fill(idleOfCpu, -1);
  }

  /** The task that has this tid now; made at first sight. Tid 0 is the idle task of {@code cpu}. */
  public int of(int kernelTid, int cpu) {
    return kernelTid == 0 ? idle(cpu) : live(kernelTid);
  }

  /** The same, for an event that also names the task. */
  public int of(int kernelTid, int cpu, int nameId, long tsNs) {
    int utid = kernelTid == 0 ? idle(cpu) : live(kernelTid);
    if (nameId != name[utid]) {
      setName(utid, nameId, tsNs);
    }
    return utid;
  }

  /** The last task that had this tid, dead or alive; -1 if there was none. */
  public int known(int kernelTid) {
    return live.get(kernelTid);
  }

  /** The same, made at first sight. */
  public int last(int kernelTid) {
    int utid = live.get(kernelTid);
    return utid >= 0 ? utid : add(kernelTid, UNSEEN);
  }

  /**
   * A task with this tid is born at tsNs.
   *
   * @return its utid; the same one if the birth is told twice (by perf and by the kernel)
   */
  public int born(int kernelTid, long tsNs) {
    int utid = live.get(kernelTid);
    if (utid >= 0 && (flags[utid] & (NEWBORN | DEAD)) == NEWBORN) {
      return utid;
    }
    if (utid >= 0) {
      died(utid, tsNs);
    }
    int fresh = add(kernelTid, tsNs);
    flags[fresh] |= NEWBORN;
    return fresh;
  }

  /** The task has run or was woken: a further birth of its tid is another task. */
  public void lived(int utid) {
    flags[utid] &= ~NEWBORN;
  }

  /** The task's life ends; its tid is free for another. */
  public void died(int utid, long tsNs) {
    if ((flags[utid] & DEAD) == 0) {
      flags[utid] |= DEAD;
      end[utid] = tsNs;
    }
  }

  /** A thread that was not the leader called exec: it goes on under the leader's tid. */
  public void takesTid(int utid, int kernelTid, long tsNs) {
    int leader = live.get(kernelTid);
    if (leader >= 0 && leader != utid) {
      died(leader, tsNs);
    }
    tid[utid] = kernelTid;
    live.put(kernelTid, utid);
  }

  /** The task belongs to that thread group. */
  public void inGroup(int utid, int tgid, long tsNs) {
    if (upid[utid] < 0 && tgid >= 0 && !isIdle(utid)) {
      upid[utid] = processes.of(tgid, tid[utid] == tgid, start[utid]);
    }
    if (tid[utid] == tgid && upid[utid] >= 0) {
      processes.named(upid[utid], name[utid]);
    }
  }

  /** The task's parent is of that thread group. */
  public void childOf(int utid, int parentTgid) {
    flags[utid] |= KERNEL_KNOWN;
    if (parentTgid == KTHREADD || tid[utid] == KTHREADD) {
      flags[utid] |= KERNEL;
    }
    if (upid[utid] >= 0 && parentTgid > 0) {
      processes.childOf(upid[utid], parentTgid);
    }
  }

  /** Notes a name; the placeholders of tools ({@code <...>}, {@code :1234}) are no names. */
  public void setName(int utid, int nameId, long tsNs) {
    if (nameId < 0 || nameId == name[utid] || isPlaceholder(nameId)) {
      return;
    }
    name[utid] = nameId;
    if (upid[utid] >= 0 && processes.pid(upid[utid]) == tid[utid]) {
      processes.named(upid[utid], nameId);
    }
    nameSink.onName(utid, tsNs, nameId);
  }

  public void setPrio(int utid, int kernelPrio) {
    prio[utid] = kernelPrio;
  }

  public int size() {
    return count;
  }

  public Processes processes() {
    return processes;
  }

  public int tid(int utid) {
    return tid[utid];
  }

  /** The process, or -1. */
  public int upid(int utid) {
    return upid[utid];
  }

  /** The last known name, or {@link Names#UNKNOWN}. */
  public int name(int utid) {
    return name[utid];
  }

  /** The last kernel priority seen, or Integer.MIN_VALUE. */
  public int prio(int utid) {
    return prio[utid];
  }

  public long start(int utid) {
    return start[utid];
  }

  public long end(int utid) {
    return end[utid];
  }

  public boolean isIdle(int utid) {
    return (flags[utid] & IDLE) != 0;
  }

  public boolean isDead(int utid) {
    return (flags[utid] & DEAD) != 0;
  }

  /** Whether it is a kernel thread; null if that is not known. */
  public Boolean isKernel(int utid) {
    if (isIdle(utid)) {
      return true;
    }
    return (flags[utid] & KERNEL_KNOWN) == 0 ? null : (flags[utid] & KERNEL) != 0;
  }

  private int idle(int cpu) {
    if (cpu >= idleOfCpu.length) {
      int old = idleOfCpu.length;
      idleOfCpu = Arrays.copyOf(idleOfCpu, Math.max(cpu + 1, old * 2));
      Arrays.fill(idleOfCpu, old, idleOfCpu.length, -1);
    }
    int utid = idleOfCpu[cpu];
    if (utid < 0) {
      utid = newRow(0, UNSEEN);
      flags[utid] |= IDLE;
      idleOfCpu[cpu] = utid;
    }
    return utid;
  }

  private int live(int kernelTid) {
    int utid = live.get(kernelTid);
    return utid >= 0 && (flags[utid] & DEAD) == 0 ? utid : add(kernelTid, UNSEEN);
  }

  private int add(int kernelTid, long startNs) {
    int utid = newRow(kernelTid, startNs);
    live.put(kernelTid, utid);
    return utid;
  }

  private int newRow(int kernelTid, long startNs) {
    int utid = count++;
    if (utid == tid.length) {
      int size = utid * 2;
      tid = Arrays.copyOf(tid, size);
      upid = Arrays.copyOf(upid, size);
      name = Arrays.copyOf(name, size);
      prio = Arrays.copyOf(prio, size);
      start = Arrays.copyOf(start, size);
      end = Arrays.copyOf(end, size);
      flags = Arrays.copyOf(flags, size);
    }
    tid[utid] = kernelTid;
    upid[utid] = -1;
    name[utid] = Names.UNKNOWN;
    prio[utid] = Integer.MIN_VALUE;
    start[utid] = startNs;
    end[utid] = UNSEEN;
    return utid;
  }

  private boolean isPlaceholder(int nameId) {
    String text = names.text(nameId);
    if (text.equals("<...>") || text.equals("<XXX>")) {
      return true;
    }
    if (text.length() < 2 || text.charAt(0) != ':') {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      if (!Character.isDigit(text.charAt(i)) && !(i == 1 && text.charAt(i) == '-')) {
        return false;
      }
    }
    return true;
  }
}

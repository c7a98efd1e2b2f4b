package dev.counterbalance.trace.task;

import java.util.Arrays;

/** Gives every thread group (process) lifetime its upid. */
public final class Processes {
  private final TidMap live = new TidMap();
  private int count;
  private int[] pid = new int[256];
  private int[] name = new int[256];
  private int[] parent = new int[256];
  private long[] start = new long[256];
  private long[] end = new long[256];

  /** The process of a thread group; a leader born later than the known one begins another. */
  int of(int tgid, boolean isLeader, long bornNs) {
    int upid = live.get(tgid);
    boolean reborn =
        isLeader && bornNs != TaskRegistry.UNSEEN && upid >= 0 && start[upid] != bornNs;
    if (upid < 0 || reborn) {
      upid = add(tgid);
      start[upid] = isLeader ? bornNs : TaskRegistry.UNSEEN;
    }
    return upid;
  }

  void named(int upid, int nameId) {
    name[upid] = nameId;
  }

  void childOf(int upid, int parentTgid) {
    int parentUpid = live.get(parentTgid);
    parent[upid] = parentUpid >= 0 ? parentUpid : add(parentTgid);
  }

  /** The process ends, told by its leader's exit. */
  public void ended(int upid, long tsNs) {
    end[upid] = tsNs;
  }

  public int size() {
    return count;
  }

  public int pid(int upid) {
    return pid[upid];
  }

  public int name(int upid) {
    return name[upid];
  }

  public int parent(int upid) {
    return parent[upid];
  }

  public long start(int upid) {
    return start[upid];
  }

  public long end(int upid) {
    return end[upid];
  }

  private int add(int tgid) {
    int upid = count++;
    if (upid == pid.length) {
      int size = upid * 2;
      pid = Arrays.copyOf(pid, size);
      name = Arrays.copyOf(name, size);
      parent = Arrays.copyOf(parent, size);
      start = Arrays.copyOf(start, size);
      end = Arrays.copyOf(end, size);
    }
    pid[upid] = tgid;
    name[upid] = Names.UNKNOWN;
    parent[upid] = -1;
    start[upid] = TaskRegistry.UNSEEN;
    end[upid] = TaskRegistry.UNSEEN;
    live.put(tgid, upid);
    return upid;
  }
}

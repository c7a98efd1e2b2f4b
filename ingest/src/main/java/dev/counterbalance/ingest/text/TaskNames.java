package dev.counterbalance.ingest.text;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.task.Names;
import java.util.Arrays;

/**
 * What the front of the lines tells about tasks. perf prints the name of that time, so a change is
 * passed on at once. ftrace prints the last name it knows, also for lines before a change: it is
 * used at the end, for tasks that no event names.
 */
final class TaskNames {
  private static final int MAX = 1 << 20;

  private final EventSink sink;
  private final boolean namesOfTime;
  private int[] tids = new int[1024];
  private int[] nameIds = new int[1024];
  private int[] tgids = new int[1024];
  private boolean[] named = new boolean[1024];
  private int count;

  TaskNames(EventSink sink, boolean namesOfTime) {
    this.sink = sink;
    this.namesOfTime = namesOfTime;
  }

  /** A line shows the task. */
  void shown(long timeNs, int tgid, int tid, int name) {
    int slot = tid <= 0 ? -1 : slot(tid);
    if (slot < 0 || (nameIds[slot] == name && tgids[slot] == tgid)) {
      return;
    }
    boolean grouped = tgid >= 0 && tgids[slot] != tgid;
    boolean renamed = namesOfTime && name >= 0 && nameIds[slot] != name;
    nameIds[slot] = name >= 0 ? name : nameIds[slot];
    tgids[slot] = tgid >= 0 ? tgid : tgids[slot];
    if (grouped || renamed) {
      int told = namesOfTime ? nameIds[slot] : Names.UNKNOWN;
      sink.onTaskName(timeNs, tgids[slot], tid, told, false);
    }
  }

  /** An event names the task. */
  void named(int tid) {
    int slot = namesOfTime || tid <= 0 ? -1 : slot(tid);
    if (slot >= 0) {
      named[slot] = true;
    }
  }

  /** A task is born: what was known of this tid was of another one. */
  void born(int tid) {
    int slot = tid <= 0 ? -1 : slot(tid);
    if (slot >= 0) {
      tgids[slot] = -1;
      nameIds[slot] = namesOfTime ? Names.UNKNOWN : nameIds[slot];
    }
  }

  /** Names the tasks that no event named. */
  void finish() {
    if (namesOfTime) {
      return;
    }
    for (int slot = 0; slot < tids.length; slot++) {
      if (tids[slot] != 0 && !named[slot] && nameIds[slot] >= 0) {
        sink.onTaskName(-1, tgids[slot], tids[slot], nameIds[slot], false);
      }
    }
  }

  private int slot(int tid) {
    int mask = tids.length - 1;
    int slot = (tid * 0x9E3779B1) >>> 7 & mask;
    while (tids[slot] != 0) {
      if (tids[slot] == tid) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    if (count == MAX) {
      return -1;
    }
    if (count * 2 >= tids.length) {
      grow();
      return slot(tid);
    }
    count++;
    tids[slot] = tid;
    nameIds[slot] = Names.UNKNOWN;
    tgids[slot] = -1;
    return slot;
  }

  private void grow() {
    int[] oldTids = tids;
    int[] oldNames = nameIds;
    int[] oldTgids = tgids;
    boolean[] oldNamed = named;
    int size = oldTids.length * 2;
    tids = new int[size];
    nameIds = new int[size];
    tgids = new int[size];
    named = new boolean[size];
    Arrays.fill(nameIds, Names.UNKNOWN);
    for (int i = 0; i < oldTids.length; i++) {
      if (oldTids[i] != 0) {
        int slot = (oldTids[i] * 0x9E3779B1) >>> 7 & (size - 1);
        while (tids[slot] != 0) {
          slot = (slot + 1) & (size - 1);
        }
        tids[slot] = oldTids[i];
        nameIds[slot] = oldNames[i];
        tgids[slot] = oldTgids[i];
        named[slot] = oldNamed[i];
      }
    }
  }
}

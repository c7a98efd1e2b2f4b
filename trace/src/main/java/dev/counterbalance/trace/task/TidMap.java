package dev.counterbalance.trace.task;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Kernel id to dense number. Ids the kernel can give (below PID_MAX_LIMIT, include/linux/threads.h)
 * are looked up in an array, hostile ones in a map.
 */
final class TidMap {
  private static final int PID_MAX_LIMIT = 4 * 1024 * 1024;

  private int[] known = new int[1024];
  private final Map<Integer, Integer> odd = new HashMap<>();

  TidMap() {
    Arrays.fill(known, -1);
  }

  int get(int id) {
    if (id >= 0 && id < known.length) {
      return known[id];
    }
    return id >= 0 && id < PID_MAX_LIMIT ? -1 : odd.getOrDefault(id, -1);
  }

  void put(int id, int value) {
    if (id < 0 || id >= PID_MAX_LIMIT) {
      odd.put(id, value);
      return;
    }
    if (id >= known.length) {
      int old = known.length;
      known = Arrays.copyOf(known, Math.min(PID_MAX_LIMIT, Math.max(id + 1, old * 2)));
      Arrays.fill(known, old, known.length, -1);
    }
    known[id] = value;
  }
}

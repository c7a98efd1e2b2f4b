package dev.counterbalance.ingest.perfdata;

import java.util.Arrays;

/**
 * Maps event ids to small numbers. Ids of one recording are near each other, so a plain array from
 * the lowest id on is the rule; ids far apart go to a hash table.
 */
final class IdMap {
  private static final int MAX_DENSE = 1 << 20;

  private long[] keys = new long[64];
  private int[] values = new int[64];
  private int count;

  private long lowest;
  private int[] dense;
  private boolean stale = true;

  IdMap() {
    Arrays.fill(values, -1);
  }

  /** Sets the number of an id; a later number replaces an earlier one. */
  void put(long id, int value) {
    if ((count + 1) * 2 > keys.length) {
      grow();
    }
    int slot = slot(id, keys, values);
    if (values[slot] < 0) {
      count++;
    }
    keys[slot] = id;
    values[slot] = value;
    stale = true;
  }

  /** The number of an id, -1 if it has none. */
  int get(long id) {
    if (stale) {
      build();
    }
    if (dense != null) {
      long index = id - lowest;
      return index >= 0 && index < dense.length ? dense[(int) index] : -1;
    }
    return values[slot(id, keys, values)];
  }

  private void build() {
    stale = false;
    dense = null;
    if (count == 0) {
      return;
    }
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < keys.length; i++) {
      if (values[i] >= 0) {
        low = Math.min(low, keys[i]);
        high = Math.max(high, keys[i]);
      }
    }
    if (high - low < 0 || high - low >= MAX_DENSE) {
      return;
    }
    lowest = low;
    dense = new int[(int) (high - low) + 1];
    Arrays.fill(dense, -1);
    for (int i = 0; i < keys.length; i++) {
      if (values[i] >= 0) {
        dense[(int) (keys[i] - low)] = values[i];
      }
    }
  }

  private void grow() {
    long[] newKeys = new long[keys.length * 2];
    int[] newValues = new int[newKeys.length];
    Arrays.fill(newValues, -1);
    for (int i = 0; i < keys.length; i++) {
      if (values[i] >= 0) {
        int slot = slot(keys[i], newKeys, newValues);
        newKeys[slot] = keys[i];
        newValues[slot] = values[i];
      }
    }
    keys = newKeys;
    values = newValues;
  }

  private static int slot(long id, long[] keys, int[] values) {
    int mask = keys.length - 1;
    long h = id * 0x9E3779B97F4A7C15L;
    int slot = (int) (h >>> 40) & mask;
    while (values[slot] >= 0 && keys[slot] != id) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}

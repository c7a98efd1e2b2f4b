package dev.counterbalance.trace.build;

import java.util.Arrays;

/** Joins the entry and exit of interrupt handlers, per CPU and kind. */
final class IrqPairs {
  private static final int KINDS = 2;

  private final EventTables tables;
  private long[] entryTs = new long[0];
  private int[] vector = new int[0];
  private String[] name = new String[0];

  /** Exits without an entry, not stored. */
  long orphans;

  IrqPairs(EventTables tables) {
    this.tables = tables;
  }

  void on(long tsNs, int cpu, int kind, boolean entry, int number, String text) {
    int slot = slot(cpu, kind);
    if (entry) {
      if (entryTs[slot] != Long.MIN_VALUE) {
        tables.irq(entryTs[slot], Long.MIN_VALUE, cpu, kind, vector[slot], name[slot]);
      }
      entryTs[slot] = tsNs;
      vector[slot] = number;
      name[slot] = text;
    } else if (entryTs[slot] != Long.MIN_VALUE && vector[slot] == number) {
      tables.irq(entryTs[slot], tsNs - entryTs[slot], cpu, kind, number, name[slot]);
      entryTs[slot] = Long.MIN_VALUE;
    } else {
      orphans++;
    }
  }

  /** A gap in the CPU's events: a handler that is open was not seen to end. */
  void gap(int cpu) {
    for (int kind = 0; kind < KINDS; kind++) {
      int slot = slot(cpu, kind);
      if (entryTs[slot] != Long.MIN_VALUE) {
        tables.irq(entryTs[slot], Long.MIN_VALUE, cpu, kind, vector[slot], name[slot]);
        entryTs[slot] = Long.MIN_VALUE;
      }
    }
  }

  void end() {
    for (int cpu = 0; cpu * KINDS < entryTs.length; cpu++) {
      gap(cpu);
    }
  }

  private int slot(int cpu, int kind) {
    int slot = cpu * KINDS + kind;
    if (slot >= entryTs.length) {
      int old = entryTs.length;
      int size = Math.max(slot + 1, Math.max(16, old * 2));
      size += size % KINDS;
      entryTs = Arrays.copyOf(entryTs, size);
      vector = Arrays.copyOf(vector, size);
      name = Arrays.copyOf(name, size);
      Arrays.fill(entryTs, old, size, Long.MIN_VALUE);
    }
    return slot;
  }
}

package dev.counterbalance.trace.machine;

import java.util.Arrays;

/**
 * A set of CPUs: affinity masks, spans, idle masks. Iterate with {@code for (int cpu = set.first();
 * cpu >= 0; cpu = set.next(cpu))}, which is in ascending order, as the kernel walks a cpumask.
 */
public final class CpuSet {
  private final long[] words;

  /** An empty set that can hold the CPUs 0 to {@code cpus - 1}. */
  public CpuSet(int cpus) {
    words = new long[(cpus + 63) >> 6];
  }

  /** A set of the given CPUs, all below {@code cpus}. */
  public static CpuSet of(int cpus, int... members) {
    CpuSet set = new CpuSet(cpus);
    for (int cpu : members) {
      set.add(cpu);
    }
    return set;
  }

  /** The CPUs 0 to {@code cpus - 1}. */
  public static CpuSet all(int cpus) {
    CpuSet set = new CpuSet(cpus);
    for (int cpu = 0; cpu < cpus; cpu++) {
      set.add(cpu);
    }
    return set;
  }

  /** A copy that shares nothing. */
  public CpuSet copy() {
    CpuSet copy = new CpuSet(words.length << 6);
    copy.set(this);
    return copy;
  }

  public boolean contains(int cpu) {
    int word = cpu >> 6;
    return word < words.length && (words[word] >>> cpu & 1) != 0;
  }

  public void add(int cpu) {
    words[cpu >> 6] |= 1L << cpu;
  }

  public void remove(int cpu) {
    words[cpu >> 6] &= ~(1L << cpu);
  }

  public void clear() {
    Arrays.fill(words, 0);
  }

  /** Becomes equal to {@code other}, which must not be larger. */
  public void set(CpuSet other) {
    Arrays.fill(words, 0);
    System.arraycopy(other.words, 0, words, 0, Math.min(words.length, other.words.length));
  }

  /** Keeps only what {@code other} has too. */
  public void retain(CpuSet other) {
    for (int i = 0; i < words.length; i++) {
      words[i] &= i < other.words.length ? other.words[i] : 0;
    }
  }

  /** Adds all that {@code other} has, which must not be larger. */
  public void addAll(CpuSet other) {
    for (int i = 0; i < Math.min(words.length, other.words.length); i++) {
      words[i] |= other.words[i];
    }
  }

  /** Whether the two have a CPU in common. */
  public boolean intersects(CpuSet other) {
    for (int i = 0; i < Math.min(words.length, other.words.length); i++) {
      if ((words[i] & other.words[i]) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The lowest CPU that both have, or -1. */
  public int firstCommon(CpuSet other) {
    for (int i = 0; i < Math.min(words.length, other.words.length); i++) {
      long common = words[i] & other.words[i];
      if (common != 0) {
        return (i << 6) + Long.numberOfTrailingZeros(common);
      }
    }
    return -1;
  }

  /** Whether every CPU of {@code other} is in this set. */
  public boolean containsAll(CpuSet other) {
    for (int i = 0; i < other.words.length; i++) {
      if ((other.words[i] & ~(i < words.length ? words[i] : 0)) != 0) {
        return false;
      }
    }
    return true;
  }

  public boolean isEmpty() {
    for (long word : words) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  public int size() {
    int size = 0;
    for (long word : words) {
      size += Long.bitCount(word);
    }
    return size;
  }

  /** The lowest CPU, or -1. */
  public int first() {
    return next(-1);
  }

  /** The lowest CPU above {@code cpu}, or -1. */
  public int next(int cpu) {
    int from = cpu + 1;
    int word = from >> 6;
    if (word >= words.length) {
      return -1;
    }
    long bits = words[word] & -1L << from;
    while (bits == 0) {
      if (++word == words.length) {
        return -1;
      }
      bits = words[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** The members, ascending. */
  public int[] toArray() {
    int[] members = new int[size()];
    int n = 0;
    for (int cpu = first(); cpu >= 0; cpu = next(cpu)) {
      members[n++] = cpu;
    }
    return members;
  }

  /** As the column type BIT has it: CPU {@code cpus - 1} first, CPU 0 last. */
  public String toBits(int cpus) {
    char[] bits = new char[cpus];
    for (int cpu = 0; cpu < cpus; cpu++) {
      bits[cpus - 1 - cpu] = contains(cpu) ? '1' : '0';
    }
    return new String(bits);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CpuSet set && containsAll(set) && set.containsAll(this);
  }

  @Override
  public int hashCode() {
    int hash = 0;
    for (int i = 0; i < words.length; i++) {
      hash += Long.hashCode(words[i]) * (i + 1);
    }
    return hash;
  }

  /** A kernel cpulist such as {@code 0-3,8}; the empty text if there is no CPU. */
  @Override
  public String toString() {
    StringBuilder list = new StringBuilder();
    for (int cpu = first(); cpu >= 0; cpu = next(cpu)) {
      int last = cpu;
      while (contains(last + 1)) {
        last++;
      }
      list.append(list.length() == 0 ? "" : ",").append(cpu);
      if (last > cpu) {
        list.append('-').append(last);
      }
      cpu = last;
    }
    return list.toString();
  }
}

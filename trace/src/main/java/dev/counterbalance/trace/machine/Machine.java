package dev.counterbalance.trace.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The CPUs of a machine and how they share cores, caches and memory nodes. Ids of groups are the
 * lowest CPU of the group unless the source names them; -1 is "unknown". Packages and nodes are
 * named by every source we know, as the kernel numbers them.
 */
public final class Machine {
  /** The largest machine that a topology may describe. */
  public static final int MAX_CPUS = 4096;

  private final List<Cpu> cpus = new ArrayList<>();
  private final List<Distance> distances = new ArrayList<>();

  /** One CPU; {@code -1} where the source does not tell. */
  public static final class Cpu {
    public final int cpu;
    public int coreId = -1;
    public int clusterId = -1;
    public int dieId = -1;
    public int packageId = -1;
    public int nodeId = -1;
    public int llcId = -1;
    public int capacity = -1;
    public boolean online = true;
    public boolean isolated;

    Cpu(int cpu) {
      this.cpu = cpu;
    }
  }

  /** One entry of the node distance table (SLIT); 10 is local. */
  public record Distance(int fromNode, int toNode, int distance) {}

  /** A machine of which nothing is known. */
  public static Machine unknown() {
    return new Machine();
  }

  /** A copy that shares nothing with this machine. */
  public Machine copy() {
    Machine copy = new Machine();
    for (Cpu from : cpus) {
      Cpu to = copy.cpu(from.cpu);
      to.coreId = from.coreId;
      to.clusterId = from.clusterId;
      to.dieId = from.dieId;
      to.packageId = from.packageId;
      to.nodeId = from.nodeId;
      to.llcId = from.llcId;
      to.capacity = from.capacity;
      to.online = from.online;
      to.isolated = from.isolated;
    }
    copy.distances.addAll(distances);
    return copy;
  }

  /** The CPU of that number, made on first use; CPUs below it come into being too. */
  public Cpu cpu(int cpu) {
    while (cpus.size() <= cpu) {
      cpus.add(new Cpu(cpus.size()));
    }
    return cpus.get(cpu);
  }

  /** All CPUs in order of their number. */
  public List<Cpu> cpus() {
    return cpus;
  }

  public List<Distance> distances() {
    return distances;
  }

  /**
   * Reads a kernel cpulist such as {@code 0-3,8,10-11}.
   *
   * @param limit CPUs at or above it are an error: bounds what a hostile list can allocate
   * @throws IllegalArgumentException if the text is no cpulist
   */
  public static int[] parseCpuList(String text, int limit) {
    int[] result = new int[16];
    int n = 0;
    String trimmed = text.strip();
    if (trimmed.isEmpty()) {
      return new int[0];
    }
    int from = 0;
    while (from <= trimmed.length()) {
      int comma = trimmed.indexOf(',', from);
      String range = trimmed.substring(from, comma < 0 ? trimmed.length() : comma).strip();
      int dash = range.indexOf('-');
      int first;
      int last;
      try {
        first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
        last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("must be a list like 0-3,8: cpulist=" + text, e);
      }
      if (first < 0 || last < first || last >= limit) {
        throw new IllegalArgumentException(
            "must be ranges within 0-" + (limit - 1) + ": cpulist=" + text);
      }
      for (int cpu = first; cpu <= last; cpu++) {
        if (n == result.length) {
          result = Arrays.copyOf(result, n * 2);
        }
        result[n++] = cpu;
        if (n > limit) {
          throw new IllegalArgumentException("must not repeat CPUs: cpulist=" + text);
        }
      }
      if (comma < 0) {
        break;
      }
      from = comma + 1;
    }
    return Arrays.copyOf(result, n);
  }
}

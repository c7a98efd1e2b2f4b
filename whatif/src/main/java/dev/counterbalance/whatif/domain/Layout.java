package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Who shares what on a machine, for the CPUs that are in domains: those online and not isolated.
 * CPUs that share something have the same {@link CpuSet} object.
 *
 * <p>What is unknown is taken as follows: no core is a core of its own, no LLC is one LLC for each
 * package and node, no package is one package, no node is node 0, no distance is 10 within and 20
 * between nodes, no capacity is 1024. A core that spans LLCs, or an LLC that spans nodes, is cut
 * there, as the kernel cuts them.
 */
final class Layout {
  private static final int LOCAL_DISTANCE = 10;
  private static final int REMOTE_DISTANCE = 20;
  private static final int FULL_CAPACITY = 1024;

  final int cpus;

  /** Online CPUs, isolated ones included. */
  final CpuSet online;

  /** The CPUs that are in domains (kernel: cpu_map). */
  final CpuSet map;

  /** By CPU; null for a CPU that is in no domain. */
  final CpuSet[] self;

  final CpuSet[] core;
  final CpuSet[] llc;
  final CpuSet[] node;

  /** By CPU: the place of its node in the order of node numbers. */
  final int[] nodeOf;

  /** By place: the node's CPUs that are in domains, maybe none; and those online. */
  final CpuSet[] nodeCpus;

  final CpuSet[] nodeOnline;

  /** By places of nodes. */
  final int[][] distance;

  /** By CPU, 1024 = the fastest. */
  final int[] capacity;

  private record Key(String what, long outer, long inner) {}

  Layout(Machine machine) {
    cpus = machine.cpus().size();
    online = new CpuSet(cpus);
    map = new CpuSet(cpus);
    self = new CpuSet[cpus];
    core = new CpuSet[cpus];
    llc = new CpuSet[cpus];
    node = new CpuSet[cpus];
    nodeOf = new int[cpus];
    capacity = new int[cpus];
    int[] nodeIds = machine.cpus().stream().mapToInt(Layout::nodeId).distinct().sorted().toArray();
    nodeCpus = sets(nodeIds.length);
    nodeOnline = sets(nodeIds.length);
    Map<Key, CpuSet> shared = new HashMap<>();
    for (Machine.Cpu from : machine.cpus()) {
      int cpu = from.cpu;
      nodeOf[cpu] = Arrays.binarySearch(nodeIds, nodeId(from));
      capacity[cpu] = from.capacity > 0 ? from.capacity : FULL_CAPACITY;
      if (!from.online) {
        continue;
      }
      online.add(cpu);
      nodeOnline[nodeOf[cpu]].add(cpu);
      if (from.isolated) {
        continue;
      }
      map.add(cpu);
      self[cpu] = CpuSet.of(cpus, cpu);
      node[cpu] = nodeCpus[nodeOf[cpu]];
      node[cpu].add(cpu);
      Key cache =
          from.llcId >= 0
              ? new Key("llc", nodeOf[cpu], from.llcId)
              : new Key("package", nodeOf[cpu], from.packageId);
      llc[cpu] = member(shared, cache, cpu);
      long cacheId = llc[cpu].first();
      core[cpu] =
          from.coreId >= 0 ? member(shared, new Key("core", cacheId, from.coreId), cpu) : self[cpu];
    }
    distance = distances(machine, nodeIds);
  }

  private CpuSet[] sets(int count) {
    CpuSet[] sets = new CpuSet[count];
    Arrays.setAll(sets, i -> new CpuSet(cpus));
    return sets;
  }

  private CpuSet member(Map<Key, CpuSet> shared, Key key, int cpu) {
    CpuSet set = shared.computeIfAbsent(key, absent -> new CpuSet(cpus));
    set.add(cpu);
    return set;
  }

  private static int nodeId(Machine.Cpu cpu) {
    return Math.max(cpu.nodeId, 0);
  }

  private static int[][] distances(Machine machine, int[] nodeIds) {
    int[][] distance = new int[nodeIds.length][nodeIds.length];
    for (int from = 0; from < nodeIds.length; from++) {
      Arrays.fill(distance[from], REMOTE_DISTANCE);
      distance[from][from] = LOCAL_DISTANCE;
    }
    for (Machine.Distance entry : machine.distances()) {
      int from = Arrays.binarySearch(nodeIds, entry.fromNode());
      int to = Arrays.binarySearch(nodeIds, entry.toNode());
      if (from >= 0 && to >= 0) {
        distance[from][to] = entry.distance();
      }
    }
    return distance;
  }

  int nodes() {
    return nodeCpus.length;
  }

  /** The different distances between different nodes, ascending. */
  int[] distinctDistances() {
    int largest = 0;
    for (int[] row : distance) {
      for (int value : row) {
        largest = Math.max(largest, value);
      }
    }
    CpuSet seen = new CpuSet(largest + 1);
    for (int from = 0; from < distance.length; from++) {
      for (int to = 0; to < distance.length; to++) {
        if (from != to) {
          seen.add(distance[from][to]);
        }
      }
    }
    return seen.toArray();
  }

  /** By place of node: the CPUs of all nodes no farther than that. */
  CpuSet[] within(int distanceLimit) {
    CpuSet[] within = sets(nodes());
    for (int from = 0; from < nodes(); from++) {
      within[from].addAll(nodeCpus[from]);
      for (int to = 0; to < nodes(); to++) {
        if (distance[from][to] <= distanceLimit) {
          within[from].addAll(nodeCpus[to]);
        }
      }
    }
    return within;
  }

  /**
   * By place of node: its CPUs and those of the nearest others that have CPUs. Of nodes equally
   * near, the next in number comes first, after the last the first again (K36 sched.c
   * sched_domain_node_span).
   *
   * @param most nodes, the own one included
   */
  CpuSet[] nearest(int most) {
    CpuSet[] nearest = sets(nodes());
    for (int from = 0; from < nodes(); from++) {
      boolean[] used = new boolean[nodes()];
      used[from] = true;
      nearest[from].addAll(nodeCpus[from]);
      for (int n = 1; n < Math.min(most, nodes()); n++) {
        int best = -1;
        for (int step = 1; step < nodes(); step++) {
          int to = (from + step) % nodes();
          if (!used[to]
              && !nodeOnline[to].isEmpty()
              && (best < 0 || distance[from][to] < distance[from][best])) {
            best = to;
          }
        }
        if (best < 0) {
          break;
        }
        used[best] = true;
        nearest[from].addAll(nodeCpus[best]);
      }
    }
    return nearest;
  }
}

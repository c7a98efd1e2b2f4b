package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.rule.Tunables;
import java.util.List;

/**
 * What the work itself does not contain: switching, refilling caches after a move, and passes of
 * the balancer. Charged as extra work of the task that runs next; all zero by default.
 */
final class Costs {
  private final RunState state;
  private final long switchNs;
  private final long[] reloadNs = new long[4];
  private final int[] core;
  private final int[] llc;
  private final int[] node;
  private final long[] owed;
  private final long[] cpuOwed;
  private boolean anyCpuOwed;
  private long totalNs;

  Costs(RunState state, Machine machine, Tunables tunables) {
    this.state = state;
    switchNs = tunables.get("switchCostNs");
    reloadNs[1] = tunables.get("reloadNs[LLC]");
    reloadNs[2] = tunables.get("reloadNs[CROSS_LLC]");
    reloadNs[3] = tunables.get("reloadNs[CROSS_NODE]");
    core = new int[state.cpus];
    llc = new int[state.cpus];
    node = new int[state.cpus];
    List<Machine.Cpu> cpus = machine.cpus();
    for (int cpu = 0; cpu < state.cpus; cpu++) {
      boolean known = cpu < cpus.size();
      core[cpu] = known ? cpus.get(cpu).coreId : cpu;
      llc[cpu] = known ? cpus.get(cpu).llcId : -1;
      node[cpu] = known ? cpus.get(cpu).nodeId : -1;
    }
    owed = new long[state.tasks];
    cpuOwed = new long[state.cpus];
  }

  /** All that was charged so far. */
  long totalNs() {
    return totalNs;
  }

  /** The task changes CPU: its first run there starts with a cold cache. */
  void moved(int task, int from, int to) {
    int distance =
        node[from] != node[to] ? 3 : llc[from] != llc[to] ? 2 : core[from] != core[to] ? 1 : 0;
    owed[task] = Math.max(owed[task], reloadNs[distance]);
  }

  /** The CPU spends time in the balancer. */
  void balanced(int cpu, long ns) {
    if (ns > 0) {
      cpuOwed[cpu] += ns;
      anyCpuOwed = true;
    }
  }

  /** The task starts to run on a CPU. */
  void switched(int task) {
    long cost = switchNs + owed[task];
    owed[task] = 0;
    if (anyCpuOwed) {
      int cpu = state.taskCpu[task];
      cost += cpuOwed[cpu];
      cpuOwed[cpu] = 0;
    }
    if (cost > 0) {
      state.remaining[task] += cost;
      totalNs += cost;
    }
  }
}

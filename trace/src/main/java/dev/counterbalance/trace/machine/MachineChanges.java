package dev.counterbalance.trace.machine;

import java.util.HashSet;
import java.util.Set;

/**
 * What may be changed about a machine before a run. Each change gives a new machine and leaves the
 * given one alone; their order does not matter.
 */
public final class MachineChanges {
  private MachineChanges() {}

  /**
   * Takes CPUs offline, as writing 0 to their {@code online} file does: they run nothing and are in
   * no domain.
   *
   * @param cpuList such as {@code 4-7,12}
   * @throws IllegalArgumentException if it is no list of the machine's CPUs, or names them all
   */
  public static Machine offline(Machine machine, String cpuList) {
    Machine changed = machine.copy();
    for (int cpu : parse("--offline", machine, cpuList)) {
      changed.cpu(cpu).online = false;
    }
    return withOneOnline(changed, "--offline " + cpuList);
  }

  /**
   * Isolates CPUs, as the boot option {@code isolcpus=} does: they run what is put there, and are
   * in no domain.
   *
   * @param cpuList such as {@code 4-7,12}
   * @throws IllegalArgumentException if it is no list of the machine's CPUs
   */
  public static Machine isolated(Machine machine, String cpuList) {
    Machine changed = machine.copy();
    for (int cpu : parse("--isolated", machine, cpuList)) {
      changed.cpu(cpu).isolated = true;
    }
    return changed;
  }

  /**
   * Takes all but the first thread of each core offline, as the boot option {@code nosmt} does. The
   * first is the lowest CPU of the core, online or not. CPUs whose core is unknown stay.
   *
   * @throws IllegalArgumentException if no CPU would stay online
   */
  public static Machine noSmt(Machine machine) {
    Machine changed = machine.copy();
    Set<Integer> cores = new HashSet<>();
    for (Machine.Cpu cpu : changed.cpus()) {
      if (cpu.coreId >= 0 && !cores.add(cpu.coreId)) {
        cpu.online = false;
      }
    }
    return withOneOnline(changed, "--nosmt");
  }

  private static int[] parse(String option, Machine machine, String cpuList) {
    int cpus = machine.cpus().size();
    if (cpus == 0) {
      throw new IllegalArgumentException(option + ": the machine's CPUs are not known.");
    }
    try {
      return Machine.parseCpuList(cpuList, cpus);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          option + ": " + e.getMessage() + ". The machine has the CPUs 0-" + (cpus - 1) + ".", e);
    }
  }

  private static Machine withOneOnline(Machine machine, String change) {
    for (Machine.Cpu cpu : machine.cpus()) {
      if (cpu.online) {
        return machine;
      }
    }
    throw new IllegalArgumentException(change + ": no CPU would be online. Leave one at least.");
  }
}

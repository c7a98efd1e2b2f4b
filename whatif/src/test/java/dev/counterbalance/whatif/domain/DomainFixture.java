package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.TopologySpec;

/** The domains of the machines that the vectors of the rules speak of, as 2.6.36 builds them. */
public final class DomainFixture {
  private DomainFixture() {}

  /** Q6600: two pairs that share a cache; MC and CPU levels. */
  public static SchedDomains quad() {
    return build(TopologySpec.parse("1s2l2c"));
  }

  /** Sockets of four cores that share a cache: MC and CPU levels. */
  public static SchedDomains quadSockets(int sockets) {
    return build(TopologySpec.parse(sockets + "s4c"));
  }

  /** Two sockets of two cores of two threads, siblings numbered together: SMT, MC, CPU. */
  public static SchedDomains hyperThreaded() {
    return build(threads(8, 2, 4));
  }

  /** One core of four threads, 1178 / 4 = 294 each: the SMT level only. */
  public static SchedDomains fourThreads() {
    return build(threads(4, 4, 4));
  }

  private static Machine threads(int cpus, int perCore, int perSocket) {
    Machine machine = Machine.unknown();
    for (int i = 0; i < cpus; i++) {
      Machine.Cpu cpu = machine.cpu(i);
      cpu.coreId = i / perCore * perCore;
      cpu.llcId = i / perSocket * perSocket;
      cpu.packageId = cpu.llcId;
      cpu.nodeId = 0;
    }
    return machine;
  }

  private static SchedDomains build(Machine machine) {
    return DomainBuilder.build(machine, DomainOptions.linux2636());
  }
}

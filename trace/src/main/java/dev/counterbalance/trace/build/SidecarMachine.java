package dev.counterbalance.trace.build;

import dev.counterbalance.trace.machine.Machine;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;

/**
 * Joins what the header and the sidecar tell of a machine. The sidecar wins; what it tells of no
 * CPU at all is taken from the header, if that does not divide the threads of a core.
 */
final class SidecarMachine {
  private final Machine header;
  private final Machine joined;

  /** CPUs of which the two tell different things. */
  private int contradicted;

  private String example;

  private SidecarMachine(Machine header, Machine sidecar) {
    this.header = header;
    this.joined = sidecar.copy();
  }

  /**
   * What both tell together.
   *
   * @param contradiction how many CPUs they tell different things of, 0 if none, and the first such
   *     thing
   */
  record Joined(Machine machine, int contradictions, String contradiction) {}

  static Joined join(Machine header, Machine sidecar) {
    SidecarMachine both = new SidecarMachine(header, sidecar);
    both.compare();
    both.fill(cpu -> cpu.coreId, (cpu, id) -> cpu.coreId = id, false);
    both.fill(cpu -> cpu.packageId, (cpu, id) -> cpu.packageId = id, false);
    both.fill(cpu -> cpu.dieId, (cpu, id) -> cpu.dieId = id, false);
    both.fill(cpu -> cpu.clusterId, (cpu, id) -> cpu.clusterId = id, false);
    both.fill(cpu -> cpu.nodeId, (cpu, id) -> cpu.nodeId = id, true);
    both.fill(cpu -> cpu.llcId, (cpu, id) -> cpu.llcId = id, true);
    both.fill(cpu -> cpu.capacity, (cpu, value) -> cpu.capacity = value, false);
    if (both.joined.distances().isEmpty()) {
      both.joined.distances().addAll(header.distances());
    }
    return new Joined(both.joined, both.contradicted, both.example);
  }

  private void compare() {
    int cpus = Math.min(header.cpus().size(), joined.cpus().size());
    for (int i = 0; i < cpus; i++) {
      Machine.Cpu one = header.cpu(i);
      Machine.Cpu other = joined.cpu(i);
      String differs = differs("core", one.coreId, other.coreId);
      differs = differs == null ? differs("LLC", one.llcId, other.llcId) : differs;
      differs = differs == null ? differs("node", one.nodeId, other.nodeId) : differs;
      differs = differs == null ? differs("package", one.packageId, other.packageId) : differs;
      if (differs == null && one.online != other.online) {
        differs = "it is " + (one.online ? "online" : "offline") + " in the header only";
      }
      if (differs != null) {
        contradicted++;
        example = example == null ? "of CPU " + i + " " + differs : example;
      }
    }
    int more = Math.abs(header.cpus().size() - joined.cpus().size());
    if (more > 0 && !header.cpus().isEmpty()) {
      contradicted += more;
      String counts =
          "there are " + header.cpus().size() + " CPUs in the header and " + joined.cpus().size();
      example = example == null ? counts : example;
    }
  }

  private static String differs(String what, int header, int sidecar) {
    return header < 0 || sidecar < 0 || header == sidecar
        ? null
        : "the " + what + " is " + header + " in the header and " + sidecar;
  }

  private void fill(
      ToIntFunction<Machine.Cpu> get, BiConsumer<Machine.Cpu, Integer> set, boolean ofWholeCores) {
    int cpus = Math.min(header.cpus().size(), joined.cpus().size());
    if (joined.cpus().stream().anyMatch(cpu -> get.applyAsInt(cpu) >= 0)) {
      return;
    }
    for (Machine.Cpu cpu : joined.cpus().subList(0, cpus)) {
      boolean hasSibling = cpu.coreId >= 0 && cpu.coreId < cpus;
      int first = get.applyAsInt(header.cpu(hasSibling ? cpu.coreId : cpu.cpu));
      if (ofWholeCores && first != get.applyAsInt(header.cpu(cpu.cpu))) {
        return;
      }
    }
    for (Machine.Cpu cpu : joined.cpus().subList(0, cpus)) {
      set.accept(cpu, get.applyAsInt(header.cpu(cpu.cpu)));
    }
  }
}

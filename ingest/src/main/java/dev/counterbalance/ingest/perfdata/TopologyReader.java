package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.machine.Machine;
import java.util.function.ObjIntConsumer;

/**
 * Reads what a header tells about the machine. A core, die or cache is named by its lowest CPU, a
 * package and a node by the number the kernel gives it.
 */
final class TopologyReader {
  /** CPUs in all lists together; a machine with 65536 CPUs stays below. */
  private static final long MAX_LISTED = 16 << 20;

  private final TraceInfo info;
  private long listed;

  TopologyReader(TraceInfo info) {
    this.info = info;
  }

  /** NRCPUS: available first, online second. */
  void cpuCounts(SectionReader in) throws TraceFormatException {
    long available = in.u32();
    long online = in.u32();
    if (available > Recording.MAX_CPUS || online > available) {
      throw in.fail(
          available + " CPUs, " + online + " of them online", "at most " + Recording.MAX_CPUS);
    }
    info.cpusAvailable = (int) available;
    info.cpusOnline = (int) online;
    if (available > 0) {
      info.machine.cpu((int) available - 1);
    }
  }

  /** CPU_TOPOLOGY: lists of packages and threads; newer perf adds numbers per CPU, then dies. */
  void cpus(SectionReader in) throws TraceFormatException {
    lists(in, (cpu, lowest) -> cpu.packageId = lowest);
    boolean[] isOnline = new boolean[Recording.MAX_CPUS];
    int threadLists =
        lists(
            in,
            (cpu, lowest) -> {
              cpu.coreId = lowest;
              isOnline[cpu.cpu] = true;
            });
    int available = info.cpusAvailable;
    for (Machine.Cpu cpu : info.machine.cpus()) {
      cpu.online = threadLists == 0 || isOnline[cpu.cpu];
    }
    if (in.remaining() == 0 || available < 0) {
      return;
    }
    for (int cpu = 0; cpu < available; cpu++) {
      in.s32(); // core id, unique only within its package
      int socket = in.s32();
      if (socket >= 0) {
        info.machine.cpu(cpu).packageId = socket;
      }
    }
    if (in.remaining() > 0) {
      lists(in, (cpu, lowest) -> cpu.dieId = lowest);
    }
  }

  /** NUMA_TOPOLOGY. */
  void nodes(SectionReader in) throws TraceFormatException {
    for (int left = in.count(24); left > 0; left--) {
      long node = in.u32();
      info.facts.put("node" + node + "_mem_total_kb", Long.toUnsignedString(in.s64()));
      in.s64(); // free memory
      forEach(in, in.paddedString(), (cpu, lowest) -> cpu.nodeId = (int) node);
    }
  }

  /** CACHE: the CPUs that share each cache; the highest level is the last-level cache. */
  void caches(SectionReader in) throws TraceFormatException {
    long version = in.u32();
    if (version != 1) {
      return;
    }
    int[] levelOf = new int[Recording.MAX_CPUS];
    for (int left = in.count(28); left > 0; left--) {
      int level = in.s32();
      in.skip(12); // line size, sets, ways
      in.paddedString(); // type
      in.paddedString(); // size
      forEach(
          in,
          in.paddedString(),
          (cpu, lowest) -> {
            if (level > levelOf[cpu.cpu]) {
              levelOf[cpu.cpu] = level;
              cpu.llcId = lowest;
            }
          });
    }
  }

  /** HYBRID_TOPOLOGY: which CPUs belong to which kind of core. */
  void hybrid(SectionReader in) throws TraceFormatException {
    for (int left = in.count(8); left > 0; left--) {
      String pmu = in.paddedString();
      info.facts.put("hybrid." + pmu, in.paddedString());
    }
  }

  /** CPU_DOMAIN_INFO: the scheduling domains of each CPU, kept as facts. */
  void domains(SectionReader in) throws TraceFormatException {
    long version = in.u32();
    in.u32(); // most domains of a CPU
    while (in.remaining() >= 8) {
      long cpu = in.u32();
      for (int left = in.count(8); left > 0; left--) {
        long level = in.u32();
        String name = version >= 17 ? in.paddedString() : "";
        in.paddedString(); // the same as a mask
        info.facts.put(
            "sched_domain.cpu" + cpu + ".level" + level,
            (name.isEmpty() ? "" : name + " ") + in.paddedString());
      }
    }
  }

  private int lists(SectionReader in, ObjIntConsumer<Machine.Cpu> each)
      throws TraceFormatException {
    int count = in.count(4);
    for (int left = count; left > 0; left--) {
      forEach(in, in.paddedString(), each);
    }
    return count;
  }

  private void forEach(SectionReader in, String cpuList, ObjIntConsumer<Machine.Cpu> each)
      throws TraceFormatException {
    int[] cpus;
    try {
      int known = info.machine.cpus().size();
      cpus = Machine.parseCpuList(cpuList, known == 0 ? Recording.MAX_CPUS : known);
    } catch (IllegalArgumentException e) {
      throw in.fail("a CPU list that makes no sense: " + e.getMessage(), "a list like 0-3,8");
    }
    listed += cpus.length;
    if (listed > MAX_LISTED) {
      throw in.fail("CPU lists of " + listed + " CPUs in all", "at most " + MAX_LISTED);
    }
    for (int cpu : cpus) {
      each.accept(info.machine.cpu(cpu), cpus[0]);
    }
  }
}

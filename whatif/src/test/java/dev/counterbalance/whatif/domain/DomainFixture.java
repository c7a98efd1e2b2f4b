package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Domains of regular machines, made by hand: each level says how many neighbouring CPUs a domain
 * spans and how many a group holds. Parameters are the 2.6.36 tables of kernel-rules 1.4.
 */
public final class DomainFixture {
  private static final int COMMON =
      DomainParams.LOAD_BALANCE
          | DomainParams.BALANCE_NEWIDLE
          | DomainParams.BALANCE_EXEC
          | DomainParams.BALANCE_FORK
          | DomainParams.WAKE_AFFINE;

  private static final DomainParams SMT =
      params(110, 0, 0, 0, COMMON | DomainParams.SHARE_CPUPOWER | DomainParams.SHARE_PKG_RESOURCES);
  private static final DomainParams MC =
      params(125, 1, 2, 0, COMMON | DomainParams.SHARE_PKG_RESOURCES | DomainParams.PREFER_SIBLING);
  private static final DomainParams CPU =
      params(125, 1, 2, 1, COMMON | DomainParams.PREFER_SIBLING);

  private final int cpus;
  private final List<SchedDomain[]> levels = new ArrayList<>();
  private final List<SchedGroup> groups = new ArrayList<>();
  private final List<SchedDomain> all = new ArrayList<>();

  private DomainFixture(int cpus) {
    this.cpus = cpus;
  }

  /** Q6600: two pairs that share a cache; MC and CPU levels. */
  public static SchedDomains quad() {
    return new DomainFixture(4).level("MC", MC, 2, 1, 1024).level("CPU", CPU, 4, 2, 1024).build();
  }

  /** Sockets of four cores that share a cache: MC and CPU levels. */
  public static SchedDomains quadSockets(int sockets) {
    int cpus = 4 * sockets;
    return new DomainFixture(cpus)
        .level("MC", MC, 4, 1, 1024)
        .level("CPU", CPU, cpus, 4, 1024)
        .build();
  }

  /** Two sockets of two cores of two threads, siblings numbered together: SMT, MC, CPU. */
  public static SchedDomains hyperThreaded() {
    return new DomainFixture(8)
        .level("SMT", SMT, 2, 1, 589)
        .level("MC", MC, 4, 2, 589)
        .level("CPU", CPU, 8, 4, 589)
        .build();
  }

  /** One core of four threads, 1178 / 4 = 294 each: the SMT level only. */
  public static SchedDomains fourThreads() {
    return new DomainFixture(4).level("SMT", SMT, 4, 1, 294).build();
  }

  private static DomainParams params(int pct, int tries, int busyIdx, int idleIdx, int flags) {
    return new DomainParams(1, 4, 1, 64, pct, tries, busyIdx, idleIdx, 0, flags);
  }

  private DomainFixture level(String name, DomainParams params, int span, int size, int power) {
    List<SchedGroup> made = new ArrayList<>();
    for (int first = 0; first < cpus; first += size) {
      made.add(new SchedGroup(groups.size(), range(first, size), size * power));
      groups.add(made.get(made.size() - 1));
    }
    SchedDomain[] level = new SchedDomain[cpus];
    int ring = span / size;
    for (int cpu = 0; cpu < cpus; cpu++) {
      int start = cpu / span * ring;
      SchedGroup[] rotated = new SchedGroup[ring];
      for (int i = 0; i < ring; i++) {
        rotated[i] = made.get(start + (cpu / size - start + i) % ring);
      }
      CpuSet cpusOfSpan = range(cpu / span * span, span);
      level[cpu] =
          new SchedDomain(all.size(), cpu, levels.size(), name, cpusOfSpan, rotated, params);
      all.add(level[cpu]);
      if (!levels.isEmpty()) {
        SchedDomain child = levels.get(levels.size() - 1)[cpu];
        level[cpu].child = child;
        child.parent = level[cpu];
      }
    }
    levels.add(level);
    return this;
  }

  private CpuSet range(int first, int size) {
    CpuSet set = new CpuSet(cpus);
    for (int cpu = first; cpu < first + size; cpu++) {
      set.add(cpu);
    }
    return set;
  }

  private SchedDomains build() {
    SchedDomain[][] perCpu = new SchedDomain[cpus][levels.size()];
    for (int level = 0; level < levels.size(); level++) {
      for (int cpu = 0; cpu < cpus; cpu++) {
        perCpu[cpu][level] = levels.get(level)[cpu];
      }
    }
    return new SchedDomains(
        perCpu,
        groups.toArray(SchedGroup[]::new),
        all.toArray(SchedDomain[]::new),
        CpuSet.all(cpus));
  }
}

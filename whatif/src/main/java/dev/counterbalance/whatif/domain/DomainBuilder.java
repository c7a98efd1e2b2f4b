package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.domain.Level.Reach;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds the sched domains of a machine as a kernel does at boot: levels, groups, powers, then the
 * levels that decide nothing are dropped, CPU by CPU. Sources: K36 kernel/sched.c
 * (__build_sched_domains, cpu_attach_domain, init_sched_groups_power), K41 kernel/sched/core.c, K53
 * and K510 kernel/sched/topology.c; see kernel-rules section 1.
 *
 * <p>CPUs that are offline or isolated get no domains and are in no span. What a machine does not
 * tell is taken as {@link Layout} says. All NUMA levels are named NUMA, as in the kernel.
 */
public final class DomainBuilder {
  private static final int NODES_PER_DOMAIN = 16;

  /** x86 RECLAIM_DISTANCE, later node_reclaim_distance. */
  private static final int RECLAIM_DISTANCE = 30;

  /** smt_gain: what a core with all threads busy does, 1024 = a thread alone. */
  private static final int SMT_GAIN = 1178;

  private static final int ONE_CPU = 1024;

  private static final int NEEDS_GROUPS =
      DomainParams.LOAD_BALANCE
          | DomainParams.BALANCE_NEWIDLE
          | DomainParams.BALANCE_FORK
          | DomainParams.BALANCE_EXEC
          | DomainParams.SHARE_CPUPOWER
          | DomainParams.SHARE_PKG_RESOURCES
          | DomainParams.ASYM_CPUCAPACITY;

  private final Generation generation;
  private final DomainOptions options;
  private final LevelOverrides overrides;
  private final Layout layout;
  private final int[] power;

  /** From the lowest level up. */
  private final List<Level> levels = new ArrayList<>();

  /** By level: spans by CPU (null: the CPU has no such level), group rings and flags by CPU. */
  private final List<CpuSet[]> spans = new ArrayList<>();

  private final List<CpuSet[][]> rings = new ArrayList<>();
  private final List<int[]> flags = new ArrayList<>();

  private final List<SchedDomain> domains = new ArrayList<>();
  private final List<SchedGroup> groups = new ArrayList<>();
  private final List<Map<CpuSet, SchedGroup>> groupOf = new ArrayList<>();
  private final List<IdentityHashMap<CpuSet[], SchedGroup[]>> groupsOf = new ArrayList<>();
  private final Map<DomainParams, DomainParams> params = new HashMap<>();

  private DomainBuilder(Machine machine, DomainOptions options) {
    this.options = options;
    generation = Generations.of(options.domainParams());
    overrides = new LevelOverrides(options.overrides());
    layout = new Layout(machine);
    power = new int[layout.cpus];
  }

  /**
   * Builds the domains of every CPU.
   *
   * @throws IllegalArgumentException if an option sets a level that the domains do not have, or to
   *     a value that makes no sense
   */
  public static SchedDomains build(Machine machine, DomainOptions options) {
    return new DomainBuilder(machine, options).build();
  }

  private SchedDomains build() {
    cpuPowers();
    addLevels();
    markAsymmetry();
    SchedDomain[][] perCpu = new SchedDomain[layout.cpus][];
    for (int cpu = 0; cpu < layout.cpus; cpu++) {
      perCpu[cpu] = layout.map.contains(cpu) ? attach(cpu) : new SchedDomain[0];
    }
    SchedDomains built =
        new SchedDomains(
            perCpu,
            groups.toArray(new SchedGroup[0]),
            domains.toArray(new SchedDomain[0]),
            layout.online,
            power);
    overrides.checkLevels(built.levelNames());
    return built;
  }

  /** K36 update_cpu_power without real-time load; later arch_scale_cpu_capacity. */
  private void cpuPowers() {
    boolean siblingsShare = options.smtCapacity().equals(DomainOptions.SMT_1178_PER_CORE);
    for (int cpu = 0; cpu < layout.cpus; cpu++) {
      int threads = layout.core[cpu] == null ? 1 : layout.core[cpu].size();
      power[cpu] =
          siblingsShare && threads > 1
              ? Math.max(1, layout.capacity[cpu] * SMT_GAIN / threads / ONE_CPU)
              : layout.capacity[cpu];
    }
  }

  private void addLevels() {
    for (Level level : generation.levels()) {
      if (options.dropNumaLevels() && level.reach() != Reach.CORE && level.reach() != Reach.LLC) {
        return;
      }
      add(level, spansOf(level.reach()), partsOf(level.reach()), level.flags());
    }
    if (generation.numaLevel() == null) {
      return;
    }
    for (int distance : layout.distinctDistances()) {
      int kept =
          distance > RECLAIM_DISTANCE
              ? ~(DomainParams.BALANCE_EXEC | DomainParams.BALANCE_FORK | DomainParams.WAKE_AFFINE)
              : ~0;
      Level level = generation.numaLevel();
      add(
          level,
          byNode(layout.within(distance)),
          spans.get(spans.size() - 1),
          level.flags() & kept);
    }
  }

  private CpuSet[] spansOf(Reach reach) {
    return switch (reach) {
      case CORE -> layout.core;
      case LLC -> layout.llc;
      case NODE -> layout.node;
      case NEAREST_NODES -> byNode(layout.nearest(NODES_PER_DOMAIN));
      case ALL -> allNodes();
      case DISTANCE -> throw new IllegalStateException("a distance is missing");
    };
  }

  /** By CPU: the group that it belongs to at that level. */
  private CpuSet[] partsOf(Reach reach) {
    return switch (reach) {
      case CORE -> layout.self;
      case LLC -> layout.core;
      case NODE -> layout.llc;
      case NEAREST_NODES, ALL -> layout.node;
      case DISTANCE -> throw new IllegalStateException("a distance is missing");
    };
  }

  private CpuSet[] byNode(CpuSet[] spanOfNode) {
    CpuSet[] byCpu = new CpuSet[layout.cpus];
    for (int cpu = layout.map.first(); cpu >= 0; cpu = layout.map.next(cpu)) {
      byCpu[cpu] = spanOfNode[layout.nodeOf[cpu]];
    }
    return byCpu;
  }

  /** K36: only where the 16 nodes of the NODE level are too few. */
  private CpuSet[] allNodes() {
    CpuSet[] byCpu = new CpuSet[layout.cpus];
    int all = layout.map.size();
    for (int cpu = layout.map.first(); cpu >= 0; cpu = layout.map.next(cpu)) {
      byCpu[cpu] = all > NODES_PER_DOMAIN * layout.node[cpu].size() ? layout.map : null;
    }
    return byCpu;
  }

  private void add(Level level, CpuSet[] reached, CpuSet[] parts, int levelFlags) {
    CpuSet[] span = reached.clone();
    if (generation.stopsAtAll() && !spans.isEmpty()) {
      CpuSet[] below = spans.get(spans.size() - 1);
      for (int cpu = layout.map.first(); cpu >= 0; cpu = layout.map.next(cpu)) {
        if (below[cpu] == null || below[cpu].size() == layout.map.size()) {
          span[cpu] = null;
        }
      }
    }
    Comparator<CpuSet> order =
        level.reach() == Reach.NEAREST_NODES
            ? Comparator.comparingInt(group -> layout.nodeOf[group.first()])
            : Comparator.comparingInt(CpuSet::first);
    Rings maker = new Rings(span, parts);
    boolean fromSelf = options.numaGroupOrigin().equals(DomainOptions.FROM_SELF);
    CpuSet[][] ring = new CpuSet[layout.cpus][];
    int[] levelFlagsOf = new int[layout.cpus];
    for (int cpu = layout.map.first(); cpu >= 0; cpu = layout.map.next(cpu)) {
      levelFlagsOf[cpu] = levelFlags;
      if (span[cpu] != null) {
        ring[cpu] =
            level.reach() == Reach.DISTANCE
                ? maker.overlapping(cpu, fromSelf)
                : maker.of(cpu, order);
      }
    }
    levels.add(level);
    spans.add(span);
    rings.add(ring);
    flags.add(levelFlagsOf);
    groupOf.add(new HashMap<>());
    groupsOf.add(new IdentityHashMap<>());
  }

  /** K53 asym_cpu_capacity_level, sd_init. */
  private void markAsymmetry() {
    int largest = 0;
    int smallest = Integer.MAX_VALUE;
    for (int cpu = layout.map.first(); cpu >= 0; cpu = layout.map.next(cpu)) {
      largest = Math.max(largest, layout.capacity[cpu]);
      smallest = Math.min(smallest, layout.capacity[cpu]);
    }
    if (!generation.knowsAsymmetry() || smallest >= largest) {
      return;
    }
    CpuSet fastest = new CpuSet(layout.cpus);
    for (int cpu = layout.map.first(); cpu >= 0; cpu = layout.map.next(cpu)) {
      if (layout.capacity[cpu] == largest) {
        fastest.add(cpu);
      }
    }
    int lowest = 0;
    for (int cpu = layout.map.first(); cpu >= 0; cpu = layout.map.next(cpu)) {
      while (lowest < levels.size()
          && spans.get(lowest)[cpu] != null
          && !spans.get(lowest)[cpu].intersects(fastest)) {
        lowest++;
      }
    }
    for (int cpu = layout.map.first(); cpu >= 0; cpu = layout.map.next(cpu)) {
      if (lowest < levels.size() && spans.get(lowest)[cpu] != null) {
        flags.get(lowest)[cpu] |= DomainParams.ASYM_CPUCAPACITY;
        if (lowest > 0) {
          flags.get(lowest - 1)[cpu] &= ~DomainParams.PREFER_SIBLING;
        }
      }
    }
  }

  /** Drops the levels of a CPU that decide nothing, and makes domains of the others. */
  private SchedDomain[] attach(int cpu) {
    List<Integer> kept = new ArrayList<>();
    for (int level = 0; level < levels.size(); level++) {
      if (spans.get(level)[cpu] == null) {
        continue;
      }
      if (kept.isEmpty()) {
        kept.add(level);
        continue;
      }
      int child = kept.get(kept.size() - 1);
      if (!isParentDegenerate(child, level, cpu)) {
        kept.add(level);
      } else if (generation.dropsPreferSibling()) {
        flags.get(child)[cpu] |= flags.get(level)[cpu] & DomainParams.PREFER_SIBLING;
      }
    }
    if (!kept.isEmpty() && isDegenerate(kept.get(0), cpu)) {
      kept.remove(0);
    }
    SchedDomain[] chain = new SchedDomain[kept.size()];
    for (int i = 0; i < chain.length; i++) {
      chain[i] = domain(cpu, i, kept.get(i));
      if (i > 0) {
        chain[i].child = chain[i - 1];
        chain[i - 1].parent = chain[i];
      }
    }
    return chain;
  }

  private boolean isDegenerate(int level, int cpu) {
    return spans.get(level)[cpu].size() == 1
        || (rings.get(level)[cpu].length == 1
            && (flags.get(level)[cpu] & DomainParams.WAKE_AFFINE) == 0);
  }

  private boolean isParentDegenerate(int child, int parent, int cpu) {
    if (isDegenerate(parent, cpu)) {
      return true;
    }
    if (!spans.get(child)[cpu].equals(spans.get(parent)[cpu])) {
      return false;
    }
    int parentFlags = flags.get(parent)[cpu];
    if (rings.get(parent)[cpu].length == 1) {
      parentFlags &= ~NEEDS_GROUPS;
      if (generation.dropsPreferSibling()) {
        parentFlags &= ~DomainParams.PREFER_SIBLING;
      }
      if (layout.nodes() == 1) {
        parentFlags &= ~DomainParams.SERIALIZE;
      }
    }
    return (parentFlags & ~flags.get(child)[cpu]) == 0;
  }

  private SchedDomain domain(int cpu, int index, int level) {
    CpuSet span = spans.get(level)[cpu];
    String name = levels.get(level).name();
    DomainParams ofLevel =
        levels.get(level).params(span.size(), layout.online.size(), flags.get(level)[cpu]);
    DomainParams shared = params.computeIfAbsent(overrides.apply(name, ofLevel), own -> own);
    SchedGroup[] ring =
        groupsOf.get(level).computeIfAbsent(rings.get(level)[cpu], masks -> ring(level, masks));
    SchedDomain domain = new SchedDomain(domains.size(), cpu, index, name, span, ring, shared);
    domains.add(domain);
    return domain;
  }

  private SchedGroup[] ring(int level, CpuSet[] masks) {
    SchedGroup[] ring = new SchedGroup[masks.length];
    for (int i = 0; i < masks.length; i++) {
      ring[i] = groupOf.get(level).computeIfAbsent(masks[i], mask -> group(level, mask));
    }
    return ring;
  }

  private SchedGroup group(int level, CpuSet mask) {
    int sum = 0;
    CpuSet balance = mask.copy();
    boolean narrows =
        generation.narrowsBalanceMask() && levels.get(level).reach() == Reach.DISTANCE;
    for (int cpu = mask.first(); cpu >= 0; cpu = mask.next(cpu)) {
      sum += power[cpu];
      if (narrows && !mask.equals(spans.get(level - 1)[cpu])) {
        balance.remove(cpu);
      }
    }
    SchedGroup group = new SchedGroup(groups.size(), mask, balance, sum);
    groups.add(group);
    return group;
  }
}

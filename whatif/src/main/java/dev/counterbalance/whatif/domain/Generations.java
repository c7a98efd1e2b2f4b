package dev.counterbalance.whatif.domain;

import static dev.counterbalance.whatif.domain.DomainParams.BALANCE_EXEC;
import static dev.counterbalance.whatif.domain.DomainParams.BALANCE_FORK;
import static dev.counterbalance.whatif.domain.DomainParams.BALANCE_NEWIDLE;
import static dev.counterbalance.whatif.domain.DomainParams.LOAD_BALANCE;
import static dev.counterbalance.whatif.domain.DomainParams.NUMA;
import static dev.counterbalance.whatif.domain.DomainParams.PREFER_SIBLING;
import static dev.counterbalance.whatif.domain.DomainParams.SERIALIZE;
import static dev.counterbalance.whatif.domain.DomainParams.SHARE_CPUPOWER;
import static dev.counterbalance.whatif.domain.DomainParams.SHARE_PKG_RESOURCES;
import static dev.counterbalance.whatif.domain.DomainParams.WAKE_AFFINE;

import dev.counterbalance.whatif.domain.Level.Reach;
import dev.counterbalance.whatif.domain.Level.Unit;
import java.util.List;

/** The table of kernel generations (kernel-rules sections 1.2 to 1.4). */
final class Generations {
  private static final int BALANCE = LOAD_BALANCE | BALANCE_NEWIDLE;
  private static final int PLACE = BALANCE | BALANCE_EXEC | BALANCE_FORK | WAKE_AFFINE;
  private static final int SMT = PLACE | SHARE_CPUPOWER | SHARE_PKG_RESOURCES;
  private static final int MC = PLACE | SHARE_PKG_RESOURCES;
  private static final int FAR = PLACE | SERIALIZE;
  private static final Unit MS = Unit.MS;
  private static final Unit SPAN = Unit.MS_PER_SPAN_CPU;
  private static final Unit ONLINE = Unit.MAX_PER_ONLINE_CPU;

  /** K36 include/linux/topology.h, x86 topology.h: SD_SIBLING_INIT to SD_ALLNODES_INIT, x86-64. */
  private static final Generation V2_6_36 =
      new Generation(
          "2.6.36",
          List.of(
              new Level("SMT", Reach.CORE, MS, 1, 2, 1, 64, 110, 0, 0, 0, SMT),
              new Level("MC", Reach.LLC, MS, 1, 4, 1, 64, 125, 1, 2, 0, MC | PREFER_SIBLING),
              new Level("CPU", Reach.NODE, MS, 1, 4, 1, 64, 125, 1, 2, 1, PLACE | PREFER_SIBLING),
              new Level("NODE", Reach.NEAREST_NODES, MS, 8, 32, 1, 32, 125, 2, 3, 2, FAR),
              new Level(
                  "ALLNODES",
                  Reach.ALL,
                  ONLINE,
                  64,
                  64,
                  64,
                  128,
                  133,
                  1,
                  3,
                  3,
                  BALANCE | SERIALIZE)),
          null,
          false,
          false,
          false,
          false);

  /** K41 kernel/sched/core.c sd_init. */
  private static final Generation V4_1 =
      new Generation(
          "4.1",
          List.of(
              new Level("SMT", Reach.CORE, SPAN, 1, 2, 1, 32, 110, 0, 0, 0, SMT | PREFER_SIBLING),
              new Level("MC", Reach.LLC, SPAN, 1, 2, 1, 32, 117, 1, 2, 0, MC),
              new Level(
                  "DIE", Reach.NODE, SPAN, 1, 2, 1, 32, 125, 1, 2, 1, PLACE | PREFER_SIBLING)),
          new Level("NUMA", Reach.DISTANCE, SPAN, 1, 2, 1, 32, 125, 2, 3, 2, FAR | NUMA),
          true,
          true,
          false,
          false);

  /** K53 kernel/sched/topology.c sd_init: no load indices any more, PREFER_SIBLING on MC too. */
  private static final Generation V5_3 =
      new Generation(
          "5.3",
          List.of(
              new Level("SMT", Reach.CORE, SPAN, 1, 2, 1, 32, 110, 0, 0, 0, SMT | PREFER_SIBLING),
              new Level("MC", Reach.LLC, SPAN, 1, 2, 1, 32, 117, 1, 0, 0, MC | PREFER_SIBLING),
              new Level(
                  "DIE", Reach.NODE, SPAN, 1, 2, 1, 32, 125, 1, 0, 0, PLACE | PREFER_SIBLING)),
          new Level("NUMA", Reach.DISTANCE, SPAN, 1, 2, 1, 32, 125, 2, 0, 0, FAR | NUMA),
          true,
          true,
          true,
          true);

  /** K510 kernel/sched/topology.c sd_init: half the busy_factor, 117 % above the LLC too. */
  private static final Generation V5_10 =
      new Generation(
          "5.10",
          List.of(
              new Level("SMT", Reach.CORE, SPAN, 1, 2, 1, 16, 110, 0, 0, 0, SMT | PREFER_SIBLING),
              new Level("MC", Reach.LLC, SPAN, 1, 2, 1, 16, 117, 1, 0, 0, MC | PREFER_SIBLING),
              new Level(
                  "DIE", Reach.NODE, SPAN, 1, 2, 1, 16, 117, 1, 0, 0, PLACE | PREFER_SIBLING)),
          new Level("NUMA", Reach.DISTANCE, SPAN, 1, 2, 1, 16, 117, 2, 0, 0, FAR | NUMA),
          true,
          true,
          true,
          true);

  private static final List<Generation> ALL = List.of(V2_6_36, V4_1, V5_3, V5_10);

  /** The generation of that name. */
  static Generation of(String name) {
    for (Generation generation : ALL) {
      if (generation.name().equals(name)) {
        return generation;
      }
    }
    throw new IllegalArgumentException("must be one of " + names() + ": domain_params=" + name);
  }

  static List<String> names() {
    return ALL.stream().map(Generation::name).toList();
  }

  private Generations() {}
}

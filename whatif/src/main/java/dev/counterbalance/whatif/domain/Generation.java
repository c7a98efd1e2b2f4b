package dev.counterbalance.whatif.domain;

import java.util.List;

/**
 * How one generation of kernels builds domains, as data (kernel-rules sections 1.2 to 1.4).
 *
 * @param name the value of the switch {@code domain_params}
 * @param levels from the lowest up
 * @param numaLevel made once per distance between nodes, above the levels; null before 4.1
 * @param stopsAtAll a CPU gets no levels above one that spans all CPUs
 * @param dropsPreferSibling PREFER_SIBLING alone does not keep a level, and is handed to the child
 *     when its parent is dropped
 * @param narrowsBalanceMask only CPUs whose child domain is the group may balance for a NUMA group
 * @param knowsAsymmetry marks the level that sees CPUs of unlike capacity, below which tasks are
 *     not spread
 */
record Generation(
    String name,
    List<Level> levels,
    Level numaLevel,
    boolean stopsAtAll,
    boolean dropsPreferSibling,
    boolean narrowsBalanceMask,
    boolean knowsAsymmetry) {}

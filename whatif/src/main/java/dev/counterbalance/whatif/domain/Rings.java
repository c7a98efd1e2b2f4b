package dev.counterbalance.whatif.domain;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The groups of the domains of one level, as rings of CPU sets. CPUs whose rings are equal get the
 * same array.
 */
final class Rings {
  private final CpuSet[] spans;
  private final CpuSet[] parts;
  private final IdentityHashMap<CpuSet, CpuSet[]> ascending = new IdentityHashMap<>();
  private final IdentityHashMap<CpuSet, IdentityHashMap<CpuSet, CpuSet[]>> rotated =
      new IdentityHashMap<>();
  private final Map<List<CpuSet>, CpuSet[]> overlapping = new HashMap<>();

  /**
   * @param spans by CPU, the span of its domain, or null
   * @param parts by CPU, the group that it belongs to
   */
  Rings(CpuSet[] spans, CpuSet[] parts) {
    this.spans = spans;
    this.parts = parts;
  }

  /**
   * The ring of a level whose groups do not overlap: in the order of their first CPUs, the CPU's
   * own first.
   */
  CpuSet[] of(int cpu, Comparator<CpuSet> order) {
    CpuSet span = spans[cpu];
    CpuSet[] all = ascending.computeIfAbsent(span, key -> split(key, order));
    return rotated
        .computeIfAbsent(span, key -> new IdentityHashMap<>())
        .computeIfAbsent(parts[cpu], own -> rotate(all, Arrays.asList(all).indexOf(own)));
  }

  private CpuSet[] split(CpuSet span, Comparator<CpuSet> order) {
    List<CpuSet> groups = new ArrayList<>();
    CpuSet covered = span.copy();
    covered.clear();
    for (int cpu = span.first(); cpu >= 0; cpu = span.next(cpu)) {
      if (!covered.contains(cpu)) {
        groups.add(parts[cpu]);
        covered.addAll(parts[cpu]);
      }
    }
    groups.sort(order);
    return groups.toArray(new CpuSet[0]);
  }

  /**
   * The ring of a NUMA level: the domain's CPUs are walked from this one on, or from the lowest,
   * and the child span of each that is in no group yet becomes a group. Groups may overlap.
   *
   * @param fromSelf K53: the walk starts at the CPU, so that the first group is its own; else K41:
   *     it starts at the lowest CPU, and the ring then begins with the last group whose first CPU
   *     is this one, or else with the first that holds it
   */
  CpuSet[] overlapping(int cpu, boolean fromSelf) {
    CpuSet span = spans[cpu];
    List<CpuSet> groups = new ArrayList<>();
    CpuSet covered = span.copy();
    covered.clear();
    int local = -1;
    int start = fromSelf ? cpu : span.first();
    int at = start;
    do {
      CpuSet ofItself = spans[at];
      if (!covered.contains(at) && ofItself != null && ofItself.contains(at)) {
        CpuSet group = parts[at];
        if ((local < 0 && group.contains(cpu)) || (!fromSelf && group.first() == cpu)) {
          local = groups.size();
        }
        groups.add(group);
        covered.addAll(group);
      }
      at = span.next(at);
      if (at < 0) {
        at = span.first();
      }
    } while (at != start);
    CpuSet[] ring = rotate(groups.toArray(new CpuSet[0]), local);
    return overlapping.computeIfAbsent(List.of(ring), key -> ring);
  }

  private static CpuSet[] rotate(CpuSet[] ring, int first) {
    CpuSet[] rotated = new CpuSet[ring.length];
    for (int i = 0; i < ring.length; i++) {
      rotated[i] = ring[(first + i) % ring.length];
    }
    return rotated;
  }
}

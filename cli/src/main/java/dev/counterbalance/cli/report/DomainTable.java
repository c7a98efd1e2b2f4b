package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Units;
import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.DomainParams;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.domain.SchedGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The sched domains of a machine as a table: a line for each kind, which is a level with the same
 * number of CPUs, groups of the same sizes and powers, and the same parameters.
 */
final class DomainTable {
  private static final int MOST_KINDS = 20;
  private static final int GROUPS_UNFOLDED = 4;
  private static final int MASK_WIDTH = 24;
  private static final List<String> HEAD =
      List.of(
          "level",
          "CPUs",
          "domains",
          "groups",
          "power",
          "imbalance_pct",
          "interval",
          "busy_factor",
          "nice_tries",
          "flags");

  private record Kind(String name, int span, String groups, String power, DomainParams params) {}

  private record Seen(Set<CpuSet> spans, SchedDomain first) {}

  private DomainTable() {}

  /** The table, each line ended. */
  static String render(SchedDomains domains) {
    if (domains.all().length == 0) {
      return "No CPU has a domain: nothing is balanced.\n";
    }
    Map<Kind, Seen> kinds = kinds(domains);
    int common = ~0;
    for (Kind kind : kinds.keySet()) {
      common &= kind.params.flags();
    }
    List<String[]> lines = new ArrayList<>();
    List<String[]> examples = new ArrayList<>();
    lines.add(HEAD.toArray(new String[0]));
    for (Map.Entry<Kind, Seen> entry : kinds.entrySet()) {
      if (examples.size() < MOST_KINDS) {
        lines.add(line(entry.getKey(), entry.getValue().spans.size(), common));
        examples.add(example(entry.getValue()));
      }
    }
    alignRight(lines, 1, 2, 5, 7, 8);
    StringBuilder text = new StringBuilder();
    MachineMap.aligned(lines).forEach(line -> text.append(line).append('\n'));
    if (kinds.size() > MOST_KINDS) {
      text.append("... ").append(kinds.size() - MOST_KINDS).append(" more kinds\n");
    }
    List<String> names = names(common);
    if (!names.isEmpty()) {
      text.append("all levels: ").append(String.join(" ", names)).append('\n');
    }
    text.append("\nfirst domain of each line, its groups from the local one on:\n");
    MachineMap.aligned(examples).forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private static Map<Kind, Seen> kinds(SchedDomains domains) {
    Map<Kind, Seen> kinds = new LinkedHashMap<>();
    List<SchedDomain> bottomUp = new ArrayList<>(Arrays.asList(domains.all()));
    List<String> names = domains.levelNames();
    bottomUp.sort(
        (one, other) -> {
          int level = Integer.compare(names.indexOf(one.name), names.indexOf(other.name));
          return level != 0 ? level : Integer.compare(one.span.size(), other.span.size());
        });
    for (SchedDomain domain : bottomUp) {
      Kind kind =
          new Kind(
              domain.name,
              domain.span.size(),
              sizes(domain.groups),
              powers(domain.groups),
              domain.params);
      kinds
          .computeIfAbsent(kind, key -> new Seen(new LinkedHashSet<>(), domain))
          .spans
          .add(domain.span);
    }
    return kinds;
  }

  private static String[] line(Kind kind, int domains, int common) {
    DomainParams params = kind.params;
    return new String[] {
      kind.name,
      Units.count(kind.span),
      Units.count(domains),
      kind.groups,
      kind.power,
      params.imbalancePct() + " %",
      params.minIntervalMs() + "-" + params.maxIntervalMs() + " ms",
      String.valueOf(params.busyFactor()),
      String.valueOf(params.cacheNiceTries()),
      String.join(" ", names(params.flags() & ~common))
    };
  }

  private static String[] example(Seen seen) {
    SchedGroup[] groups = seen.first.groups;
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < groups.length; i++) {
      if (groups.length > GROUPS_UNFOLDED && i == 2) {
        shown.add("...");
        i = groups.length - 1;
      }
      shown.add("{" + cut(groups[i].mask) + "}");
    }
    return new String[] {seen.first.name, cut(seen.first.span), String.join(" ", shown)};
  }

  private static String cut(CpuSet mask) {
    String text = mask.toString();
    int end = text.lastIndexOf(',', MASK_WIDTH - 4);
    return text.length() <= MASK_WIDTH || end < 0 ? text : text.substring(0, end) + ",...";
  }

  private static String sizes(SchedGroup[] groups) {
    Map<Integer, Integer> bySize = new TreeMap<>();
    for (SchedGroup group : groups) {
      bySize.merge(group.cpus.length, 1, Integer::sum);
    }
    List<String> parts = new ArrayList<>();
    bySize.forEach((size, count) -> parts.add(count + "x" + size));
    return String.join(" ", parts);
  }

  private static String powers(SchedGroup[] groups) {
    int least = Arrays.stream(groups).mapToInt(group -> group.power).min().orElse(0);
    int most = Arrays.stream(groups).mapToInt(group -> group.power).max().orElse(0);
    return least == most ? String.valueOf(least) : least + "-" + most;
  }

  private static List<String> names(int flags) {
    return new DomainParams(0, 0, 0, 0, 0, 0, 0, 0, 0, flags)
        .flagNames().stream().map(name -> name.substring("SD_".length())).toList();
  }

  private static void alignRight(List<String[]> lines, int... columns) {
    for (int column : columns) {
      int width = lines.stream().mapToInt(line -> line[column].length()).max().orElse(0);
      for (String[] line : lines) {
        line[column] = " ".repeat(width - line[column].length()) + line[column];
      }
    }
  }
}

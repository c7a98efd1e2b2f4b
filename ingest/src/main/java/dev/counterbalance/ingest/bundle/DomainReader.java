package dev.counterbalance.ingest.bundle;

import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.machine.Machine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads domains.tsv. */
final class DomainReader implements BundleFiles.LineTaker {
  static final String CODE = "sidecar_domains_damaged";

  private static final int MAX_DOMAINS = 1 << 17;
  private static final int MAX_LEVELS = 32;
  private static final int MAX_TEXT = 1024;

  private final List<Sidecar.Domain> domains;
  private final Set<Integer> seen = new HashSet<>();
  private final Map<String, String> texts = new HashMap<>();
  private final Cells cells =
      new Cells(
          "cpu", "level", "name", "span", "flags", "imbalance_pct", "min_interval", "max_interval");

  DomainReader(List<Sidecar.Domain> domains) {
    this.domains = domains;
  }

  @Override
  public void take(String line) throws BadLineException {
    String[] cell = cells.of(line);
    if (cell == null) {
      return;
    }
    int cpu = (int) BadLineException.number("the cpu", cell[0], 0, Machine.MAX_CPUS - 1);
    int level = (int) BadLineException.number("the level", cell[1], 0, MAX_LEVELS - 1);
    Sidecar.Domain domain =
        new Sidecar.Domain(
            cpu,
            level,
            text("the name", cell[2]),
            cell[3].isEmpty() ? null : shared(TaskReader.cpuList(cell[3])),
            text("flags", cell[4]),
            number("imbalance_pct", cell[5]),
            number("min_interval", cell[6]),
            number("max_interval", cell[7]));
    if (domains.size() >= MAX_DOMAINS) {
      throw new BadLineException("it is beyond the " + MAX_DOMAINS + " domains that are read");
    }
    if (!seen.add(cpu * MAX_LEVELS + level)) {
      throw new BadLineException("level " + level + " of CPU " + cpu + " for the second time");
    }
    domains.add(domain);
  }

  private static int number(String what, String text) throws BadLineException {
    return text.isEmpty() ? -1 : (int) BadLineException.number(what, text, 0, Integer.MAX_VALUE);
  }

  private String text(String what, String text) throws BadLineException {
    if (text.length() > MAX_TEXT || !text.chars().allMatch(c -> c >= ' ' && c < 127)) {
      throw new BadLineException(what + " is '" + BadLineException.shown(text) + "'");
    }
    return text.isEmpty() ? null : shared(text.strip());
  }

  private String shared(String text) {
    return texts.computeIfAbsent(text, same -> same);
  }
}

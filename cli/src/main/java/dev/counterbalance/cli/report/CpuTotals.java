package dev.counterbalance.cli.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The machine's CPU time: the sum of its CPUs' rows. */
final class CpuTotals {
  private static final List<String> SUMMED =
      List.of("observed_ns", "busy_ns", "idle_ns", "irq_ns", "lost_ns");

  private CpuTotals() {}

  /** A row like those of the entry {@code cpu_time}; NULL where no CPU has a figure. */
  static Map<String, Object> of(List<Map<String, Object>> rows) {
    Map<String, Object> total = new HashMap<>();
    for (Map<String, Object> row : rows) {
      for (String column : SUMMED) {
        if (row.get(column) != null) {
          total.merge(column, Figures.number(row, column), (a, b) -> ((Long) a) + ((Long) b));
        }
      }
    }
    total.put("idle_pct", percent(total, "idle_ns"));
    return total;
  }

  /** A column of a row in percent of the observed time; null if either is not known. */
  static Double percent(Map<String, Object> row, String column) {
    long observed = Figures.number(row, "observed_ns");
    return observed == 0 || row.get(column) == null
        ? null
        : Double.valueOf(100.0 * Figures.number(row, column) / observed);
  }
}

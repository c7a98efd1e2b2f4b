package dev.counterbalance.trace.build;

import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.store.Column;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceImport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Writes what a sidecar tells of the machine: its sched domains and the counters of schedstat. */
final class SidecarTables {
  private static final String SOURCE = "sidecar";

  /** Different lists of CPUs that are kept as bits; beyond it they are made anew. */
  private static final int MAX_CACHED = 4096;

  private final int cpuCount;
  private final Map<String, String> bitsOfList = new HashMap<>();
  private int unusable;

  /**
   * Tables of a machine.
   *
   * @param cpuCount its CPUs: sets of CPUs are so wide
   */
  SidecarTables(int cpuCount) {
    this.cpuCount = cpuCount;
  }

  /**
   * A list of CPUs as the column type BIT has it. CPUs that the machine does not have are left out:
   * an affinity may name all that the kernel could have.
   *
   * @return null if the list is null, is none, or names no CPU of the machine
   */
  String bits(String cpuList) {
    if (cpuList == null) {
      return null;
    }
    String known = bitsOfList.get(cpuList);
    if (known == null) {
      known = toBits(cpuList);
      if (bitsOfList.size() < MAX_CACHED) {
        bitsOfList.put(cpuList, known);
      }
    }
    unusable += known.isEmpty() ? 1 : 0;
    return known.isEmpty() ? null : known;
  }

  private String toBits(String cpuList) {
    CpuSet cpus = new CpuSet(cpuCount);
    try {
      for (int cpu : Machine.parseCpuList(cpuList, Sidecar.CPU_LIMIT)) {
        if (cpu < cpuCount) {
          cpus.add(cpu);
        }
      }
    } catch (IllegalArgumentException e) {
      return "";
    }
    return cpus.isEmpty() ? "" : cpus.toBits(cpuCount);
  }

  void domains(TraceImport trace, List<Sidecar.Domain> domains) {
    TableWriter row = trace.table(Tables.SCHED_DOMAIN);
    for (Sidecar.Domain domain : domains) {
      row.ints("cpu").add(domain.cpu());
      row.ints("level").add(domain.level());
      row.texts("name").add(domain.name());
      row.texts("span").add(bits(domain.span()));
      row.texts("flags").add(domain.flags());
      row.ints("imbalance_pct").add(FactTables.orNull(domain.imbalancePct()));
      row.ints("min_interval").add(FactTables.orNull(domain.minInterval()));
      row.ints("max_interval").add(FactTables.orNull(domain.maxInterval()));
      row.texts("source").add(SOURCE);
      row.endRow();
    }
  }

  static void counters(TraceImport trace, List<Sidecar.Counters> lines) {
    TableWriter rows = trace.table(Tables.SCHEDSTAT);
    for (Sidecar.Counters line : lines) {
      for (int i = 0; i < line.counters().size(); i++) {
        rows.texts("phase").add(line.phase());
        rows.ints("cpu").add(line.cpu());
        rows.ints("level").add(line.level() < 0 ? Column.NULL_INT : line.level());
        rows.texts("idle_type").add(line.counters().get(i).idleType());
        rows.texts("counter").add(line.counters().get(i).name());
        rows.longs("value").add(line.values().get(i));
        rows.endRow();
      }
    }
  }

  /** Reports the lists of CPUs that could not be used. */
  void problems(Consumer<Problem> sink) {
    if (unusable > 0) {
      sink.accept(
          new Problem(
              Severity.ERROR,
              "sidecar_cpus_unusable",
              unusable,
              -1,
              -1,
              "lists of CPUs in the bundle name none of the recording's "
                  + cpuCount
                  + " CPUs: is the bundle of another machine?",
              "They were not stored."));
    }
  }
}

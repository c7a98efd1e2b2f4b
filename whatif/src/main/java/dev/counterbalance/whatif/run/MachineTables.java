package dev.counterbalance.whatif.run;

import dev.counterbalance.trace.store.Column;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.whatif.domain.DomainParams;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.engine.Schedstat;
import dev.counterbalance.whatif.rule.IdleType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what a run knows of the machine: its sched domains and the counters of schedstat. */
final class MachineTables {
  /** Flags by the names of include/linux/sched.h, 2.6.36. */
  private static final Map<Integer, String> FLAGS = new LinkedHashMap<>();

  static {
    FLAGS.put(DomainParams.LOAD_BALANCE, "SD_LOAD_BALANCE");
    FLAGS.put(DomainParams.BALANCE_NEWIDLE, "SD_BALANCE_NEWIDLE");
    FLAGS.put(DomainParams.BALANCE_EXEC, "SD_BALANCE_EXEC");
    FLAGS.put(DomainParams.BALANCE_FORK, "SD_BALANCE_FORK");
    FLAGS.put(DomainParams.BALANCE_WAKE, "SD_BALANCE_WAKE");
    FLAGS.put(DomainParams.WAKE_AFFINE, "SD_WAKE_AFFINE");
    FLAGS.put(DomainParams.SHARE_CPUPOWER, "SD_SHARE_CPUPOWER");
    FLAGS.put(DomainParams.SHARE_PKG_RESOURCES, "SD_SHARE_PKG_RESOURCES");
    FLAGS.put(DomainParams.SERIALIZE, "SD_SERIALIZE");
    FLAGS.put(DomainParams.PREFER_SIBLING, "SD_PREFER_SIBLING");
  }

  private MachineTables() {}

  static void domains(TraceImport trace, SchedDomains domains) {
    TableWriter row = trace.table(Tables.SCHED_DOMAIN);
    for (SchedDomain domain : domains.all()) {
      row.ints("cpu").add(domain.cpu);
      row.ints("level").add(domain.level);
      row.texts("name").add(domain.name);
      row.texts("span").add(domain.span.toBits(domains.cpus()));
      row.texts("flags").add(flags(domain.params));
      row.ints("imbalance_pct").add(domain.params.imbalancePct());
      row.ints("min_interval").add(domain.params.minIntervalMs());
      row.ints("max_interval").add(domain.params.maxIntervalMs());
      row.texts("source").add("derived");
      row.endRow();
    }
  }

  /** The counters that are not 0. */
  static void counters(TraceImport trace, SchedDomains domains, Schedstat counters) {
    TableWriter rows = trace.table(Tables.SCHEDSTAT);
    for (SchedDomain domain : domains.all()) {
      for (IdleType idle : IdleType.values()) {
        for (Schedstat.Balance counter : Schedstat.Balance.values()) {
          long value = counters.get(domain, idle, counter);
          add(rows, domain.cpu, domain.level, idle.text, counter.name(), value);
        }
      }
      for (Schedstat.Domain counter : Schedstat.Domain.values()) {
        long value = counters.get(domain, counter);
        add(rows, domain.cpu, domain.level, null, counter.name(), value);
      }
    }
    for (int cpu = 0; cpu < domains.cpus(); cpu++) {
      for (Schedstat.Cpu counter : Schedstat.Cpu.values()) {
        add(rows, cpu, Column.NULL_INT, null, counter.name(), counters.get(cpu, counter));
      }
    }
  }

  private static void add(
      TableWriter rows, int cpu, int level, String idle, String counter, long value) {
    if (value == 0) {
      return;
    }
    rows.texts("phase").add("simulated");
    rows.ints("cpu").add(cpu);
    rows.ints("level").add(level);
    rows.texts("idle_type").add(idle);
    rows.texts("counter").add(counter.toLowerCase(Locale.ROOT));
    rows.longs("value").add(value);
    rows.endRow();
  }

  private static String flags(DomainParams params) {
    return FLAGS.entrySet().stream()
        .filter(flag -> params.has(flag.getKey()))
        .map(Map.Entry::getValue)
        .collect(Collectors.joining(" "));
  }
}

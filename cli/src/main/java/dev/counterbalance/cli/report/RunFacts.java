package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.Units;
import dev.counterbalance.cli.report.RunReport.TaskGroup;
import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.run.RunSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** What was simulated: what every figure below it holds for. */
public final class RunFacts {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("", "workload", Kind.TEXT),
          new Column("", "machine", Kind.TEXT),
          new Column("", "time", Kind.TEXT),
          new Column("", "seeds", Kind.TEXT),
          new Column("", "runs", Kind.TEXT),
          new Column("workload", "", Kind.TEXT),
          new Column("machine", "", Kind.TEXT),
          new Column("cpus_online", "", Kind.NUMBER),
          new Column("end", "", Kind.TEXT),
          new Column("horizon_ns", "", Kind.NUMBER),
          new Column("warmup_ns", "", Kind.NUMBER),
          new Column("seeds", "", Kind.NUMBER),
          new Column("model_version", "", Kind.NUMBER),
          new Column("runs_made", "", Kind.NUMBER),
          new Column("runs_stored_before", "", Kind.NUMBER));

  private RunFacts() {}

  /**
   * The section.
   *
   * @param spec any of the runs
   * @param seeds how many there are of each rule
   * @param made how many runs were made now
   * @param before how many were in the store already
   */
  public static Section of(
      RunSpec spec, List<TaskGroup> groups, int seeds, int made, int before, boolean unicode) {
    int online = (int) spec.machine().cpus().stream().filter(cpu -> cpu.online).count();
    return Section.facts("whatif", "Simulated", COLUMNS)
        .row(
            spec.workload().name() + ": " + tasks(groups, unicode),
            machine(spec),
            time(spec, unicode),
            seeds == 1 ? "1 only: how far seeds differ is not known" : seeds(seeds),
            runs(made, before),
            spec.workload().name(),
            spec.machineText(),
            online,
            spec.untilDone() ? "work" : "horizon",
            spec.horizonNs(),
            spec.warmupNs(),
            seeds,
            RunSpec.MODEL_VERSION,
            made,
            before);
  }

  private static String seeds(int seeds) {
    return "1 to " + seeds + ", the same for each rule";
  }

  private static String tasks(List<TaskGroup> groups, boolean unicode) {
    return groups.stream()
        .map(
            g ->
                g.label()
                    + (g.subjects().size() > 1
                        ? (unicode ? " ×" : " x") + g.subjects().size()
                        : ""))
        .collect(Collectors.joining(", "));
  }

  private static String machine(RunSpec spec) {
    Machine machine = spec.machine();
    List<String> parts = new ArrayList<>();
    parts.add(Units.counted(machine.cpus().size(), "CPU", "CPUs"));
    count(parts, machine, cpu -> cpu.packageId, "socket", "sockets");
    int nodes = distinct(machine, cpu -> cpu.nodeId);
    if (nodes > 1) {
      parts.add(Units.counted(nodes, "NUMA node", "NUMA nodes"));
    }
    count(parts, machine, cpu -> cpu.llcId, "LLC", "LLCs");
    count(parts, machine, cpu -> cpu.coreId, "core", "cores");
    list(parts, machine, cpu -> !cpu.online, "offline ");
    list(parts, machine, cpu -> cpu.isolated, "isolated ");
    return spec.machineText() + ": " + String.join(", ", parts);
  }

  private static void count(
      List<String> parts, Machine machine, ToIntFunction<Machine.Cpu> id, String one, String more) {
    int n = distinct(machine, id);
    if (n > 0) {
      parts.add(Units.counted(n, one, more));
    }
  }

  private static int distinct(Machine machine, ToIntFunction<Machine.Cpu> id) {
    Set<Integer> ids = new HashSet<>();
    machine.cpus().stream().mapToInt(id).filter(i -> i >= 0).forEach(ids::add);
    return ids.size();
  }

  private static void list(
      List<String> parts, Machine machine, Predicate<Machine.Cpu> which, String word) {
    CpuSet set = new CpuSet(machine.cpus().size());
    machine.cpus().stream().filter(which).forEach(cpu -> set.add(cpu.cpu));
    if (!set.isEmpty()) {
      parts.add(word + set);
    }
  }

  private static String time(RunSpec spec, boolean unicode) {
    String horizon = Units.duration((double) spec.horizonNs(), unicode);
    String warmup =
        spec.warmupNs() == 0
            ? ""
            : ", figures without the first " + Units.duration((double) spec.warmupNs(), unicode);
    return (spec.untilDone()
            ? "each run until all work is done, " + horizon + " at most"
            : horizon + " a run")
        + warmup;
  }

  private static String runs(int made, int before) {
    return before == 0
        ? Units.count(made) + " made"
        : Units.count(made) + " made, " + Units.count(before) + " kept from before (--replace)";
  }
}

package dev.counterbalance.trace.build;

import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.event.SimulatedRun;
import dev.counterbalance.trace.event.TaskAttributes;
import dev.counterbalance.trace.event.Tier;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.interval.Coverage;
import dev.counterbalance.trace.interval.StateCodes;
import dev.counterbalance.trace.kernel.Weights;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.store.Column;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.Tables.FactSource;
import dev.counterbalance.trace.store.Tables.TraceKind;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.trace.task.Names;
import dev.counterbalance.trace.task.Processes;
import dev.counterbalance.trace.task.TaskRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes what is known of the trace as a whole: itself, its facts, CPUs, tasks and problems. */
final class FactTables {
  private static final int NICE_0_PRIO = 120;
  private static final int FIRST_FAIR_PRIO = 100;
  private static final int LAST_FAIR_PRIO = 139;

  /** Policies without nice. */
  private static final Set<String> UNFAIR = Set.of("fifo", "rr", "deadline");

  /** Kernel threads that are bound to the CPU in their name. */
  private static final Pattern PER_CPU_KTHREAD =
      Pattern.compile(
          "(?:migration|ksoftirqd|cpuhp|rcuc|rcuop|ktimers|irq_work|idle_inject|watchdog|kworker)"
              + "/(\\d{1,5})(?::.*)?");

  private final TraceImport trace;
  private final Names names;
  private final TraceFilter filter;

  FactTables(TraceImport trace, Names names, TraceFilter filter) {
    this.filter = filter;
    this.trace = trace;
    this.names = names;
  }

  void trace(
      TraceInfo info,
      String source,
      long endNs,
      long events,
      long lost,
      Tier tier,
      RowFilter rows) {
    TableWriter row = trace.table(Tables.TRACE);
    row.texts("uuid").add(trace.uuid());
    row.texts("name").add(trace.name());
    SimulatedRun run = info.simulated;
    TraceKind kind = run == null ? TraceKind.RECORDED : TraceKind.SIMULATED;
    row.bytes("kind").add(kind.ordinal());
    row.texts("source").add(source);
    row.texts("format").add(info.format);
    long startNs = rows == null ? info.startNs : rows.clamp(info.startNs);
    row.longs("start_ns").add(startNs);
    row.longs("end_ns").add(rows == null ? endNs : rows.clamp(endNs));
    row.texts("clock").add(info.clock);
    row.longs("wall_start")
        .add(info.wallStartNs < 0 ? Column.NULL_LONG : info.wallStartNs + startNs - info.startNs);
    row.texts("hostname").add(info.hostname);
    row.texts("os_release").add(info.osRelease);
    row.texts("arch").add(info.arch);
    row.ints("cpus_available").add(orNull(info.cpusAvailable));
    row.ints("cpus_online").add(orNull(info.cpusOnline));
    row.texts("cmdline").add(info.cmdline);
    row.longs("event_count").add(events);
    row.longs("lost_events").add(lost);
    row.texts("tier").add(tier == null ? null : tier.text());
    row.texts("filters").add(filter.isNone() ? null : filter.toJson());
    row.texts("tool_version").add(TraceStore.version());
    row.ints("parent_trace_id").add(run == null ? Column.NULL_INT : orNull(run.parentTraceId()));
    row.texts("rule").add(run == null ? null : run.rule());
    row.texts("params").add(run == null ? null : run.params());
    row.longs("seed").add(run == null ? Column.NULL_LONG : run.seed());
    row.endRow();
  }

  /**
   * The facts.
   *
   * @param sidecar null if there is none
   * @param topology what the user gave in place of the recording's machine, null if nothing
   */
  void facts(TraceInfo info, Sidecar sidecar, String topology) {
    info.facts.forEach((key, value) -> fact(key, value, FactSource.HEADER));
    if (sidecar != null) {
      sidecar.facts.forEach((key, value) -> fact(key, value, FactSource.SIDECAR));
    }
    if (topology != null) {
      fact("topology", topology, FactSource.USER);
    }
    FactSource source = info.simulated == null ? FactSource.HEADER : FactSource.DERIVED;
    info.events.forEach(event -> fact("event", event, source));
    if (info.simulated != null) {
      info.simulated.given().forEach((key, value) -> fact(key, value, FactSource.USER));
      info.simulated.derived().forEach((key, value) -> fact(key, value, FactSource.DERIVED));
    }
  }

  private void fact(String key, String value, FactSource source) {
    TableWriter row = trace.table(Tables.TRACE_FACT);
    row.texts("key").add(key);
    row.texts("value").add(value);
    row.bytes("source").add(source.ordinal());
    row.endRow();
  }

  /**
   * The CPUs.
   *
   * @param rows null if everything is kept; a CPU that is not counts as unrecorded
   */
  void machine(Machine machine, CpuWindows windows, IntToLongFunction windowEnd, RowFilter rows) {
    int count = Math.max(machine.cpus().size(), windows.count());
    TableWriter row = trace.table(Tables.CPU);
    for (int i = 0; i < count; i++) {
      Machine.Cpu cpu = machine.cpu(i);
      boolean kept = rows == null || rows.keepsCpu(i);
      Coverage coverage = kept ? windows.coverage(i) : Coverage.UNRECORDED;
      boolean known = kept && windows.isOpen(i);
      long firstNs = known ? windows.firstNs(i) : Column.NULL_LONG;
      long lastNs = known ? windowEnd.applyAsLong(i) : Column.NULL_LONG;
      if (known && rows != null) {
        firstNs = rows.clamp(firstNs);
        lastNs = rows.clamp(lastNs);
      }
      row.ints("cpu").add(i);
      row.ints("core_id").add(orNull(cpu.coreId));
      row.ints("cluster_id").add(orNull(cpu.clusterId));
      row.ints("die_id").add(orNull(cpu.dieId));
      row.ints("package_id").add(orNull(cpu.packageId));
      row.ints("node_id").add(orNull(cpu.nodeId));
      row.ints("llc_id").add(orNull(cpu.llcId));
      row.ints("capacity").add(orNull(cpu.capacity));
      row.bytes("online").add(cpu.online);
      row.bytes("isolated").add(cpu.isolated);
      row.longs("first_ns").add(firstNs);
      row.longs("last_ns").add(lastNs);
      row.bytes("coverage").add(coverage.ordinal());
      row.endRow();
    }
    TableWriter distances = trace.table(Tables.NODE_DISTANCE);
    for (Machine.Distance distance : machine.distances()) {
      distances.ints("from_node").add(distance.fromNode());
      distances.ints("to_node").add(distance.toNode());
      distances.ints("distance").add(distance.distance());
      distances.endRow();
    }
  }

  /**
   * The threads.
   *
   * @param run null for a recording
   * @param known what a sidecar tells of each, by utid; empty if there is none
   * @param sets turns the sidecar's lists of CPUs into bits
   */
  void tasks(
      TaskRegistry tasks,
      int cpuCount,
      SimulatedRun run,
      Sidecar.Task[] known,
      SidecarTables sets) {
    TableWriter row = trace.table(Tables.THREAD);
    for (int utid = 0; utid < tasks.size(); utid++) {
      String name = names.text(tasks.name(utid));
      row.ints("utid").add(utid);
      row.ints("tid").add(tasks.tid(utid));
      row.ints("upid").add(orNull(tasks.upid(utid)));
      row.texts("name").add(name);
      row.longs("start_ts").add(tasks.start(utid));
      row.longs("end_ts").add(tasks.end(utid));
      row.bytes("is_idle").add(tasks.isIdle(utid));
      TaskAttributes told = run == null ? null : run.tasks().get(tasks.tid(utid));
      Sidecar.Task beside = known.length == 0 ? null : known[utid];
      if (beside != null) {
        collected(row, tasks, utid, beside, cpuCount, sets);
      } else if (told == null || tasks.isIdle(utid)) {
        seen(row, tasks, utid, run == null ? tasks.isKernel(utid) : Boolean.TRUE, cpuCount);
      } else {
        told(row, told, cpuCount);
      }
      row.texts("cgroup").add(beside == null ? null : beside.cgroup());
      row.longs("cookie")
          .add(
              beside == null || beside.cookie() == Sidecar.NO_COOKIE
                  ? Column.NULL_LONG
                  : beside.cookie());
      row.endRow();
    }
    processes(tasks.processes());
  }

  /** The attributes of a task of which only its events tell. */
  private void seen(TableWriter row, TaskRegistry tasks, int utid, Boolean kernel, int cpuCount) {
    int prio = tasks.prio(utid);
    boolean idle = tasks.isIdle(utid);
    String affinity = idle ? null : affinity(names.text(tasks.name(utid)), kernel, cpuCount);
    row.bytes("is_kernel").add(kernel == null ? Column.NULL_BYTE : kernel ? 1 : 0);
    row.texts("policy").add(null);
    row.ints("nice")
        .add(
            !idle && prio >= FIRST_FAIR_PRIO && prio <= LAST_FAIR_PRIO
                ? prio - NICE_0_PRIO
                : Column.NULL_INT);
    row.ints("weight").add(Column.NULL_INT);
    row.texts("affinity").add(affinity);
    row.texts("affinity_source").add(affinity == null ? null : "name");
  }

  /** The attributes of a task that a sidecar knows. */
  private void collected(
      TableWriter row,
      TaskRegistry tasks,
      int utid,
      Sidecar.Task task,
      int cpuCount,
      SidecarTables sets) {
    Boolean kernel = tasks.isKernel(utid);
    String bits = sets.bits(task.affinity());
    String byName = bits == null ? affinity(names.text(tasks.name(utid)), kernel, cpuCount) : null;
    row.bytes("is_kernel").add(kernel == null ? Column.NULL_BYTE : kernel ? 1 : 0);
    row.texts("policy").add(task.policy());
    boolean hasNice =
        task.nice() != Sidecar.NO_NICE && !UNFAIR.contains(String.valueOf(task.policy()));
    row.ints("nice").add(hasNice ? task.nice() : Column.NULL_INT);
    row.ints("weight").add(weight(task));
    row.texts("affinity").add(bits == null ? byName : bits);
    row.texts("affinity_source").add(bits != null ? "sidecar" : byName == null ? null : "name");
  }

  private static int weight(Sidecar.Task task) {
    if ("idle".equals(task.policy())) {
      return Weights.IDLE_POLICY;
    }
    boolean fair = "normal".equals(task.policy()) || "batch".equals(task.policy());
    return fair && task.nice() != Sidecar.NO_NICE ? Weights.ofNice(task.nice()) : Column.NULL_INT;
  }

  private static void told(TableWriter row, TaskAttributes task, int cpuCount) {
    row.bytes("is_kernel").add(false);
    row.texts("policy").add(task.policy());
    row.ints("nice").add(task.weight() > 0 ? task.nice() : Column.NULL_INT);
    row.ints("weight").add(task.weight() > 0 ? task.weight() : Column.NULL_INT);
    row.texts("affinity").add(task.affinity().toBits(cpuCount));
    row.texts("affinity_source").add(task.affinitySource());
  }

  private void processes(Processes processes) {
    TableWriter row = trace.table(Tables.PROCESS);
    for (int upid = 0; upid < processes.size(); upid++) {
      row.ints("upid").add(upid);
      row.ints("pid").add(processes.pid(upid));
      row.texts("name").add(names.text(processes.name(upid)));
      row.ints("parent_upid").add(orNull(processes.parent(upid)));
      row.longs("start_ts").add(processes.start(upid));
      row.longs("end_ts").add(processes.end(upid));
      row.endRow();
    }
  }

  void states(StateCodes codes) {
    TableWriter row = trace.table(Tables.TASK_STATE);
    List<String> texts = codes.texts();
    for (int code = 0; code < texts.size(); code++) {
      row.shorts("state_code").add(code);
      row.texts("state").add(texts.get(code));
      row.endRow();
    }
    TableWriter numbers = trace.table(Tables.PREV_STATE);
    for (Map.Entry<Long, Integer> seen : codes.seen().entrySet()) {
      numbers.ints("raw").add(seen.getKey().intValue());
      numbers.texts("state").add(texts.get(seen.getValue()));
      numbers.endRow();
    }
  }

  void problem(Problem problem) {
    TableWriter row = trace.table(Tables.IMPORT_PROBLEM);
    row.bytes("severity").add(problem.severity().ordinal());
    row.texts("code").add(problem.code());
    row.longs("count").add(problem.count());
    row.longs("first_offset")
        .add(problem.firstOffset() < 0 ? Column.NULL_LONG : problem.firstOffset());
    row.longs("first_ts").add(problem.firstTsNs() < 0 ? Column.NULL_LONG : problem.firstTsNs());
    row.texts("text").add(problem.text());
    row.texts("advice").add(problem.advice());
    row.endRow();
  }

  private static String affinity(String name, Boolean kernel, int cpuCount) {
    if (name == null || Boolean.FALSE.equals(kernel)) {
      return null;
    }
    Matcher matcher = PER_CPU_KTHREAD.matcher(name);
    if (!matcher.matches()) {
      return null;
    }
    int cpu = Integer.parseInt(matcher.group(1));
    if (cpu >= cpuCount) {
      return null;
    }
    char[] bits = "0".repeat(cpuCount).toCharArray();
    bits[cpuCount - 1 - cpu] = '1';
    return new String(bits);
  }

  static int orNull(int value) {
    return value < 0 ? Column.NULL_INT : value;
  }
}

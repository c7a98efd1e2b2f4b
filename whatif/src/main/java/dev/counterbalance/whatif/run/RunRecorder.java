package dev.counterbalance.whatif.run;

import dev.counterbalance.trace.build.TraceBuilder;
import dev.counterbalance.trace.event.SimulatedRun;
import dev.counterbalance.trace.event.TaskAttributes;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.task.Names;
import dev.counterbalance.whatif.engine.DecisionSink;
import dev.counterbalance.whatif.engine.SimResult;
import dev.counterbalance.whatif.engine.SimSpec;
import dev.counterbalance.whatif.engine.Simulation;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Carries out runs and writes each as a trace: events, intervals, decisions, counters, facts. */
public final class RunRecorder {
  /** Facts of a run in {@code trace_fact}. */
  public static final String SPEC_HASH = "spec_hash";

  public static final String WARMUP_NS = "warmup_ns";

  /** The tracepoints that a simulation has. */
  private static final List<String> EVENTS =
      List.of(
          "sched:sched_switch",
          "sched:sched_waking",
          "sched:sched_wakeup",
          "sched:sched_wakeup_new",
          "sched:sched_migrate_task",
          "sched:sched_process_fork",
          "sched:sched_process_exit");

  private final Engine engine;

  /**
   * Makes a recorder.
   *
   * @param engine carries out the runs
   */
  public RunRecorder(Engine engine) {
    this.engine = engine;
  }

  /**
   * Runs, and writes the trace; the caller finishes the import.
   *
   * @param keepEvents whether the trace will be kept with its events; balance decisions are written
   *     only then
   * @param clock hears of where the run's time can be read while it runs, by any thread
   */
  public SimResult record(
      RunSpec spec, TraceImport trace, boolean keepEvents, Consumer<LongSupplier> clock) {
    Names names = new Names();
    TraceBuilder builder = new TraceBuilder(trace, spec.workload().name(), names);
    clock.accept(builder::nowNs);
    builder.begin(info(spec));
    MachineTables.domains(trace, spec.domains());
    DecisionSink decisions = keepEvents ? new DecisionLog(trace) : DecisionSink.NONE;
    Engine.Ran ran = engine.run(spec.simSpec(), builder, names::of, decisions);
    MachineTables.counters(trace, spec.domains(), ran.schedstat());
    return ran.result();
  }

  private static TraceInfo info(RunSpec spec) {
    TraceInfo info = new TraceInfo();
    info.format = "simulation";
    info.clock = "simulated";
    info.startNs = 0;
    info.endNs = spec.horizonNs();
    info.machine = spec.machine();
    info.cpusAvailable = spec.machine().cpus().size();
    info.cpusOnline = (int) spec.machine().cpus().stream().filter(cpu -> cpu.online).count();
    info.tickDriven = true;
    info.events.addAll(EVENTS);
    Map<String, String> derived = new LinkedHashMap<>();
    derived.put(SPEC_HASH, spec.hash());
    derived.put("model_version", String.valueOf(RunSpec.MODEL_VERSION));
    derived.put("workload_hash", spec.workloadHash());
    info.simulated =
        new SimulatedRun(
            spec.rule().id(), params(spec), spec.seed(), -1, given(spec), derived, tasks(spec));
    return info;
  }

  private static Map<String, String> given(RunSpec spec) {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("workload", spec.workload().name());
    given.put("machine", spec.machineText());
    given.put("end", spec.untilDone() ? "work" : "horizon");
    given.put("horizon_ns", String.valueOf(spec.horizonNs()));
    given.put(WARMUP_NS, String.valueOf(spec.warmupNs()));
    return given;
  }

  private static Map<Integer, TaskAttributes> tasks(RunSpec spec) {
    Workload workload = spec.workload();
    int cpus = spec.domains().cpus();
    CpuSet inherited = SimSpec.inheritedAffinity(spec.machine(), cpus);
    Map<Integer, TaskAttributes> tasks = new HashMap<>();
    for (int task = 0; task < workload.tasks(); task++) {
      Policy policy = workload.policy(task);
      CpuSet affinity =
          workload.affinity(task) < 0 ? inherited : workload.mask(workload.affinity(task));
      tasks.put(
          Simulation.tid(cpus, task),
          new TaskAttributes(
              policy.name().toLowerCase(Locale.ROOT),
              workload.nice(task),
              policy.weight(workload.nice(task)),
              affinity,
              "workload"));
    }
    return tasks;
  }

  private static String params(RunSpec spec) {
    StringBuilder json = new StringBuilder("{\"switches\": {");
    append(json, spec.rule().switches().asMap(), true);
    json.append("}, \"tunables\": {");
    append(json, spec.rule().tunables().asMap(), false);
    json.append("}, \"set\": {");
    append(json, spec.rule().settings(), true);
    return json.append("}}").toString();
  }

  private static void append(StringBuilder json, Map<String, ?> values, boolean quoted) {
    String separator = "";
    for (Map.Entry<String, ?> entry : values.entrySet()) {
      json.append(separator).append(quote(entry.getKey())).append(": ");
      json.append(quoted ? quote(entry.getValue().toString()) : entry.getValue());
      separator = ", ";
    }
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return quoted.append('"').toString();
  }
}

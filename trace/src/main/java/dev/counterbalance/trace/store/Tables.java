package dev.counterbalance.trace.store;

import static dev.counterbalance.trace.store.ColumnSpec.code;
import static dev.counterbalance.trace.store.ColumnType.BIGINT;
import static dev.counterbalance.trace.store.ColumnType.BIT;
import static dev.counterbalance.trace.store.ColumnType.BOOLEAN;
import static dev.counterbalance.trace.store.ColumnType.DOUBLE;
import static dev.counterbalance.trace.store.ColumnType.INTEGER;
import static dev.counterbalance.trace.store.ColumnType.SMALLINT;
import static dev.counterbalance.trace.store.ColumnType.VARCHAR;

import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.event.IrqKind;
import dev.counterbalance.trace.event.NumaEvent;
import dev.counterbalance.trace.event.ProcessEvent;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.StatKind;
import dev.counterbalance.trace.interval.Coverage;
import dev.counterbalance.trace.interval.CpuSource;
import dev.counterbalance.trace.interval.EndKind;
import java.util.List;

/**
 * The store's schema as data. Names follow Perfetto where the meaning is the same. Times are ns in
 * the trace's own clock.
 */
public final class Tables {
  /** Number of the schema below; a store with another number is refused. */
  public static final int SCHEMA_VERSION = 2;

  /** Where a trace came from. */
  public enum TraceKind {
    RECORDED,
    SIMULATED
  }

  /** Where a fact came from. */
  public enum FactSource {
    HEADER,
    SIDECAR,
    USER,
    DERIVED
  }

  /** What can end a balance attempt, in the order of the stored codes. */
  public static final List<String> REASONS =
      List.of(
          "not_balancer",
          "no_busiest",
          "local_ge_busiest",
          "local_ge_avg",
          "within_pct",
          "idle_diff",
          "zero_amount",
          "no_queue",
          "all_pinned",
          "all_hot",
          "too_heavy",
          "running_only",
          "moved",
          "active_started");

  public static final TableSpec TRACE =
      new TableSpec(
          "trace",
          "One trace of the store.",
          List.of(
              text("uuid", "Identifies the trace across stores."),
              text("name", "Its name in this store, unique."),
              code("kind", TraceKind.class, "Recorded or simulated."),
              text("source", "The file or command it came from."),
              text("format", "The input's format."),
              time("start_ns", "Time of the first event."),
              time("end_ns", "Time of the last event."),
              text("clock", "The clock that times count in."),
              time("wall_start", "Wall-clock time of start_ns since 1970; NULL if not known."),
              text("hostname", "Recorded machine."),
              text("os_release", "Its kernel release."),
              text("arch", "Its architecture."),
              number("cpus_available", "CPUs the machine can have."),
              number("cpus_online", "CPUs that were online."),
              text("cmdline", "The recorder's command line."),
              count("event_count", "Tracepoint events in the input."),
              count("lost_events", "Events the input says are missing."),
              text(
                  "tier",
                  "How well a what-if can be told from it: A+, A, B or C; NULL if simulated."),
              text("filters", "Import filters, as JSON; NULL if none."),
              text("tool_version", "The Counterbalance version that wrote it."),
              number("parent_trace_id", "The trace a simulated one replays."),
              text("rule", "The balancer rule of a simulated one."),
              text("params", "Its switches and parameters, as JSON."),
              count("seed", "Its seed.")));

  public static final TableSpec TRACE_FACT =
      new TableSpec(
          "trace_fact",
          "Further facts about a trace: features, tunables, kernel command line, assumptions.",
          List.of(
              text("key", "Name of the fact."),
              text("value", "Its value."),
              code("source", FactSource.class, "Who said so.")));

  public static final TableSpec CPU =
      new TableSpec(
          "cpu",
          "One CPU of a trace's machine.",
          List.of(
              number("cpu", "CPU number."),
              number("core_id", "Lowest CPU of its core; CPUs that share it are SMT siblings."),
              number("cluster_id", "Cluster, where the source tells."),
              number("die_id", "Die."),
              number("package_id", "Socket."),
              number("node_id", "NUMA node."),
              number("llc_id", "Lowest CPU that shares its last-level cache."),
              number("capacity", "Capacity, 1024 is full; NULL if not known."),
              flag("online", "It was online."),
              flag("isolated", "It was isolated from balancing."),
              time("first_ns", "Start of what is known about it."),
              time("last_ns", "End of what is known about it."),
              code("coverage", Coverage.class, "How much the recording knows of it.")));

  public static final TableSpec NODE_DISTANCE =
      new TableSpec(
          "node_distance",
          "Distance between two NUMA nodes as the firmware tells it.",
          List.of(
              number("from_node", "From."),
              number("to_node", "To."),
              number("distance", "10 is local.")));

  public static final TableSpec SCHED_DOMAIN =
      new TableSpec(
          "sched_domain",
          "One sched domain of one CPU.",
          List.of(
              number("cpu", "CPU."),
              number("level", "0 is the lowest."),
              text("name", "SMT, MC, DIE, NUMA, ..."),
              ColumnSpec.of("span", BIT, "", "CPUs it spans."),
              text("flags", "SD_ flags, separated by blanks."),
              number("imbalance_pct", "imbalance_pct."),
              number("min_interval", "min_interval in ms."),
              number("max_interval", "max_interval in ms."),
              text("source", "header, sidecar or derived.")));

  public static final TableSpec PROCESS =
      new TableSpec(
          "process",
          "One process (thread group) lifetime.",
          List.of(
              number("upid", "Process, unique in the trace."),
              number("pid", "Kernel tgid."),
              text("name", "Its last known name."),
              number("parent_upid", "The process that forked it."),
              time("start_ts", "Fork; NULL if it was there before."),
              time("end_ts", "Exit; NULL if it lived on.")));

  public static final TableSpec THREAD =
      new TableSpec(
          "thread",
          "One thread lifetime: kernels use tids again, utids are unique in the trace.",
          List.of(
              number("utid", "Thread, unique in the trace."),
              number("tid", "Kernel thread id; 0 is a CPU's idle task."),
              number("upid", "Its process; NULL if not known."),
              text("name", "Its last known name."),
              time("start_ts", "Fork; NULL if it was there before."),
              time("end_ts", "Exit; NULL if it lived on."),
              flag("is_idle", "It is a CPU's idle task."),
              flag("is_kernel", "It is a kernel thread; NULL if not known."),
              text("policy", "Scheduling policy, where known."),
              number("nice", "Nice value, from the last priority seen; NULL for RT and deadline."),
              number("weight", "CFS weight, where the policy is known."),
              ColumnSpec.of("affinity", BIT, "", "CPUs it may use; NULL if not known."),
              text("affinity_source", "How the affinity is known."),
              text("cgroup", "Its cgroup, where known."),
              count("cookie", "Its core scheduling cookie, where known.")));

  public static final TableSpec THREAD_NAME =
      new TableSpec(
          "thread_name",
          "A name a thread had from ts on.",
          List.of(
              number("utid", "Thread."),
              time("ts", "From when; the thread's first sight for its first name."),
              text("name", "Its name.")));

  public static final TableSpec SCHED_WAKING =
      new TableSpec(
          "sched_waking",
          "sched_waking: a wake begins, in the waker's context.",
          List.of(
              ts(),
              cpu("CPU of the waker."),
              number("waker_utid", "The task that ran there."),
              number("utid", "The task that is woken."),
              prio("prio", "Its kernel priority."),
              cpu("target_cpu", "The CPU it last used."),
              context()));

  public static final TableSpec SCHED_WAKEUP =
      new TableSpec(
          "sched_wakeup",
          "sched_wakeup and sched_wakeup_new: the task is on a runqueue.",
          List.of(
              ts(),
              cpu("CPU the event was recorded on."),
              number("waker_utid", "The task that ran there; not the waker if an IPI did it."),
              number("utid", "The task that is woken."),
              prio("prio", "Its kernel priority."),
              cpu("target_cpu", "The CPU it was put on."),
              flag("is_new", "sched_wakeup_new."),
              context()));

  public static final TableSpec SCHED_MIGRATE_TASK =
      new TableSpec(
          "sched_migrate_task",
          "sched_migrate_task: fires before the change.",
          List.of(
              ts(),
              cpu("CPU the event was recorded on."),
              number("utid", "The task that moves."),
              prio("prio", "Its kernel priority."),
              cpu("orig_cpu", "From."),
              cpu("dest_cpu", "To."),
              context()));

  public static final TableSpec SCHED_PROCESS =
      new TableSpec(
          "sched_process",
          "sched_process_{fork,exec,exit,free,wait,hang}.",
          List.of(
              ts(),
              cpu("CPU the event was recorded on."),
              code("kind", ProcessEvent.class, "Which event."),
              number(
                  "utid",
                  "fork: the parent; wait: the task waited for (NULL: any); else the task."),
              number("other_utid", "fork: the child; wait: the one that waits; exec: the caller."),
              text("name", "exec: the file.")));

  public static final TableSpec SCHED_PRIO =
      new TableSpec(
          "sched_prio",
          "sched_pi_setprio: a priority was inherited or given back.",
          List.of(
              ts(),
              cpu("CPU the event was recorded on."),
              number("utid", "The task."),
              prio("old_prio", "Kernel priority before."),
              prio("new_prio", "Kernel priority after.")));

  public static final TableSpec SCHED_NUMA =
      new TableSpec(
          "sched_numa",
          "sched_{move,stick,swap}_numa.",
          List.of(
              ts(),
              cpu("CPU the event was recorded on."),
              code("kind", NumaEvent.class, "Which event."),
              number("utid", "The task."),
              number("src_cpu", "From."),
              number("src_nid", "Its node."),
              number("other_utid", "swap: the other task."),
              number("dst_cpu", "To; -1 where there was no better place."),
              number("dst_nid", "Its node.")));

  public static final TableSpec SCHED_STAT =
      new TableSpec(
          "sched_stat",
          "sched_stat_{runtime,wait,sleep,iowait,blocked}.",
          List.of(
              ts(),
              cpu("CPU the event was recorded on."),
              number("utid", "The task."),
              code("kind", StatKind.class, "Which event."),
              time("ns", "The run time or delay."),
              time("vruntime", "vruntime after it; NULL where the format has none.")));

  public static final TableSpec SCHED_SIGNAL =
      new TableSpec(
          "sched_signal",
          "PELT and util_est signals from a tracing module.",
          List.of(
              ts(),
              cpu("CPU."),
              text("kind", "cfs, rt, dl, irq, se, util_est_cfs or util_est_se."),
              number("utid", "The task, for se kinds."),
              text("path", "cgroup path."),
              count("load", "load_avg."),
              count("runnable", "runnable_avg."),
              count("util", "util_avg.")));

  public static final TableSpec IRQ =
      new TableSpec(
          "irq",
          "An interrupt handler's run, from its entry to its exit.",
          List.of(
              ts(),
              time("dur", "Until its exit; NULL if that was not recorded."),
              cpu("CPU."),
              code("kind", IrqKind.class, "Hard or soft."),
              number("vector", "irq number or softirq vector."),
              text("name", "Handler or softirq name.")));

  public static final TableSpec CPU_IDLE =
      new TableSpec(
          "cpu_idle",
          "cpu_idle: a CPU enters or leaves an idle state.",
          List.of(ts(), cpu("CPU."), number("state", "Idle state; -1: leaves idle.")));

  public static final TableSpec CPU_FREQUENCY =
      new TableSpec(
          "cpu_frequency",
          "cpu_frequency: a CPU's frequency changes.",
          List.of(ts(), cpu("CPU."), ColumnSpec.of("khz", BIGINT, "kHz", "New frequency.")));

  public static final TableSpec NR_RUNNING =
      new TableSpec(
          "nr_running",
          "sched_update_nr_running of a tracing module: the exact runqueue length.",
          List.of(ts(), cpu("CPU."), number("nr_running", "Length after the change.")));

  public static final TableSpec SCHEDSTAT =
      new TableSpec(
          "schedstat",
          "A counter of /proc/schedstat.",
          List.of(
              text("phase", "before, after or simulated."),
              number("cpu", "CPU."),
              number("level", "Domain level; NULL for the CPU's own counters."),
              text("idle_type", "idle, busy or newidle; NULL where it does not apply."),
              text("counter", "The kernel's name."),
              count("value", "Its value.")));

  public static final TableSpec FTRACE_EVENT =
      new TableSpec(
          "ftrace_event",
          "An event without a table of its own.",
          List.of(
              ts(),
              cpu("CPU."),
              number("utid", "The task that ran there."),
              text("name", "Event name, e.g. sched_wake_idle_without_ipi."),
              text("args", "Its fields, as JSON.")));

  public static final TableSpec DATA_LOSS =
      new TableSpec(
          "data_loss",
          "A gap in a CPU's events.",
          List.of(
              number("cpu", "CPU; NULL if not known."),
              time("ts", "Last event before the gap; NULL if not known."),
              time("dur", "Until the first event after it; NULL if not known."),
              count("lost", "Events missing; NULL if not known."),
              text("source", "What told of it.")));

  public static final TableSpec IMPORT_PROBLEM =
      new TableSpec(
          "import_problem",
          "Everything skipped, repaired or suspected while a trace was read.",
          List.of(
              code("severity", Severity.class, "info, error or data_loss."),
              text("code", "Kind of trouble."),
              count("count", "How often."),
              count("first_offset", "Byte offset of the first one; NULL if none."),
              time("first_ts", "Time of the first one; NULL if none."),
              text("text", "What was found and expected."),
              text("advice", "What to do about it.")));

  public static final TableSpec SCHED_SLICE =
      new TableSpec(
          "sched_slice",
          "A task ran on a CPU without a break. The row carries the switch that ended it.",
          List.of(
              ts(),
              time("dur", "Until it was switched out; 0 and censored where the start is unknown."),
              cpu("CPU."),
              number("utid", "The task; an idle task has one utid per CPU."),
              prio("priority", "Kernel priority at its start; NULL if not known."),
              ColumnSpec.of(
                  "end_state", INTEGER, "", "prev_state as recorded; NULL if no switch ended it."),
              prio("end_prio", "prev_prio of the switch that ended it."),
              number("next_utid", "The task that followed."),
              prio("next_prio", "next_prio of the switch that ended it."),
              code("end_kind", EndKind.class, "What ended it."),
              flag("censored", "Its true start or end lies outside what was recorded.")));

  public static final TableSpec WAITING =
      new TableSpec(
          "waiting",
          "A task did not run. The view thread_state adds the running states from sched_slice.",
          List.of(
              ts(),
              time("dur", "How long."),
              number("utid", "The task; never an idle task."),
              ColumnSpec.of(
                  "state_code",
                  SMALLINT,
                  "",
                  "State; task_state has the letters, 0 is R, 1 is R+."),
              cpu("R, R+: the CPU it queues on. Else the CPU it last ran on."),
              code("cpu_source", CpuSource.class, "How cpu is known; NULL unless R or R+."),
              number(
                  "waker_utid", "R after a wake: the task that ran where the wake was recorded."),
              time(
                  "waking_ts",
                  "R after a wake: time of its sched_waking, if recorded; where that came before"
                      + " the task had left its CPU, the time it left."),
              flag("irq_context", "R after a wake: woken from an interrupt; NULL if not known."),
              flag("censored", "Its true start or end lies outside what was recorded."),
              flag("suspect", "It touches a loss or a contradiction.")));

  public static final TableSpec RUN_QUEUE =
      new TableSpec(
          "run_queue",
          "Runqueue lengths after a change on one CPU.",
          List.of(
              ts(),
              time("dur", "Until the next change on this CPU."),
              cpu("CPU."),
              ColumnSpec.of(
                  "nr_running", INTEGER, "", "Tasks running or waiting here (idle is no task)."),
              ColumnSpec.of("nr_waiting", INTEGER, "", "Tasks waiting here."),
              ColumnSpec.of("m_running", INTEGER, "", "Sum of nr_running over all known CPUs."),
              ColumnSpec.of("m_waiting", INTEGER, "", "Tasks waiting on CPUs that run a task."),
              ColumnSpec.of("m_idle", INTEGER, "", "CPUs that run idle and have no waiter."),
              ColumnSpec.of("m_overloaded", INTEGER, "", "CPUs that run a task and have a waiter."),
              time("m_dur", "Until the next change on any CPU.")));

  public static final TableSpec BALANCE_DECISION =
      new TableSpec(
          "balance_decision",
          "A load balance attempt of a simulated run.",
          List.of(
              ts(),
              cpu("The balancing CPU."),
              number("level", "Domain level; the table sched_domain has its name and span."),
              words("idle_type", List.of("idle", "busy", "newidle"), "In which state it balanced."),
              number("looked_group", "First CPU of the group looked at last; NULL if none."),
              number("busiest_group", "First CPU of the busiest group; NULL if balanced."),
              words(
                  "migration_type",
                  List.of("load", "util", "task", "misfit"),
                  "What was to be moved; NULL if balanced."),
              count("amount", "How much of it; load in units of nice 0 = 1024."),
              number("queue", "The CPU pulled from; NULL if none."),
              number("moved", "Tasks moved."),
              words("reason", REASONS, "What ended it."),
              number("looked_nr", "Tasks of the group looked at."),
              number("looked_capacity", "How many tasks it is meant to hold."),
              count("looked_load", "Its load by its power."),
              flag("looked_imbalanced", "Its CPUs are imbalanced among themselves."),
              number("local_nr", "Tasks of the balancing CPU's own group."),
              number("local_capacity", "How many tasks that is meant to hold."),
              count("local_load", "Its load by its power."),
              count("average_load", "The domain's average load; NULL if not computed.")));

  public static final TableSpec RUN_METRIC =
      new TableSpec(
          "run_metric",
          "A figure of a run.",
          List.of(
              text("metric", "Catalogue entry and column."),
              text("scope", "machine, cpu, task or group."),
              text("subject", "Which one; NULL for a figure of the whole machine."),
              ColumnSpec.of("value", DOUBLE, "", "The figure."),
              text("unit", "Its unit.")));

  public static final TableSpec TASK_STATE =
      new TableSpec(
          "task_state",
          "Letters of the states in waiting.state_code.",
          List.of(
              ColumnSpec.of("state_code", SMALLINT, "", "The code."),
              text("state", "Perfetto's letters: R, R+, S, D, ...")));

  public static final TableSpec PREV_STATE =
      new TableSpec(
          "prev_state",
          "Letters of the numbers in sched_slice.end_state, by the trace's own print format.",
          List.of(
              ColumnSpec.of("raw", INTEGER, "", "The number."),
              text("state", "As the kernel prints it: R, R+, S, D, ...")));

  /** All tables that start with trace_id. */
  public static final List<TableSpec> ALL =
      List.of(
          TRACE,
          TRACE_FACT,
          CPU,
          NODE_DISTANCE,
          SCHED_DOMAIN,
          PROCESS,
          THREAD,
          THREAD_NAME,
          SCHED_WAKING,
          SCHED_WAKEUP,
          SCHED_MIGRATE_TASK,
          SCHED_PROCESS,
          SCHED_PRIO,
          SCHED_NUMA,
          SCHED_STAT,
          SCHED_SIGNAL,
          IRQ,
          CPU_IDLE,
          CPU_FREQUENCY,
          NR_RUNNING,
          SCHEDSTAT,
          FTRACE_EVENT,
          DATA_LOSS,
          IMPORT_PROBLEM,
          SCHED_SLICE,
          WAITING,
          RUN_QUEUE,
          BALANCE_DECISION,
          RUN_METRIC,
          TASK_STATE,
          PREV_STATE);

  private Tables() {}

  private static ColumnSpec ts() {
    return time("ts", "When it happened or began.");
  }

  private static ColumnSpec words(String name, List<String> words, String doc) {
    return new ColumnSpec(name, ColumnType.CODE, "", doc, words);
  }

  private static ColumnSpec context() {
    return code("context", EventContext.class, "Task, interrupt or NMI context.");
  }

  private static ColumnSpec cpu(String doc) {
    return cpu("cpu", doc);
  }

  private static ColumnSpec cpu(String name, String doc) {
    return ColumnSpec.of(name, INTEGER, "", doc);
  }

  private static ColumnSpec prio(String name, String doc) {
    return ColumnSpec.of(name, SMALLINT, "", doc);
  }

  private static ColumnSpec time(String name, String doc) {
    return ColumnSpec.of(name, BIGINT, "ns", doc);
  }

  private static ColumnSpec number(String name, String doc) {
    return ColumnSpec.of(name, INTEGER, "", doc);
  }

  private static ColumnSpec count(String name, String doc) {
    return ColumnSpec.of(name, BIGINT, "", doc);
  }

  private static ColumnSpec text(String name, String doc) {
    return ColumnSpec.of(name, VARCHAR, "", doc);
  }

  private static ColumnSpec flag(String name, String doc) {
    return ColumnSpec.of(name, BOOLEAN, "", doc);
  }
}

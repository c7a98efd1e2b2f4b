package dev.counterbalance.ingest.tracefs;

import java.util.Map;
import java.util.Set;

/**
 * A tracepoint's format compiled for the decoder: its kind, and the code ({@link Payload}) of each
 * field that the kind needs, in the order of the table here.
 */
public final class EventLayout {
  /** A kind and its fields: {@code $} text, {@code ?} may be missing, {@code a|b} either name. */
  private record Spec(int kind, String fields) {}

  private static final String WAKE = "comm$ pid prio target_cpu|cpu success?";
  private static final String TASK = "comm$ pid prio";
  private static final String DELAY = "comm$ pid delay";
  private static final String PAIR = "src_pid|pid src_cpu src_nid dst_pid? dst_cpu dst_nid";

  private static final Map<String, Spec> SPECS =
      Map.ofEntries(
          Map.entry(
              "sched_switch",
              new Spec(
                  EventKind.SWITCH,
                  "prev_comm$ prev_pid prev_prio prev_state next_comm$ next_pid next_prio")),
          Map.entry("sched_waking", new Spec(EventKind.WAKING, WAKE)),
          Map.entry("sched_wakeup", new Spec(EventKind.WAKEUP, WAKE)),
          Map.entry("sched_wakeup_new", new Spec(EventKind.WAKEUP_NEW, WAKE)),
          Map.entry(
              "sched_migrate_task",
              new Spec(EventKind.MIGRATE, "comm$ pid prio orig_cpu dest_cpu")),
          Map.entry(
              "sched_process_fork",
              new Spec(EventKind.FORK, "parent_comm$ parent_pid child_comm$ child_pid")),
          Map.entry("sched_process_exec", new Spec(EventKind.EXEC, "filename$ pid old_pid")),
          Map.entry("sched_process_exit", new Spec(EventKind.EXIT, TASK)),
          Map.entry("sched_process_free", new Spec(EventKind.FREE, TASK)),
          Map.entry("sched_process_wait", new Spec(EventKind.WAIT, TASK)),
          Map.entry("sched_process_hang", new Spec(EventKind.HANG, "comm$ pid")),
          Map.entry("sched_pi_setprio", new Spec(EventKind.PRIO, "comm$ pid oldprio newprio")),
          Map.entry(
              "sched_move_numa",
              new Spec(EventKind.NUMA_MOVE, "pid src_cpu src_nid dst_pid? dst_cpu dst_nid")),
          Map.entry("sched_stick_numa", new Spec(EventKind.NUMA_STICK, PAIR)),
          Map.entry("sched_swap_numa", new Spec(EventKind.NUMA_SWAP, PAIR)),
          Map.entry(
              "sched_stat_runtime",
              new Spec(EventKind.STAT_RUNTIME, "comm$ pid runtime vruntime?")),
          Map.entry("sched_stat_wait", new Spec(EventKind.STAT_WAIT, DELAY)),
          Map.entry("sched_stat_sleep", new Spec(EventKind.STAT_SLEEP, DELAY)),
          Map.entry("sched_stat_iowait", new Spec(EventKind.STAT_IOWAIT, DELAY)),
          Map.entry("sched_stat_blocked", new Spec(EventKind.STAT_BLOCKED, DELAY)),
          Map.entry("irq_handler_entry", new Spec(EventKind.IRQ_ENTRY, "irq name$")),
          Map.entry("irq_handler_exit", new Spec(EventKind.IRQ_EXIT, "irq")),
          Map.entry("softirq_entry", new Spec(EventKind.SOFTIRQ_ENTRY, "vec")),
          Map.entry("softirq_exit", new Spec(EventKind.SOFTIRQ_EXIT, "vec")),
          Map.entry("cpu_idle", new Spec(EventKind.CPU_IDLE, "state cpu_id")),
          Map.entry("cpu_frequency", new Spec(EventKind.CPU_FREQUENCY, "state cpu_id")),
          Map.entry("sched_update_nr_running", new Spec(EventKind.NR_RUNNING, "cpu nr_running")));

  /** Systems whose events are delivered even if no method is made for them. */
  private static final Set<String> SYSTEMS = Set.of("sched", "irq", "power");

  private static final Set<Integer> ANY_SYSTEM = Set.of(EventKind.NR_RUNNING);
  private static final int MAX_FIELDS = 7;

  public final EventFormat format;
  public final int kind;

  /** Bytes an event must have for all its fields to be read. */
  public final int minSize;

  /** Name of the missing field that makes this {@link EventKind#OTHER}, null if none. */
  public final String missingField;

  public final int typeCode;
  final int flagsCode;
  public final int pidCode;
  final int f0;

  /** Code of the second field: the task of most events, a switch's previous one. */
  public final int f1;

  final int f2;

  /** Code of the fourth field: a switch's prev_state. */
  public final int f3;

  final int f4;
  final int f5;
  final int f6;

  /**
   * Compiles a format.
   *
   * @param allEvents true if events of every system are wanted, not only sched, irq and power
   */
  public EventLayout(EventFormat format, boolean allEvents) {
    this.format = format;
    Spec spec = SPECS.get(format.name());
    boolean own = SYSTEMS.contains(format.system());
    if (spec != null && !own && !ANY_SYSTEM.contains(spec.kind)) {
      spec = null;
    }
    int[] codes = new int[MAX_FIELDS];
    String missing = spec == null ? null : compile(format, spec.fields, codes);
    missingField = missing;
    kind =
        spec != null && missing == null
            ? spec.kind
            : own || allEvents ? EventKind.OTHER : EventKind.NONE;
    typeCode = Payload.number(format.field("common_type"));
    flagsCode = Payload.number(format.field("common_flags"));
    pidCode = Payload.number(format.field("common_pid"));
    f0 = codes[0];
    f1 = codes[1];
    f2 = codes[2];
    f3 = codes[3];
    f4 = codes[4];
    f5 = codes[5];
    f6 = codes[6];
    int end = Math.max(Payload.end(typeCode), 2);
    end = Math.max(end, Math.max(Payload.end(flagsCode), Payload.end(pidCode)));
    if (kind != EventKind.OTHER && kind != EventKind.NONE) {
      for (int code : codes) {
        end = Math.max(end, Payload.end(code));
      }
    }
    minSize = end;
  }

  /** Fills in the codes; returns the name of a required field that the format lacks. */
  private static String compile(EventFormat format, String fields, int[] codes) {
    java.util.Arrays.fill(codes, Payload.ABSENT);
    int i = 0;
    for (String wanted : fields.split(" ", -1)) {
      boolean text = wanted.endsWith("$");
      boolean optional = text || wanted.endsWith("?");
      String names = optional ? wanted.substring(0, wanted.length() - 1) : wanted;
      for (String name : names.split("\\|", -1)) {
        Field field = format.field(name);
        if (codes[i] == Payload.ABSENT) {
          codes[i] = text ? Payload.text(field) : Payload.number(field);
        }
      }
      if (codes[i] == Payload.ABSENT && !optional) {
        return names;
      }
      i++;
    }
    return null;
  }
}

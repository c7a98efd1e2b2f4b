package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.tracefs.EventKind;
import dev.counterbalance.trace.task.Names;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/**
 * The event names met in a text as small ids, each with its {@link EventKind}. A name may be given
 * with its system, as perf prints it; of a name alone the system is told by the name.
 */
final class Events {
  /** More names than any kernel has tracepoints; further ones are not imported. */
  private static final int MAX = 8192;

  /** The id of all names beyond. */
  private static final int REST = 0;

  private static final Map<String, Integer> KINDS =
      Map.ofEntries(
          Map.entry("sched_switch", EventKind.SWITCH),
          Map.entry("sched_waking", EventKind.WAKING),
          Map.entry("sched_wakeup", EventKind.WAKEUP),
          Map.entry("sched_wakeup_new", EventKind.WAKEUP_NEW),
          Map.entry("sched_migrate_task", EventKind.MIGRATE),
          Map.entry("sched_process_fork", EventKind.FORK),
          Map.entry("sched_process_exec", EventKind.EXEC),
          Map.entry("sched_process_exit", EventKind.EXIT),
          Map.entry("sched_process_free", EventKind.FREE),
          Map.entry("sched_process_wait", EventKind.WAIT),
          Map.entry("sched_process_hang", EventKind.HANG),
          Map.entry("sched_pi_setprio", EventKind.PRIO),
          Map.entry("sched_move_numa", EventKind.NUMA_MOVE),
          Map.entry("sched_stick_numa", EventKind.NUMA_STICK),
          Map.entry("sched_swap_numa", EventKind.NUMA_SWAP),
          Map.entry("sched_stat_runtime", EventKind.STAT_RUNTIME),
          Map.entry("sched_stat_wait", EventKind.STAT_WAIT),
          Map.entry("sched_stat_sleep", EventKind.STAT_SLEEP),
          Map.entry("sched_stat_iowait", EventKind.STAT_IOWAIT),
          Map.entry("sched_stat_blocked", EventKind.STAT_BLOCKED),
          Map.entry("irq_handler_entry", EventKind.IRQ_ENTRY),
          Map.entry("irq_handler_exit", EventKind.IRQ_EXIT),
          Map.entry("softirq_entry", EventKind.SOFTIRQ_ENTRY),
          Map.entry("softirq_exit", EventKind.SOFTIRQ_EXIT),
          Map.entry("cpu_idle", EventKind.CPU_IDLE),
          Map.entry("cpu_frequency", EventKind.CPU_FREQUENCY),
          Map.entry("sched_update_nr_running", EventKind.NR_RUNNING));

  private static final Set<String> SYSTEMS = Set.of("sched", "irq", "power");
  private static final String[] IRQ = {"irq_handler_", "softirq_", "tasklet_"};
  private static final String[] POWER = {
    "cpu_idle",
    "cpu_frequency",
    "clock_enable",
    "clock_disable",
    "clock_set_rate",
    "power_domain_target",
    "powernv_throttle",
    "psci_domain_idle_",
    "pstate_sample",
    "suspend_resume",
    "device_pm_callback_",
    "wakeup_source_",
    "pm_qos_",
    "dev_pm_qos_",
    "guest_halt_poll_ns"
  };

  private final Names names;
  private final boolean allEvents;
  private int[] idOfSlot = new int[256];
  private byte[][] texts = new byte[128][];
  private int[] kinds = new int[128];
  private int[] nameIds = new int[128];
  private int count;

  /**
   * Makes an empty table.
   *
   * @param allEvents true if events of every system are wanted, not only sched, irq and power
   */
  Events(Names names, boolean allEvents) {
    this.names = names;
    this.allEvents = allEvents;
    Arrays.fill(idOfSlot, -1);
    texts[REST] = new byte[0];
    nameIds[REST] = Names.UNKNOWN;
    kinds[REST] = EventKind.NONE;
    count = REST + 1;
  }

  /** The id of a name as printed. */
  int id(byte[] b, int from, int to) {
    int hash = to - from;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + b[i];
    }
    int mask = idOfSlot.length - 1;
    int slot = (hash ^ hash >>> 15) & mask;
    while (true) {
      int id = idOfSlot[slot];
      if (id < 0) {
        return add(b, from, to, slot);
      }
      byte[] text = texts[id];
      if (text.length == to - from && Arrays.equals(text, 0, text.length, b, from, to)) {
        return id;
      }
      slot = (slot + 1) & mask;
    }
  }

  int kind(int id) {
    return kinds[id];
  }

  /** Id of the name without its system. */
  int name(int id) {
    return nameIds[id];
  }

  /** The names as {@code system:name}, or alone where the system is not known. */
  void addTo(Set<String> all) {
    for (int id = REST + 1; id < count; id++) {
      all.add(text(id));
    }
  }

  private String text(int id) {
    String printed = new String(texts[id], StandardCharsets.UTF_8);
    String system = printed.indexOf(':') >= 0 ? "" : systemOf(printed);
    return system.isEmpty() ? printed : system + ":" + printed;
  }

  private int add(byte[] b, int from, int to, int slot) {
    if (count == MAX) {
      return REST;
    }
    if (count == texts.length) {
      texts = Arrays.copyOf(texts, count * 2);
      kinds = Arrays.copyOf(kinds, count * 2);
      nameIds = Arrays.copyOf(nameIds, count * 2);
    }
    texts[count] = Arrays.copyOfRange(b, from, to);
    String printed = new String(b, from, to - from, StandardCharsets.UTF_8);
    int colon = printed.indexOf(':');
    String name = colon < 0 ? printed : printed.substring(colon + 1);
    String system = colon < 0 ? systemOf(printed) : printed.substring(0, colon);
    boolean own = SYSTEMS.contains(system);
    Integer kind = KINDS.get(name);
    boolean known = kind != null && (own || kind == EventKind.NR_RUNNING);
    kinds[count] = known ? kind : own || allEvents ? EventKind.OTHER : EventKind.NONE;
    nameIds[count] = kinds[count] == EventKind.OTHER ? names.of(name) : Names.UNKNOWN;
    idOfSlot[slot] = count++;
    if (count * 2 > idOfSlot.length) {
      rehash();
    }
    return count - 1;
  }

  private void rehash() {
    idOfSlot = new int[idOfSlot.length * 2];
    Arrays.fill(idOfSlot, -1);
    int mask = idOfSlot.length - 1;
    for (int id = REST + 1; id < count; id++) {
      int hash = texts[id].length;
      for (byte c : texts[id]) {
        hash = hash * 31 + c;
      }
      int slot = (hash ^ hash >>> 15) & mask;
      while (idOfSlot[slot] >= 0) {
        slot = (slot + 1) & mask;
      }
      idOfSlot[slot] = id;
    }
  }

  /** The system of an event whose text has none; empty if it is none of those we read. */
  private static String systemOf(String name) {
    if (name.startsWith("sched_")) {
      return "sched";
    }
    for (String start : IRQ) {
      if (name.startsWith(start)) {
        return "irq";
      }
    }
    for (String start : POWER) {
      if (name.startsWith(start)) {
        return "power";
      }
    }
    return "";
  }
}

package dev.counterbalance.trace.event;

import dev.counterbalance.trace.kernel.PrevState;
import dev.counterbalance.trace.machine.Machine;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known about a trace before its first event. Filled by an importer or the simulator;
 * absent facts stay null (texts) or negative (numbers).
 */
public final class TraceInfo {
  /** Format name, e.g. {@code perf.data} or {@code perf.data (pipe)}. */
  public String format = "unknown";

  /** Clock the timestamps count in: {@code perf}, {@code monotonic}, {@code boot}, ... */
  public String clock = "unknown";

  /** Wall-clock time of {@link #startNs} in ns since 1970, or -1. */
  public long wallStartNs = -1;

  /** Time of the first and last event in ns of the trace's own clock. */
  public long startNs;

  public long endNs;

  public String hostname;
  public String osRelease;
  public String arch;
  public String cmdline;
  public int cpusAvailable = -1;
  public int cpusOnline = -1;

  /** Topology as the header tells it; never null, may be empty. */
  public Machine machine = Machine.unknown();

  /** How prev_state numbers read in this trace. */
  public PrevState prevState = PrevState.modern();

  /** Tracepoints that the recording asked for, e.g. {@code sched:sched_switch}. */
  public final Set<String> events = new LinkedHashSet<>();

  /** The own fields of those whose format the recording holds, by name. */
  public final Map<String, List<String>> fields = new LinkedHashMap<>();

  /** Further facts from the header, for the table {@code trace_fact}. */
  public final Map<String, String> facts = new LinkedHashMap<>();

  /**
   * True if a CPU that runs a task cannot stay silent for longer than a tick (the recording holds
   * {@code sched_stat_runtime}), so that a silent CPU was idle.
   */
  public boolean tickDriven;

  /** The names in {@link #events} without their systems. */
  public Set<String> eventNames() {
    Set<String> names = new LinkedHashSet<>();
    for (String event : events) {
      names.add(event.substring(event.indexOf(':') + 1));
    }
    return names;
  }

  /** Null for a recording. */
  public SimulatedRun simulated;
}

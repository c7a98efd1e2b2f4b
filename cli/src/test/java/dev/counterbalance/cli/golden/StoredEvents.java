package dev.counterbalance.cli.golden;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gives the events of the only trace of a store back as {@code perf script} prints them. What a
 * table does not hold (the task that was current, the name a task had then) comes from the
 * intervals.
 */
final class StoredEvents {
  private static final String[] SOFTIRQS = {
    "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"
  };

  private final Connection connection;
  private final Map<Integer, Integer> tids = new HashMap<>();
  private final Map<Integer, TreeMap<Long, String>> names = new HashMap<>();
  private final Map<Integer, TreeMap<Long, Integer>> prios = new HashMap<>();
  private final Map<Integer, List<long[]>> slices = new HashMap<>();
  private final Map<String, Integer> lines = new TreeMap<>();

  private StoredEvents(Connection connection) {
    this.connection = connection;
  }

  static Map<String, Integer> read(Connection connection) throws SQLException {
    StoredEvents events = new StoredEvents(connection);
    events.tasks();
    events.switches();
    events.wakes();
    events.migrations();
    events.stats();
    events.processes();
    events.irqs();
    events.idle();
    events.others();
    return events.lines;
  }

  private interface Row {
    void on(ResultSet row) throws SQLException;
  }

  private void each(String sql, Row action) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        action.on(rows);
      }
    }
  }

  private void tasks() throws SQLException {
    each("SELECT utid, tid FROM thread", r -> tids.put(r.getInt(1), r.getInt(2)));
    each(
        "SELECT utid, ts, name FROM thread_name ORDER BY ts, rowid",
        r ->
            names
                .computeIfAbsent(r.getInt(1), u -> new TreeMap<>())
                .put(r.getLong(2), r.getString(3)));
    each(
        "SELECT cpu, ts, ts + dur, utid FROM sched_slice ORDER BY ts + dur",
        r ->
            slices
                .computeIfAbsent(r.getInt(1), c -> new ArrayList<>())
                .add(new long[] {r.getLong(2), r.getLong(3), r.getInt(4)}));
    each(
        "SELECT utid, ts, priority FROM sched_slice WHERE priority IS NOT NULL UNION ALL SELECT"
            + " utid, ts + dur, end_prio FROM sched_slice WHERE end_prio IS NOT NULL",
        r ->
            prios
                .computeIfAbsent(r.getInt(1), u -> new TreeMap<>())
                .put(r.getLong(2), r.getInt(3)));
  }

  private void switches() throws SQLException {
    each(
        "SELECT s.ts + dur, cpu, utid, end_prio, p.state, next_utid, next_prio FROM sched_slice s"
            + " JOIN prev_state p ON p.trace_id = s.trace_id AND p.raw = s.end_state"
            + " WHERE end_kind = 'switch'",
        r -> {
          long ts = r.getLong(1);
          int prev = r.getInt(3);
          int next = r.getInt(6);
          add(
              ts,
              r.getInt(2),
              tids.get(prev),
              "sched_switch",
              String.format(
                  "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d"
                      + " next_prio=%d",
                  name(prev, ts),
                  tids.get(prev),
                  r.getInt(4),
                  r.getString(5),
                  name(next, ts),
                  tids.get(next),
                  r.getInt(7)));
        });
  }

  private void wakes() throws SQLException {
    each(
        "SELECT ts, cpu, waker_utid, utid, prio, target_cpu, 'sched_waking' FROM sched_waking"
            + " UNION ALL SELECT ts, cpu, waker_utid, utid, prio, target_cpu,"
            + " CASE WHEN is_new THEN 'sched_wakeup_new' ELSE 'sched_wakeup' END FROM sched_wakeup",
        r -> {
          int utid = r.getInt(4);
          add(
              r.getLong(1),
              r.getInt(2),
              tids.get(r.getInt(3)),
              r.getString(7),
              String.format(
                  "comm=%s pid=%d prio=%d target_cpu=%03d",
                  name(utid, r.getLong(1)), tids.get(utid), r.getInt(5), r.getInt(6)));
        });
  }

  private void migrations() throws SQLException {
    each(
        "SELECT ts, cpu, utid, prio, orig_cpu, dest_cpu FROM sched_migrate_task",
        r -> {
          int utid = r.getInt(3);
          add(
              r.getLong(1),
              r.getInt(2),
              current(r.getInt(2), r.getLong(1)),
              "sched_migrate_task",
              String.format(
                  "comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d",
                  name(utid, r.getLong(1)), tids.get(utid), r.getInt(4), r.getInt(5), r.getInt(6)));
        });
  }

  private void stats() throws SQLException {
    each(
        "SELECT ts, cpu, utid, kind, ns, vruntime FROM sched_stat",
        r -> {
          int utid = r.getInt(3);
          String kind = r.getString(4);
          String args = String.format("comm=%s pid=%d ", name(utid, r.getLong(1)), tids.get(utid));
          if (kind.equals("runtime")) {
            args += String.format("runtime=%d [ns]", r.getLong(5));
            long vruntime = r.getLong(6);
            args +=
                r.wasNull()
                    ? ""
                    : String.format(" vruntime=%s [ns]", Long.toUnsignedString(vruntime));
          } else {
            args += String.format("delay=%d [ns]", r.getLong(5));
          }
          add(
              r.getLong(1),
              r.getInt(2),
              current(r.getInt(2), r.getLong(1)),
              "sched_stat_" + kind,
              args);
        });
  }

  private void processes() throws SQLException {
    each(
        "SELECT ts, cpu, kind, utid, other_utid, name FROM sched_process",
        r -> {
          long ts = r.getLong(1);
          String kind = r.getString(3);
          int utid = r.getInt(4);
          int other = r.getInt(5);
          boolean noOther = r.wasNull();
          int current = current(r.getInt(2), ts);
          String args =
              switch (kind) {
                case "fork" ->
                    String.format(
                        "comm=%s pid=%d child_comm=%s child_pid=%d",
                        name(utid, ts), tids.get(utid), name(other, ts), tids.get(other));
                case "exec" ->
                    String.format(
                        "filename=%s pid=%d old_pid=%d",
                        r.getString(6), tids.get(utid), tids.get(noOther ? utid : other));
                case "wait" ->
                    String.format(
                        "comm=%s pid=%d prio=%d",
                        name(other, ts),
                        r.getObject(4) == null ? 0 : tids.get(utid),
                        prio(other, ts));
                default ->
                    String.format(
                        "comm=%s pid=%d prio=%d", name(utid, ts), tids.get(utid), prio(utid, ts));
              };
          add(ts, r.getInt(2), current, "sched_process_" + kind, args);
        });
  }

  private void irqs() throws SQLException {
    each(
        "SELECT ts, dur, cpu, kind, vector, name FROM irq",
        r -> {
          int cpu = r.getInt(3);
          boolean soft = r.getString(4).equals("soft");
          int vector = r.getInt(5);
          String args =
              soft
                  ? String.format("vec=%d [action=%s]", vector, SOFTIRQS[vector])
                  : String.format("irq=%d", vector);
          String event = soft ? "softirq_" : "irq_handler_";
          long ts = r.getLong(1);
          add(ts, cpu, current(cpu, ts), event + "entry", args);
          long dur = r.getLong(2);
          if (!r.wasNull()) {
            add(ts + dur, cpu, current(cpu, ts + dur), event + "exit", args);
          }
        });
  }

  private void idle() throws SQLException {
    each(
        "SELECT ts, cpu, state FROM cpu_idle",
        r ->
            add(
                r.getLong(1),
                r.getInt(2),
                current(r.getInt(2), r.getLong(1)),
                "cpu_idle",
                String.format(
                    "state=%d cpu_id=%d", Integer.toUnsignedLong(r.getInt(3)), r.getInt(2))));
  }

  private void others() throws SQLException {
    each(
        "SELECT ts, cpu, utid, name, args FROM ftrace_event",
        r -> add(r.getLong(1), r.getInt(2), tids.get(r.getInt(3)), r.getString(4), r.getString(5)));
  }

  private String name(int utid, long ts) {
    TreeMap<Long, String> history = names.get(utid);
    Map.Entry<Long, String> entry = history == null ? null : history.floorEntry(ts);
    return entry == null ? "?" : entry.getValue();
  }

  private int prio(int utid, long ts) {
    TreeMap<Long, Integer> history = prios.get(utid);
    if (history == null) {
      return -1000;
    }
    Map.Entry<Long, Integer> entry = history.floorEntry(ts);
    return (entry == null ? history.firstEntry() : entry).getValue();
  }

  /**
   * The task that ran on a CPU when an event was recorded; a switch at that very time came later.
   */
  private int current(int cpu, long ts) {
    List<long[]> all = slices.getOrDefault(cpu, List.of());
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle)[1] < ts) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < all.size() ? tids.get((int) all.get(low)[2]) : -1000;
  }

  private void add(long ts, int cpu, int tid, String event, String args) {
    PerfScript.add(lines, ts, cpu, tid, event, args);
  }
}

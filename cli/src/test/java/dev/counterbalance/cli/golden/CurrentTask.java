package dev.counterbalance.cli.golden;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * When the task that perf calls current may differ from the one in the store. Tables other than
 * wakes and switches do not hold it; it follows from the slices.
 *
 * <ul>
 *   <li>perf prints -1 once an exiting task has given up its pid; the store has the task.
 *   <li>Events with the very time of a switch on their CPU (QEMU's clock stands still for a while)
 *       may come before or after it.
 *   <li>A per-task recording does not know who ran between the switches of its own tasks.
 * </ul>
 */
final class CurrentTask {
  private final Set<Integer> died = new HashSet<>();
  private final Map<String, Set<Integer>> atSwitch = new HashMap<>();
  private boolean perTask;

  static CurrentTask read(Connection connection) throws SQLException {
    CurrentTask current = new CurrentTask();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT s.ts + s.dur, s.cpu, prev.tid, next.tid, p.state FROM sched_slice s"
                  + " JOIN thread prev USING (trace_id, utid)"
                  + " JOIN thread next ON next.trace_id = s.trace_id AND next.utid = s.next_utid"
                  + " JOIN prev_state p ON p.trace_id = s.trace_id AND p.raw = s.end_state")) {
        while (rows.next()) {
          Set<Integer> tids =
              current.atSwitch.computeIfAbsent(
                  rows.getLong(1) + " " + rows.getInt(2), k -> new HashSet<>());
          tids.add(rows.getInt(3));
          tids.add(rows.getInt(4));
          if (rows.getString(5).matches("[XZx].*")) {
            current.died.add(rows.getInt(3));
          }
        }
      }
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*) > 0 FROM import_problem WHERE code = 'per_task_recording'")) {
        row.next();
        current.perTask = row.getBoolean(1);
      }
    }
    return current;
  }

  boolean explains(String event, int perfTid, int storedTid) {
    String[] parts = event.split(" ", 4);
    String name = parts[2];
    if (perTask && !name.equals("sched_switch") && !name.startsWith("sched_wak")) {
      return true;
    }
    if (perfTid == -1) {
      return died.contains(storedTid);
    }
    return atSwitch.getOrDefault(parts[0] + " " + parts[1], Set.of()).contains(perfTid);
  }
}

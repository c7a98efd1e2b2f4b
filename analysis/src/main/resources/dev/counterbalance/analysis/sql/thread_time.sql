-- title: Thread time
-- question: What did each thread spend its time on?
-- needs: sched_switch
-- without: sched_migrate_task: migrations is NULL
-- whole: cpus
-- note: Sums of what was recorded, cut at the window and never extended. A state that starts or ends
--   outside the recording counts with its recorded part. Dead states (X, Z) count nowhere.
-- column: trace_id | INTEGER | | Trace. | store
-- column: utid | INTEGER | | The thread; idle tasks are left out. | thread
-- column: name | VARCHAR | | Its last known name. | thread
-- column: run_ns | BIGINT | ns | Time on a CPU. | sched_slice
-- column: wait_ns | BIGINT | ns | Time runnable and not running (R, R+), from sched_wakeup or the
--   switch-out; without wake events only after preemptions. | Perfetto thread_state
-- column: sleep_ns | BIGINT | ns | Time asleep: every other state (S, I, T, ...). | Perfetto
--   thread_state
-- column: blocked_ns | BIGINT | ns | Time in uninterruptible sleep (D). | Perfetto thread_state
-- column: switches | BIGINT | | Recorded switches away from it. | sched_switch
-- column: switched_runnable | BIGINT | | Those of them that left it runnable: preemptions and
--   yields. | sched_switch prev_state R, R+
-- column: migrations | BIGINT | | Its sched_migrate_task events; NULL if the trace does not have
--   that event. Moves without one are not guessed. | sched_migrate_task
-- column: cpu_pct | DOUBLE | % | run_ns of the window; 100 is one CPU all the time. | this entry
WITH
  w AS (SELECT * FROM _window(trace := trace, since := since, until := until)),
  slice AS (
    SELECT
      s.trace_id, s.utid, s.end_kind, s.end_state,
      sum(greatest(0,
        least(s.ts + s.dur, until::BIGINT) - greatest(s.ts, since::BIGINT)))::BIGINT AS ns,
      count(*) FILTER (WHERE s.end_kind = 0 AND (until IS NULL OR s.ts + s.dur < until)
        AND (since IS NULL OR s.ts + s.dur >= since)) AS switches
    FROM _sched_slice s
    WHERE (trace IS NULL OR s.trace_id = trace)
      AND (until IS NULL OR s.ts < until)
      AND (since IS NULL OR s.ts + s.dur >= since)
    GROUP BY s.trace_id, s.utid, s.end_kind, s.end_state
  ),
  run AS (
    SELECT
      s.trace_id, s.utid,
      sum(s.ns)::BIGINT AS ns,
      sum(s.switches)::BIGINT AS switches,
      coalesce(sum(s.switches) FILTER (WHERE s.end_state = 0 OR p.raw IS NOT NULL), 0)::BIGINT
        AS runnable
    FROM slice s
    LEFT JOIN (
      SELECT trace_id, raw FROM prev_state
      WHERE (trace IS NULL OR trace_id = trace) AND state IN ('R', 'R+') AND raw <> 0
    ) p ON p.trace_id = s.trace_id AND p.raw = s.end_state
    GROUP BY s.trace_id, s.utid
  ),
  state AS (
    SELECT
      w.trace_id, w.utid, w.state_code,
      sum(least(w.ts + w.dur, until::BIGINT) - greatest(w.ts, since::BIGINT))::BIGINT AS ns
    FROM _waiting w
    WHERE (trace IS NULL OR w.trace_id = trace)
      AND (until IS NULL OR w.ts < until)
      AND (since IS NULL OR w.ts + w.dur > since)
    GROUP BY w.trace_id, w.utid, w.state_code
  ),
  rest AS (
    SELECT
      s.trace_id, s.utid,
      sum(s.ns) FILTER (WHERE s.state_code IN (0, 1)) AS wait_ns,
      sum(s.ns) FILTER (WHERE t.state LIKE 'D%') AS blocked_ns,
      sum(s.ns) FILTER (WHERE s.state_code NOT IN (0, 1)
        AND (t.state IS NULL OR NOT regexp_matches(t.state, '^[DXZ]'))) AS sleep_ns
    FROM state s
    LEFT JOIN (
      SELECT trace_id, state_code, state FROM task_state WHERE trace IS NULL OR trace_id = trace
    ) t ON t.trace_id = s.trace_id AND t.state_code = s.state_code
    GROUP BY s.trace_id, s.utid
  ),
  moves AS (
    SELECT m.trace_id, m.utid, count(*) AS n
    FROM _sched_migrate_task m
    WHERE (trace IS NULL OR m.trace_id = trace)
      AND (until IS NULL OR m.ts < until)
      AND (since IS NULL OR m.ts >= since)
    GROUP BY m.trace_id, m.utid
  ),
  recorded AS (
    SELECT trace_id, bool_or(value IN ('sched:sched_migrate_task', 'sched_migrate_task')) AS migrate
    FROM _trace_fact
    WHERE (trace IS NULL OR trace_id = trace) AND key = 'event'
    GROUP BY trace_id
  )
SELECT
  t.trace_id,
  t.utid,
  t.name,
  coalesce(run.ns, 0) AS run_ns,
  coalesce(rest.wait_ns, 0)::BIGINT AS wait_ns,
  coalesce(rest.sleep_ns, 0)::BIGINT AS sleep_ns,
  coalesce(rest.blocked_ns, 0)::BIGINT AS blocked_ns,
  coalesce(run.switches, 0) AS switches,
  coalesce(run.runnable, 0) AS switched_runnable,
  CASE WHEN coalesce(recorded.migrate, true) THEN coalesce(moves.n, 0) END AS migrations,
  CASE WHEN w.hi > w.lo THEN 100.0::DOUBLE * coalesce(run.ns, 0) / (w.hi - w.lo) END AS cpu_pct
FROM thread t
JOIN w ON w.trace_id = t.trace_id
LEFT JOIN run ON run.trace_id = t.trace_id AND run.utid = t.utid
LEFT JOIN rest ON rest.trace_id = t.trace_id AND rest.utid = t.utid
LEFT JOIN moves ON moves.trace_id = t.trace_id AND moves.utid = t.utid
LEFT JOIN recorded ON recorded.trace_id = t.trace_id
WHERE (trace IS NULL OR t.trace_id = trace)
  AND t.is_idle IS NOT TRUE
  AND (t.start_ts IS NULL OR t.start_ts < w.hi)
  AND (t.end_ts IS NULL OR t.end_ts >= w.lo)
  AND (run.utid IS NOT NULL OR rest.utid IS NOT NULL OR t.trace_id NOT IN (
    -- Of a trace with chosen tasks, those alone.
    SELECT trace_id FROM _trace
    WHERE (trace IS NULL OR trace_id = trace)
      AND (contains(filters, '"comm":') OR contains(filters, '"tid":'))))
ORDER BY t.trace_id, run_ns DESC, t.utid

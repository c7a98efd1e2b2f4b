-- title: Progress by name
-- question: How far did the threads of each name get, and when were they done?
-- needs: sched_switch
-- whole: cpus
-- note: A thread counts under its last known name. Idle tasks are left out.
-- column: trace_id | INTEGER | | Trace. | store
-- column: name | VARCHAR | | Thread name. | thread
-- column: threads | BIGINT | | Threads of that name that ran in the window. | sched_slice
-- column: first_ns | BIGINT | ns | When one of them first ran. | sched_slice
-- column: finish_ns | BIGINT | ns | When one of them last ran. | sched_slice
-- column: run_ns | BIGINT | ns | Their time on a CPU. | sched_slice
-- column: cycles | BIGINT | | Rounds of work: runs, however often interrupted, that ended in a
--   sleep (the switch that ends a round has a prev_state other than R, R+ and the dead states).
--   | sched_switch
-- column: cycles_per_s | DOUBLE | 1/s | cycles by the time from first_ns to finish_ns. | this entry
WITH
  slice AS (
    SELECT
      s.trace_id, s.utid, s.end_kind, s.end_state,
      min(greatest(s.ts, since::BIGINT)) AS first_ns,
      max(least(s.ts + s.dur, until::BIGINT)) AS finish_ns,
      sum(greatest(0,
        least(s.ts + s.dur, until::BIGINT) - greatest(s.ts, since::BIGINT)))::BIGINT AS ns,
      count(*) FILTER (WHERE (until IS NULL OR s.ts + s.dur < until)
        AND (since IS NULL OR s.ts + s.dur >= since)) AS n
    FROM _sched_slice s
    WHERE (trace IS NULL OR s.trace_id = trace)
      AND (until IS NULL OR s.ts < until)
      AND (since IS NULL OR s.ts + s.dur > since OR s.ts >= since)
    GROUP BY s.trace_id, s.utid, s.end_kind, s.end_state
  ),
  named AS (
    SELECT
      s.trace_id, t.name,
      count(DISTINCT s.utid) AS threads,
      min(s.first_ns) AS first_ns,
      max(s.finish_ns) AS finish_ns,
      sum(s.ns)::BIGINT AS run_ns,
      coalesce(sum(s.n) FILTER (
        WHERE s.end_kind = 0 AND s.end_state <> 0 AND NOT regexp_matches(p.state, '^[RXZ]')),
        0)::BIGINT AS cycles
    FROM slice s
    JOIN (
      SELECT trace_id, utid, name FROM thread
      WHERE (trace IS NULL OR trace_id = trace) AND is_idle IS NOT TRUE
    ) t ON t.trace_id = s.trace_id AND t.utid = s.utid
    LEFT JOIN (
      SELECT trace_id, raw, state FROM prev_state WHERE trace IS NULL OR trace_id = trace
    ) p ON p.trace_id = s.trace_id AND p.raw = s.end_state
    GROUP BY s.trace_id, t.name
  )
SELECT
  trace_id,
  name,
  threads,
  first_ns,
  finish_ns,
  run_ns,
  cycles,
  1e9::DOUBLE * cycles / nullif(finish_ns - first_ns, 0) AS cycles_per_s
FROM named
ORDER BY trace_id, run_ns DESC, name

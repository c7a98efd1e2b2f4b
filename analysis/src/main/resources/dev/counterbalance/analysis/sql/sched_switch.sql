-- title: Context switches
-- question: Which sched_switch events were recorded?
-- needs: sched_switch
-- note: The recorded events again, also where a CPU's chain is broken.
-- column: trace_id | INTEGER | | Trace. | store
-- column: ts | BIGINT | ns | Time of the event. | sched_switch
-- column: cpu | INTEGER | | CPU. | sched_switch
-- column: prev_utid | INTEGER | | Task that is switched out. | sched_switch prev_pid
-- column: prev_prio | SMALLINT | | Its kernel priority. | sched_switch
-- column: prev_state | INTEGER | | Its state as recorded. | sched_switch
-- column: next_utid | INTEGER | | Task that is switched in. | sched_switch next_pid
-- column: next_prio | SMALLINT | | Its kernel priority. | sched_switch
-- column: prev_state_text | VARCHAR | | prev_state in letters, by the trace's own print format.
--   | prev_state
SELECT
  s.trace_id,
  s.ts + s.dur AS ts,
  s.cpu,
  s.utid AS prev_utid,
  s.end_prio AS prev_prio,
  s.end_state AS prev_state,
  s.next_utid,
  s.next_prio,
  p.state AS prev_state_text
FROM _sched_slice s
LEFT JOIN (
  SELECT trace_id, raw, state FROM prev_state WHERE trace IS NULL OR trace_id = trace
) p ON p.trace_id = s.trace_id AND p.raw = s.end_state
WHERE (trace IS NULL OR s.trace_id = trace)
  AND s.end_kind = 0
  AND (until IS NULL OR s.ts < until)
  AND (until IS NULL OR s.ts + s.dur < until)
  AND (since IS NULL OR s.ts + s.dur >= since)

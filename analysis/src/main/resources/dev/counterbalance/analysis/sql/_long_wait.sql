-- title: Long waits beside an idle CPU
-- question: Which waits lasted longer than grace and overlap a time in which some CPU was idle, and
--   on which CPUs might the task have run?
-- param: grace | 1000000 | ns | Shorter waits are left out.
-- note: A task whose affinity is not known may run anywhere. Suspect waits, and waits of tasks that
--   may only run where they wait, are left out.
-- column: trace_id | INTEGER | | Trace. | store
-- column: utid | INTEGER | | The task. | waiting
-- column: cpu | INTEGER | | Where it queues. | waiting
-- column: ts | BIGINT | ns | Start of the wait on the runqueue. | waiting
-- column: te | BIGINT | ns | End of it. | waiting
-- column: censored | BOOLEAN | | Its true start or end lies outside the recording. | waiting
-- column: mask | BIGINT | | Number of the set of CPUs it may use in _cpu_mask; 0 if it may use every
--   known CPU. | thread.affinity
WITH
  bits AS (
    SELECT trace_id, mask, count(*) AS cpus, min(cpu) AS cpu
    FROM _cpu_mask(trace := trace)
    GROUP BY trace_id, mask
  ),
  task AS (
    SELECT DISTINCT t.trace_id, t.utid, m.mask, b.cpus, b.cpu
    FROM thread t
    JOIN _cpu_mask(trace := trace) m ON m.trace_id = t.trace_id AND m.affinity = t.affinity
    JOIN bits b ON b.trace_id = m.trace_id AND b.mask = m.mask
    WHERE trace IS NULL OR t.trace_id = trace
  ),
  w AS (
    SELECT
      w.trace_id, w.utid, w.cpu, w.ts, w.ts + w.dur AS te, coalesce(w.censored, false) AS censored,
      coalesce(t.mask, 0) AS mask
    FROM _waiting w
    LEFT JOIN task t ON t.trace_id = w.trace_id AND t.utid = w.utid
    WHERE (trace IS NULL OR w.trace_id = trace)
      AND w.state_code IN (0, 1)
      AND w.dur > grace
      AND w.suspect IS NOT TRUE
      AND (until IS NULL OR w.ts < until)
      AND (since IS NULL OR w.ts + w.dur > since)
      AND NOT (coalesce(t.cpus, 0) = 1 AND t.cpu = w.cpu)
  ),
  idle AS (
    SELECT r.trace_id, r.ts, r.ts + r.m_dur AS te
    FROM run_queue r
    WHERE (trace IS NULL OR r.trace_id = trace)
      AND r.m_dur > 0 AND r.m_idle > 0 AND r.m_waiting > 0
  )
SELECT w.trace_id, w.utid, w.cpu, w.ts, w.te, w.censored, w.mask
FROM w
ASOF JOIN idle i ON i.trace_id = w.trace_id AND w.te > i.ts
WHERE i.te > w.ts

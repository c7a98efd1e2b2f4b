-- title: Long waits
-- question: Which waits lasted longer than grace, and on which CPUs might the task have run?
-- param: grace | 1000000 | ns | Shorter waits are left out.
-- note: A task whose affinity is not known may run anywhere. Suspect waits, and waits of tasks that
--   may only run where they wait, are left out.
-- column: trace_id | INTEGER | | Trace. | store
-- column: utid | INTEGER | | The task. | waiting
-- column: cpu | INTEGER | | Where it queues. | waiting
-- column: ts | BIGINT | ns | Start of the wait on the runqueue. | waiting
-- column: te | BIGINT | ns | End of it. | waiting
-- column: censored | BOOLEAN | | Its true start or end lies outside the recording. | waiting
-- column: mask | BIT | | The CPUs it may use; NULL if it may use every known CPU. | thread.affinity
WITH
  cpus AS (
    SELECT trace_id, cpu FROM _cpu
    WHERE (trace IS NULL OR trace_id = trace) AND coverage <> 2
  ),
  masks AS (
    SELECT DISTINCT trace_id, affinity AS mask FROM thread
    WHERE (trace IS NULL OR trace_id = trace) AND affinity IS NOT NULL
  ),
  allowed AS (
    SELECT
      m.trace_id, m.mask,
      bool_and(_allows(m.mask, c.cpu)) AS every_cpu,
      bit_count(m.mask) AS bits
    FROM masks m
    JOIN cpus c ON c.trace_id = m.trace_id
    GROUP BY m.trace_id, m.mask
  ),
  task AS (
    SELECT t.trace_id, t.utid, t.affinity AS mask, a.bits
    FROM thread t
    JOIN allowed a ON a.trace_id = t.trace_id AND a.mask = t.affinity AND NOT a.every_cpu
    WHERE trace IS NULL OR t.trace_id = trace
  )
SELECT
  w.trace_id, w.utid, w.cpu, w.ts, w.ts + w.dur AS te, coalesce(w.censored, false) AS censored,
  t.mask
FROM _waiting w
LEFT JOIN task t ON t.trace_id = w.trace_id AND t.utid = w.utid
WHERE (trace IS NULL OR w.trace_id = trace)
  AND w.state_code IN (0, 1)
  AND w.dur > grace
  AND w.suspect IS NOT TRUE
  AND (until IS NULL OR w.ts < until)
  AND (since IS NULL OR w.ts + w.dur > since)
  AND NOT (coalesce(t.bits, 0) = 1 AND _allows(t.mask, w.cpu))

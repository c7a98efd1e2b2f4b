-- title: CPU sets
-- question: Which known CPUs does each affinity allow that does not allow them all?
-- column: trace_id | INTEGER | | Trace. | store
-- column: mask | BIGINT | | Number of the set, from 1. | this entry
-- column: affinity | BIT | | The set as a task has it. | thread.affinity
-- column: cpu | INTEGER | | A known CPU in the set; NULL if there is none. | cpu
WITH
  cpus AS (
    SELECT trace_id, cpu FROM _cpu
    WHERE (trace IS NULL OR trace_id = trace) AND coverage <> 2
  ),
  sets AS (
    SELECT DISTINCT trace_id, affinity FROM thread
    WHERE (trace IS NULL OR trace_id = trace) AND affinity IS NOT NULL
  ),
  pairs AS (
    SELECT s.trace_id, s.affinity, c.cpu, _allows(s.affinity, c.cpu) AS allowed
    FROM sets s
    JOIN cpus c ON c.trace_id = s.trace_id
  ),
  partial AS (
    SELECT
      trace_id, affinity,
      row_number() OVER (PARTITION BY trace_id ORDER BY affinity) AS mask
    FROM pairs
    GROUP BY trace_id, affinity
    HAVING NOT bool_and(allowed)
  )
SELECT p.trace_id, p.mask, p.affinity, c.cpu
FROM partial p
LEFT JOIN pairs c ON c.trace_id = p.trace_id AND c.affinity = p.affinity AND c.allowed

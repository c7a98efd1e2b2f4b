-- title: What is observed of each CPU
-- question: For how long is each CPU's state known in the window, and how much of it was lost?
-- column: trace_id | INTEGER | | Trace. | store
-- column: cpu | INTEGER | | CPU. | store
-- column: coverage | TINYINT | | 0 events, 1 silent, 2 unrecorded. | store
-- column: first_ns | BIGINT | ns | Start of what is known of it in the window. | store
-- column: last_ns | BIGINT | ns | End of what is known of it in the window. | store
-- column: lost_ns | BIGINT | ns | Union of its losses in that stretch. | data_loss
-- column: observed_ns | BIGINT | ns | That stretch without the losses; NULL for a CPU that was not
--   recorded, or is silent and not known to be idle. | data_loss
WITH
  c AS (
    SELECT
      c.trace_id, c.cpu, c.coverage,
      greatest(w.lo, least(c.first_ns, w.hi)) AS first_ns,
      greatest(w.lo, least(c.first_ns, w.hi), least(c.last_ns, w.hi)) AS last_ns
    FROM _cpu c
    JOIN _window(trace := trace, since := since, until := until) w ON w.trace_id = c.trace_id
    WHERE trace IS NULL OR c.trace_id = trace
  ),
  gap AS (
    SELECT
      l.trace_id, l.cpu,
      greatest(l.ts, c.first_ns) AS ts,
      least(l.ts + l.dur, c.last_ns) AS te
    FROM data_loss l
    JOIN c ON c.trace_id = l.trace_id AND c.cpu = l.cpu
    WHERE (trace IS NULL OR l.trace_id = trace)
      AND l.ts < c.last_ns AND l.ts + l.dur > c.first_ns
  ),
  reach AS (
    SELECT
      trace_id, cpu, ts, te,
      max(te) OVER (
        PARTITION BY trace_id, cpu ORDER BY ts
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM gap
  ),
  lost AS (
    SELECT trace_id, cpu, sum(greatest(0, te - greatest(ts, reached)))::BIGINT AS lost_ns
    FROM reach
    GROUP BY trace_id, cpu
  ),
  idle AS (
    SELECT DISTINCT s.trace_id, s.cpu
    FROM _sched_slice s
    JOIN c ON c.trace_id = s.trace_id AND c.cpu = s.cpu AND c.coverage = 1
    WHERE trace IS NULL OR s.trace_id = trace
  )
SELECT
  c.trace_id, c.cpu, c.coverage, c.first_ns, c.last_ns,
  CASE WHEN c.coverage = 0 OR idle.cpu IS NOT NULL THEN coalesce(lost.lost_ns, 0) END AS lost_ns,
  CASE WHEN c.coverage = 0 OR idle.cpu IS NOT NULL
    THEN c.last_ns - c.first_ns - coalesce(lost.lost_ns, 0) END AS observed_ns
FROM c
LEFT JOIN lost ON lost.trace_id = c.trace_id AND lost.cpu = c.cpu
LEFT JOIN idle ON idle.trace_id = c.trace_id AND idle.cpu = c.cpu

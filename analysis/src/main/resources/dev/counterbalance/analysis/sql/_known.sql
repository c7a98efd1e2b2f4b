-- title: When the whole machine is known
-- question: In which stretches of the window is the state of every recorded CPU known?
-- column: trace_id | INTEGER | | Trace. | store
-- column: ts | BIGINT | ns | Start of a stretch. | store
-- column: te | BIGINT | ns | Its end. | store
-- column: lo | BIGINT | ns | Start of the window. | store
-- column: hi | BIGINT | ns | End of the window. | store
-- column: cpus | BIGINT | | CPUs whose state is known: those with events, and silent ones known to
--   be idle. | store
WITH
  o AS (
    SELECT * FROM _observed(trace := trace, since := since, until := until)
    WHERE observed_ns IS NOT NULL
  ),
  b AS (
    SELECT
      trace_id,
      max(first_ns) AS first_ns,
      greatest(max(first_ns), min(last_ns)) AS last_ns,
      count(*) AS cpus
    FROM o
    GROUP BY trace_id
  ),
  gap AS (
    SELECT trace_id, first_ns AS ts, first_ns AS te FROM b
    UNION ALL
    SELECT
      l.trace_id,
      greatest(l.ts, b.first_ns) AS ts,
      least(l.ts + l.dur, b.last_ns) AS te
    FROM data_loss l
    JOIN b ON b.trace_id = l.trace_id
    WHERE (trace IS NULL OR l.trace_id = trace)
      AND l.ts < b.last_ns AND l.ts + l.dur > b.first_ns
  ),
  reach AS (
    SELECT
      trace_id,
      max(te) OVER (
        PARTITION BY trace_id ORDER BY ts, te ROWS UNBOUNDED PRECEDING) AS ts,
      lead(ts) OVER (PARTITION BY trace_id ORDER BY ts, te) AS te
    FROM gap
  )
SELECT
  r.trace_id, r.ts, coalesce(r.te, b.last_ns) AS te, w.lo, w.hi, b.cpus
FROM reach r
JOIN b ON b.trace_id = r.trace_id
JOIN _window(trace := trace, since := since, until := until) w ON w.trace_id = r.trace_id
WHERE coalesce(r.te, b.last_ns) > r.ts

-- title: CPU time by second
-- question: How busy was each CPU in each second?
-- needs: sched_switch
-- whole: tasks
-- note: Seconds count from the trace's start, whatever the window. A CPU whose state is not known in
--   a second has NULLs there.
-- column: trace_id | INTEGER | | Trace. | store
-- column: second | BIGINT | s | Second since the trace's start, 0 is the first. | trace
-- column: cpu | INTEGER | | CPU number. | kernel
-- column: busy_pct | DOUBLE | % | Time in which a task other than the idle task ran, of the time
--   observed in that second. | sched_slice
-- column: idle_pct | DOUBLE | % | Time in which the idle task ran, of the time observed in that
--   second. | sched_slice
WITH
  w AS (
    SELECT w.trace_id, w.lo, w.hi, t.start_ns
    FROM _window(trace := trace, since := since, until := until) w
    JOIN _trace t ON t.trace_id = w.trace_id
    WHERE trace IS NULL OR t.trace_id = trace
  ),
  o AS (SELECT * FROM _observed(trace := trace, since := since, until := until)),
  cell AS (
    SELECT trace_id, start_ns, s AS second,
      greatest(lo, start_ns + s * 1000000000) AS ts,
      least(hi, start_ns + (s + 1) * 1000000000) AS te
    FROM (
      SELECT trace_id, lo, hi, start_ns,
        unnest(range((lo - start_ns) // 1000000000,
          (hi - start_ns + 999999999) // 1000000000)) AS s
      FROM w)
  ),
  grid AS (
    SELECT
      c.trace_id, c.second, o.cpu, o.observed_ns IS NOT NULL AS known,
      greatest(c.ts, o.first_ns) AS ts, least(c.te, o.last_ns) AS te
    FROM cell c
    JOIN o ON o.trace_id = c.trace_id
  ),
  gap AS (
    SELECT
      l.trace_id, l.cpu,
      greatest(l.ts, max(l.ts + l.dur) OVER (
        PARTITION BY l.trace_id, l.cpu ORDER BY l.ts
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS ts,
      l.ts + l.dur AS te
    FROM data_loss l
    WHERE (trace IS NULL OR l.trace_id = trace) AND l.dur > 0 AND l.cpu IS NOT NULL
  ),
  lost AS (
    SELECT
      g.trace_id, g.second, g.cpu, sum(least(g.te, l.te) - greatest(g.ts, l.ts))::BIGINT AS ns
    FROM gap l
    JOIN grid g ON g.trace_id = l.trace_id AND g.cpu = l.cpu AND l.ts < g.te AND l.te > g.ts
    GROUP BY g.trace_id, g.second, g.cpu
  ),
  slice AS (
    SELECT
      s.trace_id, s.cpu, s.utid, w.start_ns,
      greatest(s.ts, w.lo) AS ts, least(s.ts + s.dur, w.hi) AS te,
      (greatest(s.ts, w.lo) - w.start_ns) // 1000000000 AS s0,
      (least(s.ts + s.dur, w.hi) - w.start_ns - 1) // 1000000000 AS s1
    FROM _sched_slice s
    JOIN w ON w.trace_id = s.trace_id
    WHERE (trace IS NULL OR s.trace_id = trace) AND s.ts < w.hi AND s.ts + s.dur > w.lo
  ),
  part AS (
    SELECT trace_id, cpu, utid, s0 AS second, sum(te - ts)::BIGINT AS ns
    FROM slice
    WHERE s0 = s1
    GROUP BY trace_id, cpu, utid, s0
    UNION ALL
    SELECT
      trace_id, cpu, utid, s,
      least(te, start_ns + (s + 1) * 1000000000) - greatest(ts, start_ns + s * 1000000000)
    FROM (SELECT *, unnest(range(s0, s1 + 1)) AS s FROM slice WHERE s0 < s1)
  ),
  run AS (
    SELECT
      p.trace_id, p.second, p.cpu,
      coalesce(sum(p.ns) FILTER (WHERE t.is_idle), 0)::BIGINT AS idle_ns,
      coalesce(sum(p.ns) FILTER (WHERE t.is_idle IS NOT TRUE), 0)::BIGINT AS busy_ns
    FROM part p
    LEFT JOIN (
      SELECT trace_id, utid, is_idle FROM thread WHERE trace IS NULL OR trace_id = trace
    ) t ON t.trace_id = p.trace_id AND t.utid = p.utid
    GROUP BY p.trace_id, p.second, p.cpu
  ),
  sums AS (
    SELECT
      g.trace_id, g.second, g.cpu,
      CASE WHEN g.known THEN nullif(greatest(0, g.te - g.ts - coalesce(lost.ns, 0)), 0) END AS of_ns,
      coalesce(run.busy_ns, 0) AS busy_ns,
      coalesce(run.idle_ns, 0) AS idle_ns
    FROM grid g
    LEFT JOIN lost
      ON lost.trace_id = g.trace_id AND lost.second = g.second AND lost.cpu = g.cpu
    LEFT JOIN run ON run.trace_id = g.trace_id AND run.second = g.second AND run.cpu = g.cpu
  )
SELECT
  trace_id,
  second,
  cpu,
  100.0::DOUBLE * busy_ns / of_ns AS busy_pct,
  100.0::DOUBLE * idle_ns / of_ns AS idle_pct
FROM sums
ORDER BY trace_id, second, cpu

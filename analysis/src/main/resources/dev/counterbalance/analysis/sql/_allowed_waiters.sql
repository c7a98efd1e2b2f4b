-- title: Waiters that an idle CPU might have run
-- question: How many tasks have waited for longer than grace on a busy CPU while their affinity
--   allows an idle one?
-- param: grace | 1000000 | ns | The first part of each wait that does not count.
-- note: A waiter of any affinity counts whether a CPU is idle or not: read it together with the
--   number of idle CPUs.
-- column: trace_id | INTEGER | | Trace. | store
-- column: ts | BIGINT | ns | When the number changes. | waiting
-- column: te | BIGINT | ns | Until when it holds. | waiting
-- column: n | BIGINT | | Waiters. | waiting, thread.affinity
WITH
  w AS MATERIALIZED (
    SELECT * FROM _long_wait(trace := trace, since := since, until := until, grace := grace)
  ),
  -- Stretches of more than grace in which a CPU runs idle though a task waits on it: no waiter
  -- there counts. In shorter ones no wait is old enough.
  reacting AS (
    SELECT r.trace_id, r.cpu, r.ts, r.ts + r.dur AS te
    FROM run_queue r
    WHERE (trace IS NULL OR r.trace_id = trace)
      AND r.nr_waiting > 0 AND r.nr_running = r.nr_waiting AND r.dur > grace
  ),
  queue_change AS (
    SELECT trace_id, cpu, mask, ts + grace AS ts, 1 AS n, 0 AS x FROM w
    UNION ALL
    SELECT trace_id, cpu, mask, te, -1, 0 FROM w
    UNION ALL
    SELECT q.trace_id, q.cpu, q.mask, unnest([r.ts, r.te]), 0, unnest([1, -1])
    FROM (SELECT DISTINCT trace_id, cpu, mask FROM w) q
    JOIN reacting r ON r.trace_id = q.trace_id AND r.cpu = q.cpu
  ),
  queue AS (
    SELECT
      trace_id, cpu, mask, ts,
      CASE WHEN sum(x) OVER q = 0 THEN sum(n) OVER q ELSE 0 END AS n
    FROM queue_change
    WINDOW q AS (
      PARTITION BY trace_id, cpu, mask ORDER BY ts ROWS UNBOUNDED PRECEDING)
  ),
  queue_delta AS MATERIALIZED (
    SELECT
      trace_id, mask, ts,
      (n - coalesce(lag(n) OVER (PARTITION BY trace_id, cpu, mask ORDER BY ts), 0))::BIGINT AS n
    FROM queue
  ),
  mask_cpu AS MATERIALIZED (
    SELECT m.trace_id, m.mask, m.cpu
    FROM _cpu_mask(trace := trace) m
    SEMI JOIN w ON w.trace_id = m.trace_id AND w.mask = m.mask
  ),
  idle AS (
    SELECT r.trace_id, r.cpu, r.ts, r.ts + r.dur AS te
    FROM run_queue r
    WHERE (trace IS NULL OR r.trace_id = trace)
      AND r.nr_running = 0 AND r.dur > 0
      AND (until IS NULL OR r.ts < until)
      AND (since IS NULL OR r.ts + r.dur > since)
    UNION ALL
    SELECT s.trace_id, s.cpu, s.ts, s.ts + s.dur
    FROM _sched_slice s
    JOIN (
      SELECT trace_id, cpu FROM _cpu WHERE (trace IS NULL OR trace_id = trace) AND coverage = 1
    ) c ON c.trace_id = s.trace_id AND c.cpu = s.cpu
    WHERE trace IS NULL OR s.trace_id = trace
  ),
  -- Stretches in which tasks of a mask wait: idle times outside them are of no account.
  mask_level AS (
    SELECT
      trace_id, mask, ts,
      sum(n) OVER (PARTITION BY trace_id, mask ORDER BY ts, n DESC ROWS UNBOUNDED PRECEDING) AS level,
      n
    FROM queue_delta
    WHERE mask <> 0 AND n <> 0
  ),
  mask_edge AS (
    SELECT
      trace_id, mask, ts, level,
      lead(ts) OVER (PARTITION BY trace_id, mask ORDER BY ts, n > 0 DESC) AS te
    FROM mask_level
    WHERE level = 0 OR level = n
  ),
  mask_wait AS (SELECT trace_id, mask, ts, te FROM mask_edge WHERE level > 0 AND te > ts),
  mask_idle AS (
    SELECT i.trace_id, i.mask, i.ts, i.te
    FROM (
      SELECT m.trace_id, m.mask, i.ts, i.te
      FROM mask_cpu m
      JOIN idle i ON i.trace_id = m.trace_id AND i.cpu = m.cpu) i
    ASOF JOIN mask_wait w ON w.trace_id = i.trace_id AND w.mask = i.mask AND i.te > w.ts
    WHERE w.te > i.ts
  ),
  mask_change AS (
    SELECT trace_id, mask, ts, n, 0 AS idle FROM queue_delta WHERE mask <> 0 AND n <> 0
    UNION ALL
    SELECT trace_id, mask, unnest([ts, te]), 0, unnest([1, -1]) FROM mask_idle
  ),
  masked AS (
    SELECT
      trace_id, mask, ts,
      CASE WHEN sum(idle) OVER m > 0 THEN sum(n) OVER m ELSE 0 END AS n
    FROM mask_change
    WINDOW m AS (PARTITION BY trace_id, mask ORDER BY ts ROWS UNBOUNDED PRECEDING)
  ),
  delta AS (
    SELECT trace_id, ts, n FROM queue_delta WHERE mask = 0 AND n <> 0
    UNION ALL
    SELECT
      trace_id, ts,
      (n - coalesce(lag(n) OVER (PARTITION BY trace_id, mask ORDER BY ts), 0))::BIGINT
    FROM masked
  ),
  net AS (
    SELECT trace_id, ts, sum(n)::BIGINT AS n FROM delta GROUP BY trace_id, ts HAVING sum(n) <> 0
  )
SELECT
  trace_id, ts,
  coalesce(lead(ts) OVER (PARTITION BY trace_id ORDER BY ts), 9223372036854775807) AS te,
  (sum(n) OVER (PARTITION BY trace_id ORDER BY ts ROWS UNBOUNDED PRECEDING))::BIGINT AS n
FROM net

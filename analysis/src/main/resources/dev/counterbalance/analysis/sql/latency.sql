-- title: Scheduling latency
-- question: How long did each thread wait for a CPU, after wakes and after preemptions?
-- needs: sched_switch
-- needs: sched_waking|sched_wakeup
-- without: sched_waking: a wait begins at sched_wakeup, later than the wake itself
-- without: sched_wakeup_new: waits of new tasks are not seen
-- note: Over the complete rows of wait: censored and suspect ones are counted apart. Quantiles are
--   by nearest rank: pXX is the smallest wait such that at least XX % are not longer.
-- column: trace_id | INTEGER | | Trace. | store
-- column: utid | INTEGER | | The thread. | thread
-- column: name | VARCHAR | | Its last known name. | thread
-- column: kind | VARCHAR | | wakeup, preempt or new. | wait
-- column: count | BIGINT | | Complete waits. | wait
-- column: mean_ns | DOUBLE | ns | Their mean. | wait
-- column: p50_ns | BIGINT | ns | Their median, nearest rank. | wait
-- column: p95_ns | BIGINT | ns | 95th percentile, nearest rank. | wait
-- column: p99_ns | BIGINT | ns | 99th percentile, nearest rank. | wait
-- column: p999_ns | BIGINT | ns | 99.9th percentile, nearest rank. | wait
-- column: max_ns | BIGINT | ns | The longest. | wait
-- column: censored | BIGINT | | Waits left out: start or end is outside the recording or window.
--   | wait
-- column: suspect | BIGINT | | Waits left out: they touch a loss or a contradiction. | wait
WITH g AS (
  SELECT
    trace_id, utid, kind,
    count(*) FILTER (WHERE NOT censored AND NOT suspect) AS n,
    (sum(dur) FILTER (WHERE NOT censored AND NOT suspect))::BIGINT AS total,
    quantile_disc(dur, [0.5, 0.95, 0.99, 0.999])
      FILTER (WHERE NOT censored AND NOT suspect) AS q,
    max(dur) FILTER (WHERE NOT censored AND NOT suspect) AS longest,
    count(*) FILTER (WHERE censored AND NOT suspect) AS censored,
    count(*) FILTER (WHERE suspect) AS suspect
  FROM wait(trace := trace, since := since, until := until)
  GROUP BY trace_id, utid, kind
)
SELECT
  g.trace_id, g.utid, t.name, g.kind,
  g.n AS count,
  g.total / g.n AS mean_ns,
  g.q[1] AS p50_ns,
  g.q[2] AS p95_ns,
  g.q[3] AS p99_ns,
  g.q[4] AS p999_ns,
  g.longest AS max_ns,
  g.censored,
  g.suspect
FROM g
LEFT JOIN (
  SELECT trace_id, utid, name FROM thread WHERE trace IS NULL OR trace_id = trace
) t ON t.trace_id = g.trace_id AND t.utid = g.utid
ORDER BY g.trace_id, g.longest DESC NULLS LAST, g.utid, g.kind

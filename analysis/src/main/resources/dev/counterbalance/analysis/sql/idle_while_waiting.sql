-- title: Idle while work waits
-- question: How much CPU time stayed idle while tasks waited for a CPU?
-- needs: sched_switch
-- needs: sched_waking|sched_wakeup
-- whole: cpus
-- whole: tasks
-- param: grace | 1000000 | ns | Definition allowed: the first part of each wait that does not count.
-- note: A CPU that runs idle and has a waiter counts as neither idle nor overloaded: its scheduler
--   is about to react. Waiters are those on CPUs that run a task. Only stretches in which the state
--   of every recorded CPU is known count, in the figures and in what they are related to; unknown_ns
--   says how much that leaves out. Throttled waits cannot be told apart yet and count.
-- note: wall: time in which some CPU is idle and another is overloaded. per_cpu: integral of
--   min(idle CPUs, overloaded CPUs). per_thread: integral of min(idle CPUs, waiters). allowed: as
--   per_thread, but only waiters that have waited for longer than grace (counted from the runqueue,
--   suspect waits left out) and whose affinity, where known, allows an idle CPU. A wait counts on the
--   CPU it began on, and as on a busy one also in stretches of up to grace in which that CPU idles
--   although it was queued there before; never more than all waiters of that moment.
-- column: trace_id | INTEGER | | Trace. | store
-- column: definition | VARCHAR | | wall, per_cpu, per_thread or allowed. | SchedViz; allowed: this
--   entry
-- column: ns | BIGINT | ns | The time: wall in wall-clock time, the others in CPU time. | SchedViz
-- column: pct | DOUBLE | % | ns of of_ns. | SchedViz
-- column: of_ns | BIGINT | ns | wall: the time in which every CPU is known. Others: the same times
--   the number of known CPUs. | this entry
-- column: unknown_ns | BIGINT | ns | Time of the window in which some recorded CPU is not known.
--   | cpu, data_loss
WITH
  k AS MATERIALIZED (SELECT * FROM _known(trace := trace, since := since, until := until)),
  span AS (
    SELECT
      w.trace_id,
      coalesce(sum(k.te - k.ts), 0)::BIGINT AS ns,
      coalesce(max(k.cpus), 0) AS cpus,
      max(w.hi - w.lo) - coalesce(sum(k.te - k.ts), 0)::BIGINT AS unknown_ns
    FROM _window(trace := trace, since := since, until := until) w
    LEFT JOIN k ON k.trace_id = w.trace_id
    GROUP BY w.trace_id
  ),
  busy AS MATERIALIZED (
    SELECT r.trace_id, r.ts, r.ts + r.m_dur AS te, r.m_idle, r.m_waiting, r.m_overloaded
    FROM run_queue r
    WHERE (trace IS NULL OR r.trace_id = trace)
      AND r.m_dur > 0 AND r.m_idle > 0 AND r.m_waiting > 0
      AND (until IS NULL OR r.ts < until)
      AND (since IS NULL OR r.ts + r.m_dur > since)
  ),
  -- Most traces are known without a break: cut their stretches at both ends. Those that lie outside
  -- are left with no length.
  whole AS (
    SELECT trace_id, min(ts) AS ts, max(te) AS te FROM k GROUP BY trace_id HAVING count(*) = 1
  ),
  -- Else take the parts that begin where a stretch does and those that begin inside one. (A range
  -- join would say it in one, but is slow.)
  broken AS (SELECT * FROM k ANTI JOIN whole ON whole.trace_id = k.trace_id),
  torn AS (SELECT * FROM busy SEMI JOIN broken ON broken.trace_id = busy.trace_id),
  q AS MATERIALIZED (
    SELECT
      b.trace_id,
      CASE WHEN b.te > k.ts THEN greatest(b.ts, k.ts) ELSE b.ts END AS ts,
      CASE WHEN b.te > k.ts THEN greatest(b.ts, k.ts, least(b.te, k.te)) ELSE b.ts END AS te,
      b.m_idle, b.m_waiting, b.m_overloaded
    FROM busy b
    JOIN whole k ON k.trace_id = b.trace_id
    UNION ALL
    SELECT
      b.trace_id, b.ts, least(b.te, k.te) AS te, b.m_idle, b.m_waiting, b.m_overloaded
    FROM torn b
    ASOF JOIN broken k ON k.trace_id = b.trace_id AND b.ts >= k.ts
    WHERE b.ts < k.te
    UNION ALL
    SELECT
      k.trace_id, k.ts, least(b.te, k.te) AS te, b.m_idle, b.m_waiting, b.m_overloaded
    FROM broken k
    ASOF JOIN torn b ON b.trace_id = k.trace_id AND k.ts > b.ts
    WHERE k.ts < b.te
  ),
  e AS MATERIALIZED (
    SELECT * FROM _allowed_waiters(trace := trace, since := since, until := until, grace := grace)
  ),
  plain AS (
    SELECT
      trace_id,
      sum(te - ts)::BIGINT AS wall,
      sum((te - ts) * least(m_idle, m_overloaded))::BIGINT AS per_cpu,
      sum((te - ts) * least(m_idle, m_waiting))::BIGINT AS per_thread
    FROM q
    GROUP BY trace_id
  ),
  -- The stretches of q cut where e changes: those that start with a stretch, and those that start
  -- with a change inside one.
  part AS (
    SELECT q.trace_id, (least(q.te, e.te) - q.ts) * least(q.m_idle, q.m_waiting, e.n) AS ns
    FROM q
    ASOF JOIN e ON e.trace_id = q.trace_id AND q.ts >= e.ts
    UNION ALL
    SELECT e.trace_id, (least(q.te, e.te) - e.ts) * least(q.m_idle, q.m_waiting, e.n)
    FROM e
    ASOF JOIN q ON q.trace_id = e.trace_id AND e.ts > q.ts
    WHERE e.ts < q.te AND q.te > q.ts
  ),
  allowed AS (SELECT trace_id, sum(ns)::BIGINT AS allowed FROM part GROUP BY trace_id),
  sums AS (
    SELECT
      s.trace_id, s.ns AS of_ns, s.cpus, s.unknown_ns,
      unnest(['wall', 'per_cpu', 'per_thread', 'allowed']) AS definition,
      unnest([1, 2, 3, 4]) AS place,
      unnest([
        coalesce(p.wall, 0), coalesce(p.per_cpu, 0), coalesce(p.per_thread, 0),
        coalesce(a.allowed, 0)]) AS ns
    FROM span s
    LEFT JOIN plain p ON p.trace_id = s.trace_id
    LEFT JOIN allowed a ON a.trace_id = s.trace_id
  )
SELECT
  trace_id,
  definition,
  ns,
  100.0::DOUBLE * ns / nullif(CASE WHEN place = 1 THEN of_ns ELSE of_ns * cpus END, 0) AS pct,
  CASE WHEN place = 1 THEN of_ns ELSE of_ns * cpus END AS of_ns,
  unknown_ns
FROM sums
ORDER BY trace_id, place

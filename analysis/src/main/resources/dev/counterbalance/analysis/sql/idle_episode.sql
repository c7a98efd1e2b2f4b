-- title: Idle episodes
-- question: Which CPUs idled the longest beside a task that waited and might have run there?
-- needs: sched_switch
-- needs: sched_waking|sched_wakeup
-- whole: cpus
-- whole: tasks
-- param: grace | 1000000 | ns | Only waits longer than this are looked at.
-- param: waits | 10000 | | Only that many of the longest waits of a trace are looked at.
-- param: top | 1000 | | That many episodes of a trace are given.
-- note: An episode is the overlap of a wait and a stretch in which another CPU, that the task's
--   affinity allows, ran its idle task. Unlike in idle_while_waiting the CPU counts as idle until it
--   switches, also if a task was already queued there. Of episodes of one wait, those that lie
--   within another one are left out: of CPUs that idled all along, the closest one is named.
--   Suspect waits are left out. An affinity that is not known allows every CPU.
-- column: trace_id | INTEGER | | Trace. | store
-- column: ts | BIGINT | ns | Start, clipped to the window. | waiting, sched_slice
-- column: dur | BIGINT | ns | How long the task waited beside the idle CPU. | this entry
-- column: idle_cpu | INTEGER | | The CPU that ran idle. | sched_slice
-- column: waiting_utid | INTEGER | | The task that waited. | waiting
-- column: waiting_cpu | INTEGER | | Where it waited. | waiting
-- column: level | VARCHAR | | The closest level that the two CPUs are known to share: SMT, LLC, NODE
--   or MACHINE. | cpu
-- column: ended_by | VARCHAR | | What ended it: ran (the task ran where it waited), pulled (it ran on
--   the idle CPU), migrated (it ran on a third one), idle_cpu_busy (the idle CPU ran something
--   else), lost (events are missing), end (of the recording or window), unknown. | sched_slice
-- column: rank | BIGINT | | 1 is the longest of its trace. | this entry
WITH
  candidate AS (
    SELECT
      *,
      row_number() OVER (PARTITION BY trace_id ORDER BY te - ts DESC, ts, utid) AS nr
    FROM _long_wait(trace := trace, since := since, until := until, grace := grace)
  ),
  w AS MATERIALIZED (
    SELECT trace_id, utid, cpu, ts, te, censored, mask, nr FROM candidate WHERE nr <= waits
  ),
  -- Waits and idle stretches meet in bins about as long as the waits, so that the join is on
  -- equality; each pair counts in the first bin that both touch.
  reach AS (
    SELECT
      trace_id, min(ts) AS ts, max(te) AS te,
      greatest(avg(te - ts), (max(te) - min(ts)) / 20000, 1)::BIGINT AS bin
    FROM w
    GROUP BY trace_id
  ),
  wait_bin AS (
    SELECT w.*, r.bin, unnest(range(w.ts // r.bin, (w.te - 1) // r.bin + 1)) AS b
    FROM w
    JOIN reach r ON r.trace_id = w.trace_id
  ),
  idle_bin AS (
    SELECT
      s.trace_id, s.cpu, s.ts, s.ts + s.dur AS te, s.end_kind,
      unnest(range(greatest(s.ts, r.ts) // r.bin,
        (least(s.ts + s.dur, r.te) - 1) // r.bin + 1)) AS b
    FROM _sched_slice s
    JOIN (
      SELECT trace_id, utid FROM thread WHERE (trace IS NULL OR trace_id = trace) AND is_idle
    ) t ON t.trace_id = s.trace_id AND t.utid = s.utid
    JOIN reach r ON r.trace_id = s.trace_id AND s.ts < r.te AND s.ts + s.dur > r.ts
    WHERE (trace IS NULL OR s.trace_id = trace)
      AND s.dur > 0
      AND (until IS NULL OR s.ts < until)
      AND (since IS NULL OR s.ts + s.dur > since)
  ),
  overlap AS (
    SELECT
      w.trace_id, w.nr, w.utid, w.cpu, w.ts, w.te, w.censored, w.mask,
      i.cpu AS idle_cpu, i.ts AS idle_ts, i.te AS idle_te, i.end_kind
    FROM wait_bin w
    JOIN idle_bin i ON i.trace_id = w.trace_id AND i.b = w.b AND w.ts < i.te AND w.te > i.ts
    WHERE w.b = greatest(w.ts, i.ts) // w.bin
  ),
  beside AS (
    SELECT
      o.trace_id, o.nr, o.utid, o.cpu, o.te AS wait_te, o.censored, o.idle_cpu, o.idle_te,
      o.end_kind,
      greatest(o.ts, o.idle_ts, since::BIGINT) AS ts,
      least(o.te, o.idle_te, until::BIGINT) AS te,
      CASE
        WHEN a.core_id = b.core_id THEN 1
        WHEN a.llc_id = b.llc_id THEN 2
        WHEN a.node_id = b.node_id THEN 3
        ELSE 4 END AS level
    FROM overlap o
    LEFT JOIN _cpu_mask(trace := trace) m
      ON m.trace_id = o.trace_id AND m.mask = o.mask AND m.cpu = o.idle_cpu
    LEFT JOIN (SELECT * FROM _cpu WHERE trace IS NULL OR trace_id = trace) a
      ON a.trace_id = o.trace_id AND a.cpu = o.cpu
    LEFT JOIN (SELECT * FROM _cpu WHERE trace IS NULL OR trace_id = trace) b
      ON b.trace_id = o.trace_id AND b.cpu = o.idle_cpu
    WHERE o.idle_cpu <> o.cpu
      AND (o.mask = 0 OR m.cpu IS NOT NULL)
  ),
  covered AS (
    SELECT
      *,
      max(te) OVER (
        PARTITION BY trace_id, nr ORDER BY ts, te DESC, level, idle_cpu
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM beside
    WHERE te > ts
  ),
  ranked AS (
    SELECT
      *,
      row_number() OVER (PARTITION BY trace_id ORDER BY te - ts DESC, ts, utid, idle_cpu) AS rank
    FROM covered
    WHERE reached IS NULL OR reached < te
  ),
  best AS MATERIALIZED (SELECT * FROM ranked WHERE rank <= top),
  next_run AS (
    SELECT b.trace_id, b.rank, any_value(s.cpu) AS cpu
    FROM best b
    JOIN _sched_slice s ON s.trace_id = b.trace_id AND s.utid = b.utid AND s.ts = b.wait_te
    WHERE trace IS NULL OR s.trace_id = trace
    GROUP BY b.trace_id, b.rank
  )
SELECT
  b.trace_id,
  b.ts,
  b.te - b.ts AS dur,
  b.idle_cpu,
  b.utid AS waiting_utid,
  b.cpu AS waiting_cpu,
  CASE b.level WHEN 1 THEN 'SMT' WHEN 2 THEN 'LLC' WHEN 3 THEN 'NODE' ELSE 'MACHINE' END AS level,
  CASE
    WHEN b.te < b.wait_te AND b.te = b.idle_te AND b.end_kind = 1 THEN 'lost'
    WHEN b.te < b.wait_te AND b.te = b.idle_te AND b.end_kind = 3 THEN 'end'
    WHEN b.te < b.wait_te AND b.te = b.idle_te THEN 'idle_cpu_busy'
    WHEN b.te < b.wait_te THEN 'end'
    WHEN n.cpu = b.cpu THEN 'ran'
    WHEN n.cpu = b.idle_cpu THEN 'pulled'
    WHEN n.cpu IS NOT NULL THEN 'migrated'
    WHEN b.censored THEN 'end'
    ELSE 'unknown' END AS ended_by,
  b.rank
FROM best b
LEFT JOIN next_run n ON n.trace_id = b.trace_id AND n.rank = b.rank
ORDER BY b.trace_id, b.rank

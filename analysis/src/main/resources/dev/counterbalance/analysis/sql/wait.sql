-- title: Waits for a CPU
-- question: When did each task wait for a CPU, and why?
-- needs: sched_switch
-- needs: sched_waking|sched_wakeup
-- without: sched_waking: a wait begins at sched_wakeup, later than the wake itself
-- without: sched_wakeup_new: waits of new tasks are not seen
-- note: A wait after a wake counts from its sched_waking where that was recorded, else from
--   sched_wakeup. A task that is moved while it waits has one wait.
-- column: trace_id | INTEGER | | Trace. | store
-- column: utid | INTEGER | | The task that waits. | thread
-- column: kind | VARCHAR | | wakeup (after a wake), preempt (it was switched out while runnable, by
--   preemption or yield) or new (its first wait); NULL if not known. | waiting.cpu_source
-- column: ts | BIGINT | ns | Start: the wake, or the switch-out. | perf sched latency
-- column: dur | BIGINT | ns | Until it runs. | perf sched latency
-- column: cpu | INTEGER | | CPU it queues on. | waiting
-- column: censored | BOOLEAN | | Its true start or end lies outside the recording or the window.
--   | waiting, this entry
-- column: suspect | BOOLEAN | | It touches a loss or a contradiction. | waiting
-- column: throttled | BOOLEAN | | It waited because its cgroup was throttled. Always NULL so far:
--   the recorded events do not tell. | this entry
SELECT
  w.trace_id,
  w.utid,
  CASE WHEN w.cpu_source = 4 THEN 'preempt'
    WHEN w.cpu_source = 1 THEN 'new'
    WHEN w.cpu_source IS NOT NULL THEN 'wakeup' END AS kind,
  greatest(coalesce(w.waking_ts, w.ts), since::BIGINT) AS ts,
  least(w.ts + w.dur, until::BIGINT) - greatest(coalesce(w.waking_ts, w.ts), since::BIGINT) AS dur,
  w.cpu,
  coalesce(w.censored, false)
    OR coalesce(coalesce(w.waking_ts, w.ts) < since, false)
    OR coalesce(w.ts + w.dur > until, false) AS censored,
  coalesce(w.suspect, false) AS suspect,
  NULL::BOOLEAN AS throttled
FROM _waiting w
WHERE (trace IS NULL OR w.trace_id = trace)
  AND w.state_code IN (0, 1)
  AND (until IS NULL OR coalesce(w.waking_ts, w.ts) < until)
  AND (since IS NULL OR w.ts + w.dur > since OR coalesce(w.waking_ts, w.ts) >= since)

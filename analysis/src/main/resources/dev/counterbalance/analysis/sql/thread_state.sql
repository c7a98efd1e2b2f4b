-- title: Thread states
-- question: In which state was each thread, and when?
-- needs: sched_switch
-- note: Idle tasks are left out. A row that starts or ends outside the recording has its recorded
--   part and is censored.
-- column: trace_id | INTEGER | | Trace. | store
-- column: ts | BIGINT | ns | Start. | Perfetto thread_state
-- column: dur | BIGINT | ns | How long. | Perfetto thread_state
-- column: utid | INTEGER | | The thread. | Perfetto thread_state
-- column: state | VARCHAR | | Running, R, R+ (runnable after a preemption), S, D, I, T, ...
--   | Perfetto thread_state
-- column: cpu | INTEGER | | Running: its CPU. R, R+: the CPU it queues on. Else the CPU it last ran
--   on. | sched_slice, waiting
-- column: cpu_source | VARCHAR | | R, R+: how cpu is known. | waiting
-- column: waker_utid | INTEGER | | R after a wake: the task that ran where the wake was recorded.
--   | Perfetto thread_state
-- column: waking_ts | BIGINT | ns | R after a wake: time of its sched_waking. | waiting
-- column: irq_context | BOOLEAN | | R after a wake: woken from an interrupt. | Perfetto thread_state
-- column: censored | BOOLEAN | | Its true start or end lies outside the recording or the window.
--   | sched_slice, waiting
-- column: suspect | BOOLEAN | | It touches a loss or a contradiction. | waiting
SELECT
  s.trace_id,
  greatest(s.ts, since::BIGINT) AS ts,
  least(s.ts + s.dur, until::BIGINT) - greatest(s.ts, since::BIGINT) AS dur,
  s.utid,
  'Running' AS state,
  s.cpu,
  NULL::VARCHAR AS cpu_source,
  NULL::INTEGER AS waker_utid,
  NULL::BIGINT AS waking_ts,
  NULL::BOOLEAN AS irq_context,
  coalesce(s.censored, false) OR coalesce(s.ts < since, false)
    OR coalesce(s.ts + s.dur > until, false) AS censored,
  s.end_kind IN (1, 2) AS suspect
FROM _sched_slice s
JOIN (
  SELECT trace_id, utid FROM thread
  WHERE (trace IS NULL OR trace_id = trace) AND is_idle IS NOT TRUE
) t ON t.trace_id = s.trace_id AND t.utid = s.utid
WHERE (trace IS NULL OR s.trace_id = trace)
  AND (until IS NULL OR s.ts < until)
  AND (since IS NULL OR s.ts + s.dur > since OR s.ts >= since)
UNION ALL
SELECT
  w.trace_id,
  greatest(w.ts, since::BIGINT),
  least(w.ts + w.dur, until::BIGINT) - greatest(w.ts, since::BIGINT),
  w.utid,
  l.state,
  w.cpu,
  CASE w.cpu_source WHEN 0 THEN 'wakeup' WHEN 1 THEN 'wakeup_new' WHEN 2 THEN 'migrate'
    WHEN 3 THEN 'prev_cpu' WHEN 4 THEN 'switch_out' END,
  w.waker_utid,
  w.waking_ts,
  w.irq_context,
  coalesce(w.censored, false) OR coalesce(w.ts < since, false)
    OR coalesce(w.ts + w.dur > until, false),
  coalesce(w.suspect, false)
FROM _waiting w
LEFT JOIN (
  SELECT trace_id, state_code, state FROM task_state WHERE trace IS NULL OR trace_id = trace
) l ON l.trace_id = w.trace_id AND l.state_code = w.state_code
WHERE (trace IS NULL OR w.trace_id = trace)
  AND (until IS NULL OR w.ts < until)
  AND (since IS NULL OR w.ts + w.dur > since OR w.ts >= since)

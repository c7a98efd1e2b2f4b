-- title: Machine load
-- question: How many tasks ran and waited, and how many CPUs were idle or overloaded, over time?
-- needs: sched_switch
-- needs: sched_waking|sched_wakeup
-- whole: cpus
-- note: One row per stretch without a change; counts are over the CPUs whose state is known.
-- column: trace_id | INTEGER | | Trace. | store
-- column: ts | BIGINT | ns | Start of the stretch. | run_queue
-- column: dur | BIGINT | ns | Until the next change on any CPU. | run_queue
-- column: nr_running | INTEGER | | Tasks that run or wait for a CPU; idle tasks do not count.
--   | kernel nr_running
-- column: nr_waiting | INTEGER | | Tasks that wait on a CPU that runs a task. | SchedViz
-- column: nr_idle | INTEGER | | CPUs that run idle and have no waiter. | SchedViz
-- column: nr_overloaded | INTEGER | | CPUs that run a task and have a waiter. | SchedViz
SELECT
  r.trace_id,
  greatest(r.ts, since::BIGINT) AS ts,
  least(r.ts + r.m_dur, until::BIGINT) - greatest(r.ts, since::BIGINT) AS dur,
  r.m_running AS nr_running,
  r.m_waiting AS nr_waiting,
  r.m_idle AS nr_idle,
  r.m_overloaded AS nr_overloaded
FROM run_queue r
WHERE (trace IS NULL OR r.trace_id = trace)
  AND r.m_dur > 0
  AND (until IS NULL OR r.ts < until)
  AND (since IS NULL OR r.ts + r.m_dur > since)

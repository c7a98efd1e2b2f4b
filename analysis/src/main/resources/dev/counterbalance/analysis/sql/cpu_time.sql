-- title: CPU time
-- question: What did each CPU spend its time on?
-- needs: sched_switch
-- without: irq_handler_entry|softirq_entry: irq_ns is NULL
-- without: sched_stat_runtime: a CPU without events counts as unknown, not as idle
-- whole: tasks
-- note: Each figure is summed on its own; none is derived from another, so that a gap between them
--   shows. A CPU that was not recorded, or is silent and not known to be idle, has a row of NULLs.
-- column: trace_id | INTEGER | | Trace. | store
-- column: cpu | INTEGER | | CPU number. | kernel
-- column: observed_ns | BIGINT | ns | Time in which the CPU's state is known: from first_ns to
--   last_ns of table cpu, within the window, without its losses. | cpu, data_loss
-- column: busy_ns | BIGINT | ns | Time in which a task other than the idle task ran. | sched_slice
-- column: idle_ns | BIGINT | ns | Time in which the idle task ran. | sched_slice
-- column: irq_ns | BIGINT | ns | Time in which at least one interrupt or softirq handler ran,
--   nested ones counted once; lies within busy_ns and idle_ns. NULL if the trace has no handler
--   events. | irq
-- column: lost_ns | BIGINT | ns | Time for which the CPU's events are missing. | data_loss
-- column: idle_pct | DOUBLE | % | idle_ns of observed_ns. | this entry
-- column: coverage | VARCHAR | | events, silent (recorded, no event) or unrecorded. | cpu
WITH
  o AS (SELECT * FROM _observed(trace := trace, since := since, until := until)),
  slice AS (
    SELECT
      s.trace_id, s.cpu, s.utid,
      sum(least(s.ts + s.dur, until::BIGINT) - greatest(s.ts, since::BIGINT))::BIGINT AS ns
    FROM _sched_slice s
    WHERE (trace IS NULL OR s.trace_id = trace)
      AND (until IS NULL OR s.ts < until)
      AND (since IS NULL OR s.ts + s.dur > since)
    GROUP BY s.trace_id, s.cpu, s.utid
  ),
  run AS (
    SELECT
      s.trace_id, s.cpu,
      coalesce(sum(s.ns) FILTER (WHERE t.is_idle), 0)::BIGINT AS idle_ns,
      coalesce(sum(s.ns) FILTER (WHERE t.is_idle IS NOT TRUE), 0)::BIGINT AS busy_ns
    FROM slice s
    LEFT JOIN (
      SELECT trace_id, utid, is_idle FROM thread WHERE trace IS NULL OR trace_id = trace
    ) t ON t.trace_id = s.trace_id AND t.utid = s.utid
    GROUP BY s.trace_id, s.cpu
  ),
  handler AS (
    SELECT
      i.trace_id, i.cpu,
      greatest(i.ts, since::BIGINT) AS ts,
      least(i.ts + i.dur, until::BIGINT) AS te
    FROM _irq i
    WHERE (trace IS NULL OR i.trace_id = trace)
      AND (until IS NULL OR i.ts < until)
      AND (since IS NULL OR i.ts + i.dur > since)
  ),
  reach AS (
    SELECT
      trace_id, cpu, ts, te,
      max(te) OVER (
        PARTITION BY trace_id, cpu ORDER BY ts
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM handler
  ),
  irq AS (
    SELECT trace_id, cpu, sum(greatest(0, te - greatest(ts, reached)))::BIGINT AS irq_ns
    FROM reach
    GROUP BY trace_id, cpu
  ),
  has_irq AS (SELECT DISTINCT trace_id FROM _irq WHERE trace IS NULL OR trace_id = trace)
SELECT
  o.trace_id,
  o.cpu,
  o.observed_ns,
  CASE WHEN o.observed_ns IS NOT NULL THEN coalesce(run.busy_ns, 0) END AS busy_ns,
  CASE WHEN o.observed_ns IS NOT NULL THEN coalesce(run.idle_ns, 0) END AS idle_ns,
  CASE WHEN o.observed_ns IS NOT NULL AND has_irq.trace_id IS NOT NULL
    THEN coalesce(irq.irq_ns, 0) END AS irq_ns,
  o.lost_ns,
  CASE WHEN o.observed_ns > 0
    THEN 100.0::DOUBLE * coalesce(run.idle_ns, 0) / o.observed_ns END AS idle_pct,
  CASE o.coverage WHEN 0 THEN 'events' WHEN 1 THEN 'silent' WHEN 2 THEN 'unrecorded' END AS coverage
FROM o
LEFT JOIN run ON run.trace_id = o.trace_id AND run.cpu = o.cpu
LEFT JOIN irq ON irq.trace_id = o.trace_id AND irq.cpu = o.cpu
LEFT JOIN has_irq ON has_irq.trace_id = o.trace_id
ORDER BY o.trace_id, o.cpu

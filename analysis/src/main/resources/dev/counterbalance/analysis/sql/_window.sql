-- title: The window that is asked for
-- question: From when to when does [since, until) cut each trace?
-- column: trace_id | INTEGER | | Trace. | store
-- column: lo | BIGINT | ns | Start: the trace's, or since if that is later. | store
-- column: hi | BIGINT | ns | End: the trace's, or until if that is earlier; never before lo. | store
SELECT
  t.trace_id,
  greatest(t.start_ns, since::BIGINT) AS lo,
  greatest(t.start_ns, since::BIGINT, least(t.end_ns, until::BIGINT)) AS hi
FROM _trace t
WHERE trace IS NULL OR t.trace_id = trace

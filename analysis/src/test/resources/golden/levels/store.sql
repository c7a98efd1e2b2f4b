-- Eight CPUs: cores 0+1, 2+3, 4+5, 6+7; LLCs 0-3, 4+5+7 and 6; nodes 0-3 and 4-7. CPUs 0 and 4 run a
-- hog each from 0 to 100 ms, the others are idle. Times in ms.
INSERT INTO _trace (trace_id, name, kind, start_ns, end_ns) VALUES (1, 'levels', 0, 0, 100000000);
INSERT INTO _cpu (trace_id, cpu, core_id, llc_id, node_id, online, first_ns, last_ns, coverage)
  SELECT 1, i, i // 2 * 2, CASE WHEN i = 6 THEN 6 ELSE i // 4 * 4 END, i // 4 * 4, true, 0, 100000000, 0
  FROM range(8) r(i);
INSERT INTO thread (trace_id, utid, tid, name, is_idle) SELECT 1, i, 0, 'swapper', true FROM range(8) r(i);
INSERT INTO thread (trace_id, utid, tid, name, is_idle, affinity) VALUES
  (1, 10, 10, 'hog', false, NULL),
  (1, 20, 20, 'any', false, NULL),
  (1, 21, 21, 'pinned', false, '00000001'),
  (1, 22, 22, 'llc', false, '1101'),
  (1, 23, 23, 'node', false, '01010000'),
  (1, 24, 24, 'machine', false, '00010001'),
  (1, 25, 25, 'far', false, '00010010'),
  (1, 26, 26, 'short', false, NULL);
INSERT INTO task_state VALUES (1, 0, 'R');
INSERT INTO _sched_slice (trace_id, ts, dur, cpu, utid, end_kind, censored)
  SELECT 1, ts * 1000000, (te - ts) * 1000000, cpu, utid, kind, false
  FROM (VALUES
    (0, 100, 0, 10, 3), (0, 100, 4, 10, 3),
    (0, 60, 1, 1, 0), (60, 70, 1, 20, 0), (70, 100, 1, 1, 3),
    (0, 50, 2, 2, 0), (50, 55, 2, 22, 0), (55, 100, 2, 2, 3), (0, 100, 3, 3, 3),
    (0, 100, 5, 5, 3), (0, 40, 6, 6, 1), (0, 100, 7, 7, 3)) s(ts, te, cpu, utid, kind);
INSERT INTO _waiting (trace_id, ts, dur, utid, state_code, cpu, cpu_source, censored, suspect)
  SELECT 1, ts * 1000000, (te - ts) * 1000000, utid, 0, cpu, 0, censored, false
  FROM (VALUES
    (10, 60, 20, 0, false),
    (10, 59, 21, 0, false),
    (10, 50, 22, 0, false),
    (10, 90, 23, 4, false),
    (80, 100, 24, 0, true),
    (5, 15, 25, 4, false)) w(ts, te, utid, cpu, censored);
INSERT INTO _waiting (trace_id, ts, dur, utid, state_code, cpu, cpu_source, censored, suspect)
  VALUES (1, 20000000, 1000000, 26, 0, 0, 0, false, false);
INSERT INTO run_queue VALUES
  (1, 0, 100000000, 0, 5, 4, 8, 6, 6, 2, 100000000);

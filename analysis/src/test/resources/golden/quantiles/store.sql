-- One task waits 1000 times after wakes, 1 to 1000 us in a shuffled order, and 3 times after
-- preemptions; another one waits once and is cut by the end.
INSERT INTO _trace (trace_id, name, kind, start_ns, end_ns) VALUES (5, 'waits', 0, 0, 20000000000);
INSERT INTO thread (trace_id, utid, tid, name, is_idle) VALUES (5, 1, 1, 'w', false), (5, 2, 2, 'x', false);
INSERT INTO task_state VALUES (5, 0, 'R'), (5, 1, 'R+');
INSERT INTO _waiting
  SELECT 5, i * 10000000, (1 + (i * 37) % 1000) * 1000, 1, 0, 0, i % 3, NULL, NULL, NULL, false, false
  FROM range(1000) r(i) WHERE i % 3 <> 1;
INSERT INTO _waiting
  SELECT 5, i * 10000000, (1 + (i * 37) % 1000) * 1000, 1, 0, 0, 3, NULL, NULL, NULL, false, false
  FROM range(1000) r(i) WHERE i % 3 = 1;
INSERT INTO _waiting VALUES
  (5, 11000000000, 30, 1, 1, 0, 4, NULL, NULL, NULL, false, false),
  (5, 12000000000, 10, 1, 1, 0, 4, NULL, NULL, NULL, false, false),
  (5, 13000000000, 20, 1, 0, 0, 4, NULL, NULL, NULL, false, false),
  (5, 19999999990, 10, 2, 0, 0, 0, NULL, NULL, NULL, true, false);

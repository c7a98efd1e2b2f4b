-- A CFS task waits behind an RT task on CPU 3 while CPU 2 idles. Four CPUs, 0 and 1 without events
-- and of unknown state. Times below count in ns from 180 s.
INSERT INTO _trace (trace_id, name, kind, start_ns, end_ns)
  VALUES (1, 'rt-vs-cfs', 0, 180000000000, 180332400000);
INSERT INTO _trace_fact VALUES (1, 'event', 'sched:sched_switch', 0),
  (1, 'event', 'sched:sched_wakeup', 0), (1, 'event', 'sched:sched_migrate_task', 0);
INSERT INTO _cpu (trace_id, cpu, core_id, llc_id, node_id, online, first_ns, last_ns, coverage) VALUES
  (1, 0, 0, 0, 0, true, NULL, NULL, 1),
  (1, 1, 1, 0, 0, true, NULL, NULL, 1),
  (1, 2, 2, 2, 0, true, 180000000000, 180332400000, 0),
  (1, 3, 3, 2, 0, true, 180000000000, 180332400000, 0);
INSERT INTO thread (trace_id, utid, tid, name, is_idle) VALUES
  (1, 0, 0, 'swapper/2', true), (1, 1, 0, 'swapper/3', true),
  (1, 2, 80, 'busy', false), (1, 3, 81, 'cfs1', false), (1, 4, 82, 'rt0', false);
INSERT INTO prev_state VALUES (1, 0, 'R'), (1, 1, 'S');
INSERT INTO task_state VALUES (1, 0, 'R'), (1, 1, 'R+'), (1, 2, 'S');
INSERT INTO _sched_slice
  SELECT 1, 180000000000 + ts, te - ts, cpu, utid, prio, end_state, CASE WHEN end_kind = 0 THEN prio END,
    next_utid, next_prio, end_kind, censored
  FROM (VALUES
    --       ts        te  cpu utid prio state next nprio kind censored
    (        0,         0, 2, 0, 120,    0,    2,  120, 0, true),
    (        0,    100000, 2, 2, 120,    1,    0,  120, 0, false),
    (   100000, 100010000, 2, 0, 120,    0,    2,  120, 0, false),
    (100010000, 332000000, 2, 2, 120,    1,    0,  120, 0, false),
    (332000000, 332320000, 2, 0, 120,    0,    3,  120, 0, false),
    (332320000, 332400000, 2, 3, 120, NULL, NULL, NULL, 3, true),
    (        0,    218000, 3, 3, 120,    0,    4,   89, 0, true),
    (   218000, 332400000, 3, 4,  89,    1,    1,  120, 0, false),
    (332400000, 332400000, 3, 1, 120, NULL, NULL, NULL, 3, true)
  ) s(ts, te, cpu, utid, prio, end_state, next_utid, next_prio, end_kind, censored);
INSERT INTO _waiting
  SELECT 1, 180000000000 + ts, te - ts, utid, code, cpu, source, waker, NULL, NULL, censored, false
  FROM (VALUES
    --       ts        te  utid code cpu source waker censored
    (   200000,    218000, 4, 0, 3,    0,    3, false),
    (   100000, 100000000, 2, 2, 2, NULL, NULL, false),
    (100000000, 100010000, 2, 0, 2,    0,    4, false),
    (   218000, 332320000, 3, 0, 3,    4, NULL, false),
    (332000000, 332400000, 2, 2, 2, NULL, NULL, true),
    (332400000, 332400000, 4, 2, 3, NULL, NULL, true)
  ) w(ts, te, utid, code, cpu, source, waker, censored);
INSERT INTO _sched_migrate_task (trace_id, ts, cpu, utid, prio, orig_cpu, dest_cpu)
  VALUES (1, 180332307000, 2, 3, 120, 3, 2);
INSERT INTO run_queue
  SELECT 1, 180000000000 + ts, te - ts, cpu, running, waiting, m_running, m_waiting, m_idle,
    m_overloaded, m_te - ts
  FROM (VALUES
    --       ts        te  cpu run wait  m: run wait idle over    until
    (        0,    100000, 2, 1, 0,         1, 0, 0, 0,         0),
    (        0,    200000, 3, 1, 0,         2, 0, 0, 0,    100000),
    (   100000, 100000000, 2, 0, 0,         1, 0, 1, 0,    200000),
    (   200000, 332307000, 3, 2, 1,         2, 1, 1, 1, 100000000),
    (100000000, 100010000, 2, 1, 1,         3, 1, 0, 1, 100010000),
    (100010000, 332000000, 2, 1, 0,         3, 1, 0, 1, 332000000),
    (332000000, 332307000, 2, 0, 0,         2, 1, 1, 1, 332307000),
    (332307000, 332400000, 3, 1, 0,         1, 0, 1, 0, 332307000),
    (332307000, 332320000, 2, 1, 1,         2, 0, 0, 0, 332320000),
    (332320000, 332400000, 2, 1, 0,         2, 0, 0, 0, 332400000),
    (332400000, 332400000, 3, 0, 0,         1, 0, 1, 0, 332400000)
  ) r(ts, te, cpu, running, waiting, m_running, m_waiting, m_idle, m_overloaded, m_te);

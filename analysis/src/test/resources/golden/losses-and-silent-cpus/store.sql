-- Trace 1, 1 s to 4 s: CPU 0 and 1 have events, CPU 1 loses those from 2.0 s to 2.5 s; CPU 2 is silent
-- and known to be idle; CPU 3 is silent and unknown; CPU 4 was not recorded. Trace 2, 0 s to 1 s: one
-- CPU, one task, all the time. Times below in ms.
INSERT INTO _trace (trace_id, name, kind, start_ns, end_ns) VALUES
  (1, 'lossy', 0, 1000000000, 4000000000), (2, 'plain', 0, 0, 1000000000);
INSERT INTO _trace_fact VALUES (1, 'event', 'sched:sched_switch', 0),
  (1, 'event', 'sched:sched_waking', 0), (1, 'event', 'sched:sched_wakeup_new', 0),
  (1, 'event', 'sched:sched_migrate_task', 0), (1, 'event', 'irq:irq_handler_entry', 0),
  (2, 'event', 'sched:sched_switch', 0), (2, 'event', 'sched:sched_wakeup', 0);
INSERT INTO _cpu (trace_id, cpu, core_id, llc_id, node_id, online, first_ns, last_ns, coverage) VALUES
  (1, 0, 0, 0, 0, true, 1000000000, 4000000000, 0),
  (1, 1, 0, 0, 0, true, 1000000000, 4000000000, 0),
  (1, 2, 2, 2, 1, true, 1000000000, 4000000000, 1),
  (1, 3, 2, 2, 1, true, NULL, NULL, 1),
  (1, 4, 4, 4, 2, true, NULL, NULL, 2),
  (2, 0, 0, 0, 0, true, 0, 1000000000, 0);
INSERT INTO data_loss VALUES (1, 1, 2000000000, 500000000, 7, 'test'), (1, NULL, NULL, NULL, 3, 'test');
INSERT INTO thread (trace_id, utid, tid, name, is_idle, affinity) VALUES
  (1, 0, 0, 'swapper/0', true, NULL), (1, 1, 0, 'swapper/1', true, NULL),
  (1, 2, 0, 'swapper/2', true, NULL),
  (1, 3, 30, 'work', false, '00101'), (1, 4, 40, 'batch', false, NULL),
  (1, 5, 50, 'work', false, NULL),
  (2, 3, 30, 'other', false, NULL);
INSERT INTO prev_state VALUES (1, 0, 'R'), (1, 256, 'R+'), (1, 1, 'S'), (1, 2, 'D');
INSERT INTO task_state VALUES (1, 0, 'R'), (1, 1, 'R+'), (1, 2, 'S'), (1, 3, 'D');
INSERT INTO _sched_slice
  SELECT trace_id, ts * 1000000::BIGINT, (te - ts) * 1000000::BIGINT, cpu, utid, 120, end_state,
    CASE WHEN end_kind = 0 THEN 120 END, next_utid, CASE WHEN end_kind = 0 THEN 120 END, end_kind,
    censored
  FROM (VALUES
    --   ts    te cpu utid state next kind censored
    (1, 1000, 1600, 0, 3,    1,    0, 0, true),
    (1, 1600, 2200, 0, 0,    0,    4, 0, false),
    (1, 2200, 3500, 0, 4,  256,    3, 0, false),
    (1, 3500, 4000, 0, 3, NULL, NULL, 3, true),
    (1, 1000, 1500, 1, 1,    0,    4, 0, true),
    (1, 1500, 2000, 1, 4, NULL, NULL, 1, true),
    (1, 2500, 2520, 1, 1,    0,    5, 0, true),
    (1, 2520, 3000, 1, 5,    2,    1, 0, false),
    (1, 3000, 4000, 1, 1, NULL, NULL, 3, true),
    (1, 1000, 4000, 2, 2, NULL, NULL, 3, true),
    (2,    0, 1000, 0, 3, NULL, NULL, 3, true)
  ) s(trace_id, ts, te, cpu, utid, end_state, next_utid, end_kind, censored);
INSERT INTO _waiting
  SELECT 1, ts * 1000000::BIGINT, (te - ts) * 1000000::BIGINT, utid, code, cpu, source, NULL, waking * 1000000::BIGINT, NULL,
    censored, suspect
  FROM (VALUES
    --  ts   te utid code cpu source waking censored suspect
    (1600, 3300, 3, 2, 0, NULL, NULL, false, false),
    (3300, 3500, 3, 0, 0,    0, 3290, false, false),
    (1480, 1500, 4, 0, 1,    1, NULL, false, false),
    (2000, 2200, 4, 0, 0,    3, 2000, false,  true),
    (3500, 4000, 4, 1, 0,    4, NULL,  true, false),
    (1000, 2450, 5, 2, 1, NULL, NULL,  true, false),
    (2450, 2520, 5, 0, 0,    2, NULL, false,  true),
    (3000, 4000, 5, 3, 1, NULL, NULL,  true, false)
  ) w(ts, te, utid, code, cpu, source, waking, censored, suspect);
INSERT INTO _sched_migrate_task (trace_id, ts, cpu, utid, orig_cpu, dest_cpu)
  VALUES (1, 2150000000, 0, 4, 1, 0);
INSERT INTO _irq (trace_id, ts, dur, cpu, kind, vector)
  SELECT 1, ts * 1000000::BIGINT, (te - ts) * 1000000::BIGINT, cpu, kind, 1
  FROM (VALUES (1100, 1300, 0, 1), (1150, 1200, 0, 0), (1250, 1350, 0, 0), (2900, 3100, 1, 0),
    (3900, NULL, 1, 0))
    i(ts, te, cpu, kind);
INSERT INTO run_queue
  SELECT trace_id, ts * 1000000::BIGINT, (te - ts) * 1000000::BIGINT, cpu, running, waiting, m_running, m_waiting,
    m_idle, m_overloaded, (m_te - ts) * 1000000::BIGINT
  FROM (VALUES
    --   ts    te cpu run wait m: run wait idle over until
    (1, 1000, 1600, 0, 1, 0,    1, 0, 0, 0, 1000),
    (1, 1000, 1480, 1, 0, 0,    1, 0, 1, 0, 1000),
    (1, 1000, 4000, 2, 0, 0,    1, 0, 2, 0, 1480),
    (1, 1480, 1500, 1, 1, 1,    2, 0, 1, 0, 1500),
    (1, 1500, 2000, 1, 1, 0,    2, 0, 1, 0, 1600),
    (1, 1600, 2000, 0, 0, 0,    1, 0, 2, 0, 2000),
    (1, 2000, 2200, 0, 1, 1,    1, 0, 1, 0, 2200),
    (1, 2200, 2450, 0, 1, 0,    1, 0, 1, 0, 2450),
    (1, 2450, 2520, 0, 2, 1,    2, 1, 1, 1, 2500),
    (1, 2500, 2520, 1, 0, 0,    2, 1, 2, 1, 2520),
    (1, 2520, 3300, 0, 1, 0,    1, 0, 2, 0, 2520),
    (1, 2520, 3000, 1, 1, 0,    2, 0, 1, 0, 3000),
    (1, 3000, 4000, 1, 0, 0,    1, 0, 2, 0, 3300),
    (1, 3300, 4000, 0, 2, 1,    2, 1, 2, 1, 4000),
    (2,    0, 1000, 0, 1, 0,    1, 0, 0, 0, 1000)
  ) r(trace_id, ts, te, cpu, running, waiting, m_running, m_waiting, m_idle, m_overloaded, m_te);

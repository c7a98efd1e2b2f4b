package dev.counterbalance.trace.interval;

/** How it is known on which CPU a task waits. */
public enum CpuSource {
  /** {@code sched_wakeup}: its target_cpu is final. */
  WAKEUP,
  /** {@code sched_wakeup_new}: the CPU a new task was put on. */
  WAKEUP_NEW,
  /** {@code sched_migrate_task} that placed the task between its waking and its first run. */
  MIGRATE,
  /** Only {@code sched_waking}, no migration: the CPU the task last used. */
  PREV_CPU,
  /** It was switched out while runnable: the CPU it ran on. */
  SWITCH_OUT
}

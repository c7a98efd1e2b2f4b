package dev.counterbalance.trace.event;

/** The {@code sched_process_*} tracepoints. */
public enum ProcessEvent {
  /** {@code tid} is the parent, {@code otherTid} the child. */
  FORK,
  /** {@code otherTid} is {@code old_pid}, the thread that called exec; the name is the file. */
  EXEC,
  EXIT,
  FREE,
  /** {@code tid} is the task waited for (0: any), {@code otherTid} the one that waits. */
  WAIT,
  HANG
}

package dev.counterbalance.trace.event;

/** The NUMA balancing tracepoints {@code sched_{move,stick,swap}_numa}. */
public enum NumaEvent {
  MOVE,
  STICK,
  SWAP
}

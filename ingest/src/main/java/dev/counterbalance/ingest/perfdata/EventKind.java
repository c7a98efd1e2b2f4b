package dev.counterbalance.ingest.perfdata;

/** What a tracepoint's events become. Ints, since the decoder switches on them per event. */
final class EventKind {
  /** Not delivered: an event of a system that was not asked for. */
  static final int NONE = 0;

  static final int SWITCH = 1;
  static final int WAKING = 2;
  static final int WAKEUP = 3;
  static final int WAKEUP_NEW = 4;
  static final int MIGRATE = 5;
  static final int FORK = 6;
  static final int EXEC = 7;
  static final int EXIT = 8;
  static final int FREE = 9;
  static final int WAIT = 10;
  static final int HANG = 11;
  static final int PRIO = 12;
  static final int NUMA_MOVE = 13;
  static final int NUMA_STICK = 14;
  static final int NUMA_SWAP = 15;
  static final int STAT_RUNTIME = 16;
  static final int STAT_WAIT = 17;
  static final int STAT_SLEEP = 18;
  static final int STAT_IOWAIT = 19;
  static final int STAT_BLOCKED = 20;
  static final int IRQ_ENTRY = 21;
  static final int IRQ_EXIT = 22;
  static final int SOFTIRQ_ENTRY = 23;
  static final int SOFTIRQ_EXIT = 24;
  static final int CPU_IDLE = 25;
  static final int CPU_FREQUENCY = 26;
  static final int NR_RUNNING = 27;

  /** Delivered as name and JSON. */
  static final int OTHER = 28;

  private EventKind() {}
}

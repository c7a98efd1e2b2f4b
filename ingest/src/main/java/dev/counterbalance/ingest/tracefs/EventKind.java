package dev.counterbalance.ingest.tracefs;

/** What a tracepoint's events become. Ints, since the decoder switches on them per event. */
public final class EventKind {
  /** Not delivered: an event of a system that was not asked for. */
  public static final int NONE = 0;

  public static final int SWITCH = 1;
  public static final int WAKING = 2;
  public static final int WAKEUP = 3;
  public static final int WAKEUP_NEW = 4;
  public static final int MIGRATE = 5;
  public static final int FORK = 6;
  public static final int EXEC = 7;
  public static final int EXIT = 8;
  public static final int FREE = 9;
  public static final int WAIT = 10;
  public static final int HANG = 11;
  public static final int PRIO = 12;
  public static final int NUMA_MOVE = 13;
  public static final int NUMA_STICK = 14;
  public static final int NUMA_SWAP = 15;
  public static final int STAT_RUNTIME = 16;
  public static final int STAT_WAIT = 17;
  public static final int STAT_SLEEP = 18;
  public static final int STAT_IOWAIT = 19;
  public static final int STAT_BLOCKED = 20;
  public static final int IRQ_ENTRY = 21;
  public static final int IRQ_EXIT = 22;
  public static final int SOFTIRQ_ENTRY = 23;
  public static final int SOFTIRQ_EXIT = 24;
  public static final int CPU_IDLE = 25;
  public static final int CPU_FREQUENCY = 26;
  public static final int NR_RUNNING = 27;

  /** Delivered as name and JSON. */
  public static final int OTHER = 28;

  private EventKind() {}
}

package dev.counterbalance.ingest.perfdata;

/**
 * Record types of perf.data that are read; all others are skipped by their size. Below {@link
 * #FIRST_USER} they come from the kernel (include/uapi/linux/perf_event.h), the rest from perf.
 */
final class RecordType {
  static final int LOST = 2;
  static final int COMM = 3;
  static final int EXIT = 4;
  static final int FORK = 7;
  static final int SAMPLE = 9;
  static final int LOST_SAMPLES = 13;
  static final int SWITCH = 14;
  static final int SWITCH_CPU_WIDE = 15;
  static final int LAST_KNOWN_KERNEL = 22;
  static final int FIRST_USER = 64;
  static final int HEADER_ATTR = 64;
  static final int HEADER_TRACING_DATA = 66;
  static final int ID_INDEX = 69;
  static final int AUXTRACE = 71;
  static final int CPU_MAP = 74;
  static final int EVENT_UPDATE = 78;
  static final int HEADER_FEATURE = 80;
  static final int COMPRESSED = 81;
  static final int COMPRESSED2 = 83;
  static final int LAST_KNOWN_USER = 86;

  /** {@code misc} of COMM: the name changed by exec. */
  static final int MISC_COMM_EXEC = 1 << 13;

  /** {@code misc} of SWITCH and SWITCH_CPU_WIDE: the task leaves; without it, it comes. */
  static final int MISC_SWITCH_OUT = 1 << 13;

  /** The same: it leaves while runnable. */
  static final int MISC_SWITCH_OUT_PREEMPT = 1 << 14;

  /** {@code misc} of LOST_SAMPLES: dropped on purpose by a BPF filter. */
  static final int MISC_LOST_SAMPLES_BPF = 1 << 15;

  private RecordType() {}

  static boolean isSwitch(int type) {
    return type == SWITCH || type == SWITCH_CPU_WIDE;
  }

  /** True for records that are events of the trace themselves. */
  static boolean isEvent(int type) {
    return type == SAMPLE || isSwitch(type);
  }

  static boolean isKnown(int type) {
    return (type > 0 && type <= LAST_KNOWN_KERNEL)
        || (type >= FIRST_USER && type <= LAST_KNOWN_USER);
  }
}

package dev.counterbalance.ingest;

/** Format texts and raw events of our own making, laid out as a 64-bit kernel would. */
public final class EventTexts {
  public static final int SWITCH_ID = 300;
  public static final int WAKING_ID = 301;
  public static final int RUNTIME_ID = 302;
  public static final int OTHER_ID = 303;

  public static final String STATES =
      "(REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", { 0x01, \"S\" },"
          + " { 0x02, \"D\" }, { 0x10, \"X\" }) : \"R\", REC->prev_state & 0x100 ? \"+\" : \"\"";

  public static final String COMMON =
      """
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
      \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

      """;

  public static final String SWITCH =
      format(
          "sched_switch",
          SWITCH_ID,
          field("char prev_comm[16]", 8, 16)
              + field("pid_t prev_pid", 24, 4)
              + field("int prev_prio", 28, 4)
              + field("long prev_state", 32, 8)
              + field("char next_comm[16]", 40, 16)
              + field("pid_t next_pid", 56, 4)
              + field("int next_prio", 60, 4),
          "\"prev_state=%s%s\", " + STATES);

  public static final String WAKING =
      format(
          "sched_waking",
          WAKING_ID,
          field("char comm[16]", 8, 16)
              + field("pid_t pid", 24, 4)
              + field("int prio", 28, 4)
              + field("int success", 32, 4)
              + field("int target_cpu", 36, 4),
          "\"comm=%s\", REC->comm");

  public static final String RUNTIME =
      format(
          "sched_stat_runtime",
          RUNTIME_ID,
          field("__data_loc char[] comm", 8, 4)
              + field("pid_t pid", 12, 4)
              + field("u64 runtime", 16, 8),
          "\"comm=%s\", __get_str(comm)");

  public static final String OTHER =
      format(
          "sched_wake_idle_without_ipi",
          OTHER_ID,
          field("int cpu", 8, 4) + field("char note[8]", 12, 8),
          "\"cpu=%d\", REC->cpu");

  private EventTexts() {}

  public static String field(String declaration, int offset, int size) {
    boolean signed = !declaration.startsWith("u");
    return "\tfield:"
        + declaration
        + ";\toffset:"
        + offset
        + ";\tsize:"
        + size
        + ";\tsigned:"
        + (signed ? 1 : 0)
        + ";\n";
  }

  public static String format(String name, int id, String fields, String printFormat) {
    return "name: "
        + name
        + "\nID: "
        + id
        + "\nformat:\n"
        + COMMON
        + fields
        + "\nprint fmt: "
        + printFormat
        + "\n";
  }

  private static LeBytes start(int id, int tid) {
    return start(new LeBytes(), id, tid);
  }

  private static LeBytes start(LeBytes bytes, int id, int tid) {
    return bytes.u16(id).u8(0).u8(0).u32(tid);
  }

  public static byte[] switchEvent(int prevTid, long prevState, int nextTid) {
    return switchEvent(new LeBytes(), prevTid, prevState, nextTid);
  }

  /** A switch on a big-endian machine. */
  public static byte[] bigEndianSwitch(int prevTid, long prevState, int nextTid) {
    return switchEvent(new LeBytes(true), prevTid, prevState, nextTid);
  }

  private static byte[] switchEvent(LeBytes bytes, int prevTid, long prevState, int nextTid) {
    return start(bytes, SWITCH_ID, prevTid)
        .text("task" + prevTid, 16)
        .u32(prevTid)
        .u32(120)
        .u64(prevState)
        .text("task" + nextTid, 16)
        .u32(nextTid)
        .u32(120)
        .toBytes();
  }

  public static byte[] waking(int tid, int wokenTid, int success, int targetCpu) {
    return start(WAKING_ID, tid)
        .text("woken", 16)
        .u32(wokenTid)
        .u32(120)
        .u32(success)
        .u32(targetCpu)
        .toBytes();
  }

  public static byte[] runtime(int tid, String comm, long ns) {
    int locator = ((comm.length() + 1) << 16) | 24;
    return start(RUNTIME_ID, tid).u32(locator).u32(tid).u64(ns).text(comm).u8(0).toBytes();
  }

  public static byte[] other(int tid, int cpu, String note) {
    return start(OTHER_ID, tid).u32(cpu).text(note, 8).toBytes();
  }
}

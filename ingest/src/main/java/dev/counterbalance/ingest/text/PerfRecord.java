package dev.counterbalance.ingest.text;

/** A {@code PERF_RECORD_*} line of perf script. Reused for every such line. */
final class PerfRecord {
  static final int OTHER = 0;
  static final int COMM = 1;
  static final int FORK = 2;
  static final int EXIT = 3;
  static final int LOST = 4;
  static final int LOST_SAMPLES = 5;

  private static final byte[] COMM_WORD = Ascii.of("PERF_RECORD_COMM");
  private static final byte[] EXEC = Ascii.of(" exec:");
  private static final byte[] FORK_WORD = Ascii.of("PERF_RECORD_FORK(");
  private static final byte[] EXIT_WORD = Ascii.of("PERF_RECORD_EXIT(");
  private static final byte[] LOST_WORD = Ascii.of("PERF_RECORD_LOST lost ");
  private static final byte[] LOST_SAMPLES_WORD = Ascii.of("PERF_RECORD_LOST_SAMPLES lost ");
  private static final long MAX_LOST = 1L << 40;

  int tgid;
  int tid;
  int parentTgid;
  int parentTid;
  int nameFrom;
  int nameTo;
  boolean exec;
  long lost;

  private int at;

  /** Reads a record; returns its type. */
  int parse(byte[] b, int from, int to) {
    if (Ascii.hasAt(b, from, to, COMM_WORD)) {
      return comm(b, from + COMM_WORD.length, to) ? COMM : OTHER;
    }
    if (Ascii.hasAt(b, from, to, FORK_WORD)) {
      return pairs(b, from + FORK_WORD.length, to) ? FORK : OTHER;
    }
    if (Ascii.hasAt(b, from, to, EXIT_WORD)) {
      return pairs(b, from + EXIT_WORD.length, to) ? EXIT : OTHER;
    }
    if (Ascii.hasAt(b, from, to, LOST_WORD)) {
      return lost(b, from + LOST_WORD.length, to) ? LOST : OTHER;
    }
    if (Ascii.hasAt(b, from, to, LOST_SAMPLES_WORD)) {
      return lost(b, from + LOST_SAMPLES_WORD.length, to) ? LOST_SAMPLES : OTHER;
    }
    return OTHER;
  }

  private boolean lost(byte[] b, int from, int to) {
    if (!Ascii.hasNumber(b, from, to)) {
      return false;
    }
    lost = Ascii.number(b, from, to);
    return lost >= 0 && lost < MAX_LOST;
  }

  /** {@code : name:pid/tid} or {@code exec: name:pid/tid}. */
  private boolean comm(byte[] b, int start, int to) {
    exec = Ascii.hasAt(b, start, to, EXEC);
    int colon = exec ? start + EXEC.length - 1 : start;
    int slash = to - 1;
    while (slash > colon && b[slash] != '/') {
      slash--;
    }
    int second = slash;
    while (second > colon && b[second] != ':') {
      second--;
    }
    if (colon >= to || b[colon] != ':' || second <= colon) {
      return false;
    }
    if (!Ascii.hasNumber(b, second + 1, slash) || !Ascii.hasNumber(b, slash + 1, to)) {
      return false;
    }
    tgid = (int) Ascii.number(b, second + 1, slash);
    tid = (int) Ascii.number(b, slash + 1, to);
    nameFrom = Ascii.skipBlanks(b, colon + 1, second);
    nameTo = second;
    return true;
  }

  /** {@code pid:tid):(ppid:ptid)}. */
  private boolean pairs(byte[] b, int from, int to) {
    at = from;
    long first = nextNumber(b, to);
    long second = nextNumber(b, to);
    long third = nextNumber(b, to);
    long fourth = nextNumber(b, to);
    tgid = (int) first;
    tid = (int) second;
    parentTgid = (int) third;
    parentTid = (int) fourth;
    return fourth != Long.MIN_VALUE;
  }

  private long nextNumber(byte[] b, int to) {
    int i = at;
    while (i < to && !Ascii.hasNumber(b, i, to)) {
      i++;
    }
    if (i >= to) {
      at = to;
      return Long.MIN_VALUE;
    }
    long value = Ascii.number(b, i, to);
    at = Ascii.skipDigits(b, b[i] == '-' ? i + 1 : i, to);
    return value;
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.trace.event.EventContext;

/**
 * What the front part of one line tells: task, CPU, time and event, before the event's own fields.
 * All shapes have a CPU in brackets, which is found first; what is before and after is read from
 * there, so that a name may hold blanks, dashes, colons and brackets. Reused for every line.
 */
@SuppressWarnings("EnumOrdinal") // the sink takes contexts as ordinals
final class Line {
  /** Not a line of a trace. */
  static final int NONE = 0;

  /** A tracepoint event. */
  static final int EVENT = 1;

  /** {@code PERF_RECORD_*}; the event range holds all from that word on. */
  static final int RECORD = 2;

  /** A line of the sched_switch tracer of Linux 2.6; the event range holds its fields. */
  static final int SWITCH_TRACER = 3;

  /** A line of the function tracer. */
  static final int FUNCTION = 4;

  /** Like an event, but the time is a bare number. */
  static final int BARE_TIME = 5;

  /** A perf sample that is no tracepoint. */
  static final int SAMPLE = 6;

  private static final byte[] RECORD_WORD = Ascii.of("PERF_RECORD_");
  private static final byte[][] OWN = {
    Ascii.of("sched_"),
    Ascii.of("irq_handler_"),
    Ascii.of("softirq_"),
    Ascii.of("cpu_idle"),
    Ascii.of("cpu_frequency")
  };
  private static final int MAX_EVENT = 128;
  private static final int MAX_FRONT = 512;
  private static final int MAX_COLUMN = 16;
  private static final long MAX_SECONDS = 9_000_000_000L;
  private static final int TASK = EventContext.TASK.ordinal();
  private static final int UNKNOWN = EventContext.UNKNOWN.ordinal();
  private static final int[] SCALE = {
    1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1
  };

  final Dialect dialect;

  int nameFrom;
  int nameTo;

  /** The task that ran; -1 if the line does not tell. */
  int tid;

  /** Its thread group, -1 if unknown. If {@link #slash} is set, the number before the slash. */
  int tgid;

  /** True if the task is printed as two numbers with a slash, {@link #tgid} and {@link #tid}. */
  boolean slash;

  /** True if a dash joins name and number, as ftrace and trace-cmd print them. */
  boolean dash;

  int cpu;
  int context;
  long timeNs;

  /** Digits after the decimal point of the time. */
  int digits;

  /** True if the line is of the latency format. */
  boolean latency;

  int eventFrom;
  int eventTo;

  /** The event's own fields, without blanks around them. */
  int argsFrom;

  int argsTo;

  private byte[] b;
  private int from;
  private int to;
  private boolean bareTime;

  Line(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Reads a line; returns what it is. */
  int parse(byte[] bytes, int start, int end) {
    b = bytes;
    from = start;
    to = end;
    latency = false;
    int last = Math.min(end, start + MAX_FRONT);
    for (int i = start; i < last; i++) {
      if (bytes[i] == '[') {
        int kind = at(i);
        if (kind != NONE) {
          return kind;
        }
      }
    }
    return dialect == Dialect.PERF ? NONE : latency();
  }

  /** Reads the line if the bracket here is the CPU's. */
  private int at(int bracket) {
    int i = bracket + 1;
    boolean none = i < to && b[i] == '-'; // perf's records of no CPU: [-01]
    int digitsFrom = none ? i + 1 : i;
    int digitsTo = Ascii.skipDigits(b, digitsFrom, Math.min(to, digitsFrom + 6));
    if (digitsTo == digitsFrom || digitsTo >= to || b[digitsTo] != ']') {
      return NONE;
    }
    long number = Ascii.digits(b, digitsFrom, digitsTo);
    if (number >= CpuStats.MAX_CPUS) {
      return NONE;
    }
    cpu = none ? -1 : (int) number;
    int time = flags(digitsTo + 1);
    int colon = time < 0 ? -1 : time(time);
    if (colon < 0 || !task(bracket)) {
      return NONE;
    }
    int kind = event(colon + 1);
    if (kind == RECORD) {
      return bareTime ? NONE : RECORD;
    }
    return cpu < 0 ? NONE : bareTime && kind != NONE ? BARE_TIME : kind;
  }

  /** Reads the flags after the CPU, if there are any; returns where the time is. */
  private int flags(int at) {
    int i = Ascii.skipBlanks(b, at, to);
    context = UNKNOWN;
    if (i >= to || Ascii.isDigit(b[i])) {
      return i < to ? i : -1;
    }
    int end = Ascii.skipToBlank(b, i, Math.min(to, i + MAX_COLUMN));
    context = contextOf(i, end);
    i = Ascii.skipBlanks(b, end, to);
    return i < to && Ascii.isDigit(b[i]) ? i : -1;
  }

  private int contextOf(int at, int end) {
    int found = TASK;
    for (int i = at; i < end; i++) {
      switch (b[i]) {
        case 'h', 'H' -> found = EventContext.HARDIRQ.ordinal();
        case 's' -> found = EventContext.SOFTIRQ.ordinal();
        case 'z', 'Z' -> found = EventContext.NMI.ordinal();
        case '.', '#', 'd', 'D', 'b', 'B', 'X', 'N', 'n', 'p', 'L', 'l', 'a', 'c', 'e', 'f' -> {}
        default -> {
          if (!Ascii.isDigit(b[i])) {
            return UNKNOWN;
          }
        }
      }
    }
    return found;
  }

  /** Reads the time; returns where its colon is, -1 if there is none. */
  private int time(int at) {
    int point = Ascii.skipDigits(b, at, Math.min(to, at + 20));
    if (point >= to || point == at) {
      return -1;
    }
    int end = point;
    bareTime = b[point] != '.';
    if (bareTime) {
      timeNs = 0;
      digits = 0;
    } else {
      long seconds = point - at > 10 ? MAX_SECONDS : Ascii.digits(b, at, point);
      end = Ascii.skipDigits(b, point + 1, Math.min(to, point + 20));
      digits = Math.min(end - point - 1, 9);
      if (seconds >= MAX_SECONDS || digits == 0) {
        return -1;
      }
      timeNs =
          seconds * 1_000_000_000 + Ascii.digits(b, point + 1, point + 1 + digits) * SCALE[digits];
    }
    end = difference(end);
    return end < to && b[end] == ':' ? end : -1;
  }

  /** Skips what {@code trace-cmd report --ts-diff} adds to a time. */
  private int difference(int at) {
    int i = Ascii.skipBlanks(b, at, to);
    if (i + 1 >= to || b[i] != '(' || b[i + 1] != '+') {
      return at;
    }
    int end = Math.min(to, i + 32);
    while (i < end && b[i] != ')') {
      i++;
    }
    return i < end ? i + 1 : at;
  }

  /** Reads the task before the CPU, from the right. */
  private boolean task(int bracket) {
    int i = Ascii.trimEnd(b, from, bracket);
    int group = -1;
    if (i > from && b[i - 1] == ')') {
      int open = i - 2;
      int limit = Math.max(from, i - MAX_COLUMN);
      while (open >= limit && b[open] != '(') {
        open--;
      }
      if (open < limit) {
        return false;
      }
      int digitsFrom = Ascii.skipBlanks(b, open + 1, i - 1);
      if (Ascii.hasNumber(b, digitsFrom, i - 1)) {
        group = (int) Ascii.number(b, digitsFrom, i - 1);
      }
      i = Ascii.trimEnd(b, from, open);
    }
    int digitsFrom = digitsBefore(i);
    if (digitsFrom == i || i - digitsFrom > 10) {
      return false;
    }
    tid = (int) Ascii.digits(b, digitsFrom, i);
    tgid = group;
    slash = false;
    dash = false;
    int before = digitsFrom - 1;
    if (before >= from && b[before] == '/') {
      int firstFrom = digitsBefore(before);
      if (firstFrom == before) {
        return false;
      }
      if (firstFrom > from && b[firstFrom - 1] == '-') {
        tgid = -1;
        tid = -1;
        firstFrom--;
      } else {
        tgid = (int) Ascii.digits(b, firstFrom, before);
        slash = true;
      }
      before = firstFrom - 1;
    } else if (before >= from && b[before] == '-') {
      dash = dialect != Dialect.PERF || !isApart(before);
      if (!dash) {
        tid = -1;
        do {
          before--;
        } while (before >= from && !Ascii.isBlank(b[before]));
      }
    }
    if (!dash && before >= from && !Ascii.isBlank(b[before])) {
      return false;
    }
    name(dash ? before : Math.max(from, before));
    return true;
  }

  /** True if a dash can only be the sign of perf's -1 or -1/-1, the task that is gone. */
  private boolean isApart(int at) {
    return at == from || Ascii.isBlank(b[at - 1]) || b[at - 1] == '/';
  }

  private int digitsBefore(int end) {
    int i = end;
    while (i > from && Ascii.isDigit(b[i - 1])) {
      i--;
    }
    return i;
  }

  /**
   * The name ends here. With a dash it fills at most the 16 columns before: what is left of them,
   * such as the name of a trace-cmd instance, is not part of it.
   */
  private void name(int end) {
    int start = dash ? Math.max(from, end - MAX_COLUMN) : from;
    nameTo = dash ? end : Ascii.trimEnd(b, start, end);
    nameFrom = Ascii.skipBlanks(b, start, nameTo);
  }

  /** Reads the event after the time's colon. */
  private int event(int at) {
    int i = Ascii.skipBlanks(b, difference(at), to);
    int digitsTo = Ascii.skipDigits(b, i, to);
    if (digitsTo > i && digitsTo < to && Ascii.isBlank(b[digitsTo])) {
      i = Ascii.skipBlanks(b, digitsTo, to); // perf's period
    }
    eventFrom = i;
    if (i < to && b[i] == 'P' && Ascii.hasAt(b, i, to, RECORD_WORD)) {
      eventTo = Ascii.trimEnd(b, i, to);
      return RECORD;
    }
    int end = Ascii.skipToBlank(b, i, Math.min(to, i + MAX_EVENT));
    if (end == i) {
      return NONE;
    }
    if (b[end - 1] != ':' || end - 1 == i) {
      return other(end);
    }
    eventTo = end - 1;
    argsFrom = Ascii.skipBlanks(b, end, to);
    argsTo = Ascii.trimEnd(b, argsFrom, to);
    return dash || isTracepoint() ? EVENT : SAMPLE;
  }

  private int other(int end) {
    eventTo = Ascii.trimEnd(b, eventFrom, to);
    argsFrom = eventTo;
    argsTo = eventTo;
    int first = Ascii.skipDigits(b, eventFrom, end);
    if (first > eventFrom && first < end && b[first] == ':') {
      int second = Ascii.skipDigits(b, first + 1, end);
      if (second > first + 1 && second < end && b[second] == ':') {
        return SWITCH_TRACER;
      }
    }
    return dash ? FUNCTION : NONE;
  }

  /** perf prints tracepoints as system:name, and other events as name or name:modifiers. */
  private boolean isTracepoint() {
    int colon = eventFrom;
    while (colon < eventTo && Ascii.isWord(b[colon])) {
      colon++;
    }
    if (colon == eventTo) {
      for (byte[] start : OWN) {
        if (Ascii.hasAt(b, eventFrom, eventTo, start)) {
          return true;
        }
      }
      return false;
    }
    return colon > eventFrom
        && b[colon] == ':'
        && eventTo - colon > 3
        && Ascii.isWord(b, colon + 1, eventTo)
        && !isModifiers(colon + 1);
  }

  private boolean isModifiers(int at) {
    for (int i = at; i < eventTo; i++) {
      if ("ukhvGHpPSDIWeb".indexOf(b[i]) < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads a line of the latency format: name, dash, number, then the CPU and its flags without a
   * blank between them, and a time in us since the buffer began (trace-cmd: in seconds).
   */
  private int latency() {
    int i = Ascii.skipBlanks(b, from, to);
    int last = Math.min(to, i + MAX_COLUMN + 1);
    for (int at = i + 1; at < last; at++) {
      if (b[at] == '-') {
        int kind = latencyAt(at);
        if (kind != NONE) {
          return kind;
        }
      }
    }
    return NONE;
  }

  private int latencyAt(int dashAt) {
    int end = Ascii.skipDigits(b, dashAt + 1, Math.min(to, dashAt + 12));
    int cpuFrom = Ascii.skipBlanks(b, end, to);
    int cpuTo = Ascii.skipDigits(b, cpuFrom, Math.min(to, cpuFrom + 5));
    if (end == dashAt + 1 || cpuFrom == end || cpuTo == cpuFrom || cpuTo >= to) {
      return NONE;
    }
    int flagsTo = Ascii.skipToBlank(b, cpuTo, Math.min(to, cpuTo + MAX_COLUMN));
    int time = Ascii.skipBlanks(b, flagsTo, to);
    context = contextOf(cpuTo, flagsTo);
    if (flagsTo == cpuTo || flagsTo == time || context == UNKNOWN) {
      return NONE;
    }
    int colon = latencyTime(time);
    long number = Ascii.digits(b, cpuFrom, cpuTo);
    if (colon < 0 || number >= CpuStats.MAX_CPUS) {
      return NONE;
    }
    cpu = (int) number;
    tid = (int) Ascii.digits(b, dashAt + 1, end);
    tgid = -1;
    slash = false;
    dash = true;
    latency = true;
    bareTime = false;
    name(dashAt);
    return event(colon + 1);
  }

  private int latencyTime(int at) {
    int end = Ascii.skipDigits(b, at, Math.min(to, at + 16));
    if (end > at && end + 1 < to && b[end] == 'u' && b[end + 1] == 's') {
      timeNs = Ascii.digits(b, at, end) * 1000;
      digits = 6;
      end += 2;
    } else {
      return time(at) < 0 || bareTime ? -1 : time(at);
    }
    if (end < to && b[end] != ':') {
      end++; // the mark of a delay, or a blank
    }
    return end < to && b[end] == ':' && timeNs < MAX_SECONDS * 1_000_000_000L ? end : -1;
  }
}

package dev.counterbalance.ingest.text;

/**
 * The fields of one event as printed, read from the right, so that a comm may hold blanks, {@code
 * =}, colons and arrows. Reused for every event; each method returns false if the text is not of
 * its shape.
 */
final class Fields {
  private static final byte[] ARROW = Ascii.of(" ==> ");
  private static final byte[] NEXT_COMM = Ascii.of(" next_comm=");
  private static final byte[] NEXT_PID = Ascii.of(" next_pid=");
  private static final byte[] NEXT_PRIO = Ascii.of(" next_prio=");
  private static final byte[] PREV_COMM = Ascii.of("prev_comm=");
  private static final byte[] PREV_PID = Ascii.of(" prev_pid=");
  private static final byte[] PREV_PRIO = Ascii.of(" prev_prio=");
  private static final byte[] PREV_STATE = Ascii.of(" prev_state=");
  private static final byte[] PID = Ascii.of(" pid=");
  private static final byte[] PRIO = Ascii.of(" prio=");
  private static final byte[] SUCCESS = Ascii.of(" success=");
  private static final byte[] TARGET_CPU = Ascii.of(" target_cpu=");
  private static final byte[] SHORT_CPU = Ascii.of(" CPU:");
  private static final byte[] ORIG_CPU = Ascii.of(" orig_cpu=");
  private static final byte[] DEST_CPU = Ascii.of(" dest_cpu=");
  private static final byte[] FROM = Ascii.of(" from: ");
  private static final byte[] TO = Ascii.of(" to: ");
  private static final byte[] TASK = Ascii.of("task ");
  private static final byte[] TASK_COLON = Ascii.of("task: ");
  private static final byte[] PARENT = Ascii.of("parent ");
  private static final byte[] PARENT_PID = Ascii.of(" parent_pid=");
  private static final byte[] CHILD = Ascii.of(" child ");
  private static final byte[] CHILD_COMM = Ascii.of(" child_comm=");
  private static final byte[] CHILD_PID = Ascii.of(" child_pid=");

  private static final int MAX_COMM = 16;

  /** How often a comm may hold the key that ends it: once, and there are two of them. */
  private static final int MAX_TRIES = 4;

  private byte[] b;
  private int from;
  private int to;

  // The task the event is about; of a switch the one that leaves.
  int nameFrom;
  int nameTo;
  int tid;
  int prio;

  // The other task: the next one of a switch, the child of a fork.
  int otherFrom;
  int otherTo;
  int otherTid;
  int otherPrio;

  int stateFrom;
  int stateTo;

  /** CPUs of a wakeup (target) or a migration. */
  int cpu;

  int origCpu;

  /** 0 if a wakeup failed, since the task was awake. */
  boolean success;

  /** Set by {@link #isWake}: the fields have keys, as in kernels since 2.6.33. */
  boolean hasKeys;

  /** Where the next key to the left is looked for: what is right of it has been read. */
  private int end;

  /** Begins to read the fields of an event. */
  void start(byte[] bytes, int argsFrom, int argsTo) {
    b = bytes;
    from = argsFrom;
    to = argsTo;
    end = argsTo;
  }

  // ---- sched_switch ----

  boolean isSwitch() {
    if (Ascii.hasAt(b, from, to, PREV_COMM)) {
      int at = next(from + PREV_COMM.length, NEXT_COMM);
      for (int i = 0; i < MAX_TRIES && at >= 0; i++, at = next(at + 1, NEXT_COMM)) {
        if (keySwitch(at)) {
          return true;
        }
      }
      return false;
    }
    int at = next(from, ARROW);
    for (int i = 0; i < MAX_TRIES && at >= 0; i++, at = next(at + 1, ARROW)) {
      if (shortSwitch(at)) {
        return true;
      }
    }
    return false;
  }

  private int next(int at, byte[] text) {
    return Ascii.find(b, at, to, text);
  }

  private boolean keySwitch(int nextComm) {
    boolean arrow = nextComm - 4 >= from && b[nextComm - 1] == '>' && b[nextComm - 2] == '=';
    stateTo = arrow ? nextComm - 4 : nextComm;
    int state = Ascii.findLast(b, from, stateTo, PREV_STATE);
    if (state < 0) {
      return false;
    }
    stateFrom = state + PREV_STATE.length;
    for (int i = stateFrom; i < stateTo; i++) {
      if (Ascii.isBlank(b[i])) {
        return false;
      }
    }
    end = state;
    if (stateFrom >= stateTo || !key(PREV_PRIO)) {
      return false;
    }
    prio = (int) value;
    if (!key(PREV_PID)) {
      return false;
    }
    tid = (int) value;
    nameFrom = from + PREV_COMM.length;
    nameTo = Math.max(nameFrom, end);
    end = to;
    if (!key(NEXT_PRIO)) {
      return false;
    }
    otherPrio = (int) value;
    if (!key(NEXT_PID) || end < nextComm) {
      return false;
    }
    otherTid = (int) value;
    otherFrom = nextComm + NEXT_COMM.length;
    otherTo = Math.max(otherFrom, end);
    return true;
  }

  /** {@code bash:12 [120] S ==> sh:13 [120]}, or {@code task bash:12 [120] (S) ==> ...}. */
  private boolean shortSwitch(int arrow) {
    int state = arrow;
    while (state > from && b[state - 1] != ']' && !Ascii.isBlank(b[state - 1])) {
      state--;
    }
    stateFrom = state;
    stateTo = arrow;
    if (stateFrom == stateTo) {
      return false;
    }
    int left = b[stateFrom] == '(' && Ascii.hasAt(b, from, to, TASK) ? from + TASK.length : from;
    if (!colonTask(arrow + ARROW.length, to)) {
      return false;
    }
    otherFrom = nameFrom;
    otherTo = nameTo;
    otherTid = tid;
    otherPrio = prio;
    return colonTask(left, stateFrom)
        && Ascii.trimEnd(b, left, stateFrom) == taskEnd
        && nameTo - nameFrom <= MAX_COMM
        && otherTo - otherFrom <= MAX_COMM;
  }

  // ---- wakeups and migrations ----

  boolean isWake() {
    success = true;
    hasKeys = key(TARGET_CPU);
    if (hasKeys) {
      cpu = (int) value;
      if (key(SUCCESS)) {
        success = value != 0;
      }
      return prioTask();
    }
    int left = from;
    if (key(SHORT_CPU)) {
      cpu = (int) value;
    } else {
      int open = bracket(from, to);
      if (open < 0) {
        return false;
      }
      cpu = (int) Ascii.number(b, open + 1, bracketEnd);
      end = open;
      left = Ascii.hasAt(b, from, to, TASK) ? from + TASK.length : from;
    }
    if (key(SUCCESS)) {
      success = value != 0;
    }
    return colonTask(left, end);
  }

  boolean isMigrate() {
    if (key(DEST_CPU)) {
      cpu = (int) value;
      if (!key(ORIG_CPU)) {
        return false;
      }
      origCpu = (int) value;
      return prioTask();
    }
    if (!key(TO)) {
      return false;
    }
    cpu = (int) value;
    if (!key(FROM)) {
      return false;
    }
    origCpu = (int) value;
    return oldTask(end);
  }

  // ---- tasks ----

  /** {@code comm=bash pid=12 prio=120}, or {@code task bash:12 [120]}. */
  boolean isTask() {
    return prioTask() || oldTask(to);
  }

  /** {@code comm=bash pid=12}. */
  boolean isTaskWithoutPrio() {
    prio = Integer.MIN_VALUE;
    return commTask() || oldTask(end);
  }

  boolean isFork() {
    if (key(CHILD_PID)) {
      otherTid = (int) value;
      int at = Ascii.find(b, from, end, CHILD_COMM);
      for (int i = 0; i < MAX_TRIES && at >= 0; i++, at = next(at + 1, CHILD_COMM)) {
        int childEnd = Ascii.findLast(b, at, to, CHILD_PID);
        otherFrom = at + CHILD_COMM.length;
        otherTo = Math.max(otherFrom, childEnd);
        end = at;
        if (commTask()) {
          return true;
        }
      }
      return false;
    }
    int child = Ascii.findLast(b, from, to, CHILD);
    if (child < 0 || !Ascii.hasAt(b, from, to, PARENT)) {
      return false;
    }
    if (!colonNumber(child + CHILD.length, to)) {
      return false;
    }
    otherTid = tid;
    otherFrom = nameFrom;
    otherTo = nameTo;
    return colonNumber(from + PARENT.length, child);
  }

  private boolean prioTask() {
    if (!key(PRIO)) {
      return false;
    }
    prio = (int) value;
    return commTask();
  }

  /** The comm is all from the first = on, up to the last pid. */
  private boolean commTask() {
    int left = from;
    while (left < end && Ascii.isWord(b[left])) {
      left++;
    }
    if (left == from || left >= end || b[left] != '=') {
      return false;
    }
    int pid = Ascii.findLast(b, left + 1, end, PID);
    if (pid < 0) {
      pid = Ascii.findLast(b, left + 1, end, PARENT_PID);
      if (pid < 0) {
        return false;
      }
    }
    int at = pid + 1;
    while (b[at] != '=') {
      at++;
    }
    if (!Ascii.hasNumber(b, at + 1, to)) {
      return false;
    }
    tid = (int) Ascii.number(b, at + 1, to);
    nameFrom = left + 1;
    nameTo = pid;
    end = pid;
    return true;
  }

  private boolean oldTask(int right) {
    int left = from;
    if (Ascii.hasAt(b, from, to, TASK)) {
      left += TASK.length;
    } else if (Ascii.hasAt(b, from, to, TASK_COLON)) {
      left += TASK_COLON.length;
    } else {
      return colonTask(from, right);
    }
    return colonTask(left, right) || colonNumber(left, right);
  }

  private int bracketEnd;
  private int taskEnd;

  /** Where the last brackets with a number begin. */
  private int bracket(int left, int right) {
    for (int i = right - 1; i > left; i--) {
      if (b[i] == ']') {
        int digits = i;
        while (digits > left && (Ascii.isDigit(b[digits - 1]) || b[digits - 1] == '-')) {
          digits--;
        }
        if (digits < i && i - digits < 11 && digits > left && b[digits - 1] == '[') {
          bracketEnd = i;
          return digits - 1;
        }
      }
    }
    return -1;
  }

  /** {@code bash:12 [120]}, and anything behind. */
  private boolean colonTask(int left, int right) {
    int open = bracket(left, right);
    if (open < 0) {
      return false;
    }
    prio = (int) Ascii.number(b, open + 1, bracketEnd);
    taskEnd = bracketEnd + 1;
    return colonNumber(left, open);
  }

  /** {@code bash:12} at the end of a range. */
  private boolean colonNumber(int left, int right) {
    int stop = Ascii.trimEnd(b, left, right);
    int digits = stop;
    while (digits > left && Ascii.isDigit(b[digits - 1])) {
      digits--;
    }
    int colon = digits - 1;
    if (colon > left && b[colon] == '-') {
      colon--;
    }
    if (digits == stop || stop - digits > 10 || colon < left || b[colon] != ':') {
      return false;
    }
    tid = (int) Ascii.number(b, colon + 1, stop);
    nameFrom = left;
    nameTo = colon;
    return true;
  }

  // ---- single fields ----

  /** The number that the last key found had. */
  long value;

  /** Reads the last such key left of what has been read; {@code key} is {@code " name="}. */
  boolean key(byte[] key) {
    int at = Ascii.findLast(b, from, end, key);
    if (at < 0) {
      // The first field has no blank before it.
      if (!isFirst(key)) {
        return false;
      }
      at = from - 1;
    }
    int number = at + key.length;
    if (!Ascii.hasNumber(b, number, to)) {
      return false;
    }
    value = Ascii.number(b, number, to);
    end = Math.max(at, from);
    return true;
  }

  private boolean isFirst(byte[] key) {
    int length = key.length - 1;
    if (from + length > end) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (b[from + i] != key[i + 1]) {
        return false;
      }
    }
    return true;
  }

  /** Where a key's value begins, the first one; -1 if there is none. Reads nothing. */
  int valueOf(byte[] key) {
    if (isFirst(key)) {
      return from + key.length - 1;
    }
    int at = Ascii.find(b, from, end, key);
    return at < 0 ? -1 : at + key.length;
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.task.Names;

/**
 * Decodes lines of the sched_switch tracer of Linux 2.6: {@code 12:120:R ==> [001] 13:120:R} for a
 * switch, {@code +} for a wakeup; number, priority and state of two tasks.
 */
final class SwitchTracer {
  private final EventSink sink;
  private final PrintedStates states;

  private byte[] b;
  private int to;

  // The task read last.
  private int readTid;
  private int readPrio;
  private int readState;

  SwitchTracer(EventSink sink, PrintedStates states) {
    this.sink = sink;
    this.states = states;
  }

  /**
   * Decodes a line.
   *
   * @param name id of the current task's name
   * @return false if the line does not read so
   */
  boolean decode(byte[] bytes, Line line, int name, long offset) {
    b = bytes;
    to = line.eventTo;
    int at = triple(line.eventFrom);
    if (at < 0) {
      return false;
    }
    int tid = readTid;
    int prio = readPrio;
    int state = readState;
    at = Ascii.skipBlanks(b, at, to);
    int arrow = at;
    at = Ascii.skipBlanks(b, Ascii.skipToBlank(b, at, to), to);
    int cpu = line.cpu;
    if (at < to && b[at] == '[') {
      cpu = (int) Ascii.number(b, at + 1, to);
      at = Ascii.skipBlanks(b, Ascii.skipToBlank(b, at, to), to);
    }
    if (arrow >= to || triple(at) < 0) {
      return false;
    }
    if (b[arrow] == '+') {
      int woken = readTid;
      int context = line.context;
      sink.onWakeup(
          line.timeNs, line.cpu, tid, woken, Names.UNKNOWN, readPrio, cpu, false, context);
      return true;
    }
    if (b[arrow] != '=') {
      return false;
    }
    long raw = states.raw(b, state, state + 1, readTid, offset);
    sink.onSwitch(line.timeNs, line.cpu, tid, name, prio, raw, readTid, Names.UNKNOWN, readPrio);
    return true;
  }

  private int triple(int at) {
    int first = Ascii.skipDigits(b, at, to);
    if (first == at || first >= to || b[first] != ':') {
      return -1;
    }
    int second = Ascii.skipDigits(b, first + 1, to);
    if (second + 1 >= to || b[second] != ':') {
      return -1;
    }
    readTid = (int) Ascii.number(b, at, first);
    readPrio = (int) Ascii.number(b, first + 1, second);
    readState = second + 1;
    return second + 2;
  }
}

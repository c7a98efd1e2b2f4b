package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.ingest.tracefs.EventKind;
import java.io.IOException;
import java.util.Arrays;

/**
 * The first pass: reads the front of every line and finds out what the second needs before its
 * first event: times, order, CPUs, what ran first where, losses, the encoding of states.
 */
final class Survey {
  private static final byte[] SWITCH_NAME = Ascii.of("sched_switch");
  private static final byte[] WAKEUP_NAME = Ascii.of("sched_wakeup");
  private static final int NO_TASK = -1;

  private final Text text;
  private final Line line;
  private final Skipped skipped;
  private final Fields fields = new Fields();
  private final PerfRecord record = new PerfRecord();
  private long latestNs = Long.MIN_VALUE;
  private long firstNs;
  private int digits;
  private int[] running = new int[0];
  private long tgidFirstVotes;
  private long tidFirstVotes;

  Survey(Text text) {
    this.text = text;
    this.line = new Line(text.dialect);
    this.skipped = new Skipped(text);
  }

  /** Reads the input, and refuses it if it holds no event. */
  void run(ProgressMeter progress) throws IOException {
    Lines lines = new Lines(text.in, progress);
    while (lines.next()) {
      byte[] b = lines.bytes();
      int from = lines.start();
      int to = lines.end();
      if (lines.isTooLong()) {
        skipped.tooLong(lines.offset(), lines.number());
        continue;
      }
      boolean comment = to > from && b[from] == '#' && isComment(b, from, to);
      int kind = comment ? Line.NONE : line.parse(b, from, to);
      switch (kind) {
        case Line.EVENT -> event(b, lines.offset());
        case Line.SWITCH_TRACER -> tracer(b, lines.offset());
        case Line.RECORD -> perfRecord(b, lines.offset());
        default -> other(kind, lines);
      }
    }
    Refusals.check(text, skipped, digits > 5 && firstNs == 0);
    text.states.decide();
    text.tidFirst = tidFirstVotes > tgidFirstVotes;
    skipped.report();
    if (digits < 9) {
      long resolution = 1;
      for (int i = digits; i < 9; i++) {
        resolution *= 10;
      }
      text.info.facts.put("time_resolution_ns", Long.toString(resolution));
    }
  }

  /** A line with # is a comment, but a task's name may begin with it, too. */
  static boolean isComment(byte[] b, int from, int to) {
    return from + 1 >= to || Ascii.isBlank(b[from + 1]) || b[from + 1] == '#' || b[from + 1] == '!';
  }

  private void other(int kind, Lines lines) throws IOException {
    if (kind == Line.NONE) {
      long offset = lines.offset();
      int note = text.notes.read(lines.bytes(), lines.start(), lines.end(), offset);
      if (note == Notes.LOSS) {
        loss(text.notes.cpu, text.notes.lost);
        return;
      }
      if (note == Notes.NOTE) {
        skipped.note(lines.start() == lines.end());
        return;
      }
    }
    skipped.line(kind, lines);
  }

  private void event(byte[] b, long offset) {
    timed(offset);
    int id = text.events.id(b, line.eventFrom, line.eventTo);
    int kind = text.events.kind(id);
    if (kind == EventKind.SWITCH) {
      fields.start(b, line.argsFrom, line.argsTo);
      if (fields.isSwitch()) {
        text.states.learn(b, fields.stateFrom, fields.stateTo, fields.tid);
        switched(fields.tid, fields.otherTid);
      }
    } else if (kind == EventKind.NONE) {
      skipped.otherSystem(b, line, offset);
    }
    if (line.latency) {
      skipped.latency();
    }
  }

  private void tracer(byte[] b, long offset) {
    timed(offset);
    int arrow =
        Ascii.skipBlanks(b, Ascii.skipToBlank(b, line.eventFrom, line.eventTo), line.eventTo);
    boolean wakeup = arrow < line.eventTo && b[arrow] == '+';
    byte[] name = wakeup ? WAKEUP_NAME : SWITCH_NAME;
    text.events.id(name, 0, name.length);
    if (!wakeup) {
      switched((int) Ascii.number(b, line.eventFrom, line.eventTo), NO_TASK);
    }
  }

  /** Takes in time, CPU and task of an event. */
  private void timed(long offset) {
    skipped.eventMet();
    long time = line.timeNs;
    if (text.eventCount++ == 0) {
      firstNs = time;
    }
    digits = Math.max(digits, line.digits);
    order(time);
    text.startNs = Math.min(text.startNs, time);
    text.endNs = Math.max(text.endNs, time);
    int cpu = line.cpu;
    if (!text.cpus.isUsual(cpu, time)) {
      text.cpus.sample(cpu, time, line.tid);
    }
    if (!text.losses.isEmpty()) {
      text.losses.goesOn(cpu, offset);
    }
    if (line.slash && line.tgid != line.tid && cpu < running.length) {
      tgidFirstVotes += running[cpu] == line.tid ? 1 : 0;
      tidFirstVotes += running[cpu] == line.tgid ? 1 : 0;
    }
  }

  private void order(long time) {
    if (time < latestNs) {
      text.outOfOrder++;
    } else {
      latestNs = time;
    }
  }

  private void switched(int prevTid, int nextTid) {
    int cpu = line.cpu;
    if (text.cpus.wantsSwitch(cpu)) {
      text.cpus.firstSwitch(cpu, prevTid);
    }
    if (line.slash || cpu < running.length) {
      if (cpu >= running.length) {
        int old = running.length;
        running = Arrays.copyOf(running, Math.max(cpu + 1, old * 2));
        Arrays.fill(running, old, running.length, NO_TASK);
      }
      running[cpu] = nextTid > 0 ? nextTid : NO_TASK;
    } else if (text.dialect == Dialect.PERF) {
      running = Arrays.copyOf(running, cpu + 1);
      Arrays.fill(running, NO_TASK);
      running[cpu] = nextTid > 0 ? nextTid : NO_TASK;
    }
  }

  private void perfRecord(byte[] b, long offset) {
    int type = record.parse(b, line.eventFrom, line.eventTo);
    if (type == PerfRecord.LOST_SAMPLES) {
      text.lostSamples += record.lost;
    } else if (type == PerfRecord.LOST && line.cpu >= 0) {
      loss(line.cpu, record.lost);
      text.losses.goesOn(line.cpu, offset);
      text.endNs = Math.max(text.endNs, line.timeNs);
    } else if (type == PerfRecord.OTHER) {
      skipped.record();
    }
    if (line.timeNs > 0) {
      order(line.timeNs);
    }
  }

  private void loss(int cpu, long lost) {
    boolean started = text.cpus.hasEvents(cpu);
    text.losses.add(cpu, started ? text.cpus.lastNs(cpu) : Long.MIN_VALUE, lost);
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.ingest.tracefs.EventKind;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.util.BitSet;

/** The second pass: begins the trace, opens its CPUs, delivers every line in time order. */
final class Playback {
  private static final byte[] NO_NAME = Ascii.of("<idle>");

  private final Text text;
  private final EventSink sink;
  private final Line line;
  private final TaskNames tasks;
  private final TextDecoder decoder;
  private final SwitchTracer tracer;
  private final PerfRecord record = new PerfRecord();

  Playback(Text text, EventSink sink) {
    this.text = text;
    this.sink = sink;
    this.line = new Line(text.dialect);
    this.tasks = new TaskNames(sink, text.dialect == Dialect.PERF);
    this.tracer = new SwitchTracer(sink, text.states);
    this.decoder =
        new TextDecoder(text.problems, text.options.names(), text.names, sink, text.states, tasks);
  }

  void run(ProgressMeter progress) throws IOException {
    fillInfo();
    sink.begin(text.info);
    startCpus();
    text.losses.prepare();
    if (text.outOfOrder == 0) {
      Lines lines = new Lines(text.in, progress);
      while (lines.next()) {
        line(lines.bytes(), lines.start(), lines.end(), lines.offset());
      }
    } else {
      sorted(progress);
    }
    text.losses.finish(text.startNs, text.endNs, sink);
    tasks.finish();
    report();
    text.problems.deliver(sink);
    sink.end(text.endNs, text.eventCount, text.lostEvents());
  }

  private void sorted(ProgressMeter progress) throws IOException {
    try (LineIndex index = new LineIndex(text.in)) {
      Lines lines = new Lines(text.in, progress);
      while (lines.next()) {
        int from = lines.start();
        int kind = kind(lines.bytes(), from, lines.end());
        boolean upfront = kind == Line.RECORD && line.timeNs == 0;
        if (upfront) {
          perfRecord(lines.bytes(), lines.offset());
        } else if (kind == Line.EVENT || kind == Line.SWITCH_TRACER || kind == Line.RECORD) {
          index.add(line.timeNs, lines.offset());
        }
      }
      index.visit(this::line);
    }
  }

  private int kind(byte[] b, int from, int to) {
    boolean comment = to > from && b[from] == '#' && Survey.isComment(b, from, to);
    return comment ? Line.NONE : line.parse(b, from, to);
  }

  private void line(byte[] b, int from, int to, long offset) throws IOException {
    switch (kind(b, from, to)) {
      case Line.EVENT -> {
        int id = text.events.id(b, line.eventFrom, line.eventTo);
        int kind = text.events.kind(id);
        int tid = front(b, offset);
        line.tid = tid;
        if (kind != EventKind.NONE) {
          decoder.decode(b, line, kind, text.events.name(id), offset);
        }
      }
      case Line.SWITCH_TRACER -> {
        line.tid = front(b, offset);
        int name = text.names.of(b, line.nameFrom, line.nameTo);
        if (!tracer.decode(b, line, name, offset)) {
          decoder.unreadable(b, line, offset);
        }
      }
      case Line.RECORD -> perfRecord(b, offset);
      default -> {}
    }
  }

  /** Tells the sink what the front of the line says; returns the current task. */
  private int front(byte[] b, long offset) {
    int tid = text.tid(line);
    if (!text.losses.isEmpty()) {
      text.losses.before(line.timeNs, line.cpu, tid, offset, text.startNs, sink);
    }
    if (tid > 0) {
      boolean idle = Ascii.hasAt(b, line.nameFrom, line.nameTo, NO_NAME);
      int name = idle ? Names.UNKNOWN : text.names.of(b, line.nameFrom, line.nameTo);
      tasks.shown(line.timeNs, text.tgid(line), tid, name);
    }
    return tid;
  }

  private void perfRecord(byte[] b, long offset) {
    int type = record.parse(b, line.eventFrom, line.eventTo);
    long when = line.timeNs < text.startNs ? -1 : Math.min(line.timeNs, text.endNs);
    if (!text.losses.isEmpty() && when >= 0 && line.cpu >= 0) {
      text.losses.before(when, line.cpu, line.tid, offset, text.startNs, sink);
    }
    switch (type) {
      case PerfRecord.COMM -> {
        int name = text.names.of(b, record.nameFrom, record.nameTo);
        sink.onTaskName(when, record.tgid, record.tid, name, record.exec);
      }
      case PerfRecord.FORK -> {
        tasks.born(record.tid);
        sink.onTaskCreated(when, record.tgid, record.tid, record.parentTgid, record.parentTid);
      }
      case PerfRecord.EXIT ->
          sink.onTaskExited(Math.max(when, text.startNs), record.tgid, record.tid);
      default -> {}
    }
  }

  private void fillInfo() {
    TraceInfo info = text.info;
    info.format = text.dialect.format;
    info.startNs = text.startNs;
    info.endNs = text.endNs;
    info.prevState = text.states.prevState();
    text.events.addTo(info.events);
    info.tickDriven = info.events.contains("sched:sched_stat_runtime");
  }

  private void startCpus() {
    CpuStats cpus = text.cpus;
    BitSet recorded = new BitSet();
    for (int cpu = 0; cpu < cpus.size(); cpu++) {
      recorded.set(cpu, cpus.hasEvents(cpu));
    }
    text.losses.addCpus(recorded);
    if (text.info.cpusOnline > 0 && coversAllCpus()) {
      recorded.set(0, text.info.cpusOnline);
    }
    boolean overwritten = text.notes.isOverwritten();
    for (int cpu = recorded.nextSetBit(0); cpu >= 0; cpu = recorded.nextSetBit(cpu + 1)) {
      boolean silent = !cpus.hasEvents(cpu);
      boolean own = !silent && (overwritten || text.notes.late.get(cpu));
      long since = own ? cpus.firstNs(cpu) : text.startNs;
      sink.onCpuStart(since, cpu, silent ? -1 : cpus.startTid(cpu), silent);
    }
  }

  /** False if a header of perf shows that only some tasks were recorded. */
  private boolean coversAllCpus() {
    String cmdline = text.info.cmdline == null ? "" : text.info.cmdline + " ";
    return cmdline.isEmpty() || cmdline.contains(" -a ") || cmdline.contains(" sched record ");
  }

  private void report() {
    if (text.outOfOrder > 0) {
      text.problems.add(
          Severity.INFO,
          "out_of_order",
          text.outOfOrder,
          -1,
          -1,
          text.outOfOrder + " events were out of order",
          "They are sorted by time.");
    }
    if (text.notes.isOverwritten()) {
      long gone = text.notes.written - text.notes.inBuffer;
      text.problems.add(
          Severity.INFO,
          "overwritten_events",
          gone,
          -1,
          -1,
          gone + " events were overwritten before the buffer was read",
          "Each CPU is known from its own first event on. Record with larger buffers.");
    }
    if (text.lostEvents() > 0 || !text.losses.isEmpty()) {
      text.problems.add(
          Severity.DATA_LOSS,
          "lost_events",
          Math.max(1, text.lostEvents()),
          -1,
          -1,
          "events were lost because the recorder could not keep up",
          "Intervals around the gaps are censored. Record with larger buffers.");
    }
    if (text.states.isStrange()) {
      text.problems.add(
          Severity.ERROR,
          "unknown_state",
          1,
          -1,
          -1,
          "a task state whose letter is not known",
          "Such states show as ? and count as blocked.");
    }
  }
}

package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.ingest.tracefs.PrevStateParser;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.kernel.PrevState;
import dev.counterbalance.trace.machine.Machine;
import java.io.IOException;
import java.util.BitSet;

/** The second half of an import: begins the trace, opens its CPUs, delivers everything, ends it. */
final class Playback {
  private final Recording recording;
  private final Survey survey;
  private final RecordWalk walk;
  private final ProgressMeter progress;

  Playback(Recording recording, Survey survey, RecordWalk walk, ProgressMeter progress) {
    this.recording = recording;
    this.survey = survey;
    this.walk = walk;
    this.progress = progress;
  }

  void run(boolean pipe, long from, long to, EventSink sink) throws IOException {
    recording.perTask = survey.hasSwitchesOfTasks || Checks.isPerTask(recording);
    fillInfo(pipe);
    Checks.warn(recording);
    sink.begin(recording.info);
    Delivery delivery = new Delivery(recording, sink);
    startCpus(sink, delivery);
    upfront(delivery);
    if (survey.runs.isOverflown()) {
      progress.expect(to - from);
      try (TimeIndex index = new TimeIndex(recording)) {
        walk.walk(from, to, false, index);
        index.addTails(survey.cpus);
        index.deliver(delivery, progress);
      }
    } else {
      new RunMerge(recording, survey, delivery, progress).run();
    }
    endCpus(delivery);
    reportLoss();
    recording.problems.deliver(sink);
    sink.end(survey.endNs(), survey.events + delivery.switches(), survey.lostEvents());
  }

  private void fillInfo(boolean pipe) {
    TraceInfo info = recording.info;
    info.format = pipe ? "perf.data (pipe)" : "perf.data";
    info.startNs = survey.startNs;
    info.endNs = survey.endNs();
    info.clock = clock();
    if (recording.clockTraceNs >= 0 && recording.clockWallNs > 0) {
      info.wallStartNs = info.startNs - recording.clockTraceNs + recording.clockWallNs;
    }
    PrevState told = PrevStateParser.of(recording.formats, recording.problems);
    info.prevState = told == null ? info.prevState : told;
    if (survey.states != null) {
      info.prevState = survey.states.repaired(info.prevState, info.osRelease, recording.problems);
    }
    if (recording.isBySwitchRecords()) {
      info.prevState = SwitchRecords.STATES;
      info.events.add("sched_switch"); // what tables of switches need
    }
  }

  /** Names of clock ids (include/uapi/linux/time.h); perf's own clock if none was asked for. */
  private String clock() {
    for (Attr attr : recording.attrs) {
      switch (attr.clockId) {
        case 0 -> {
          return "realtime";
        }
        case 1 -> {
          return "monotonic";
        }
        case 4 -> {
          return "monotonic_raw";
        }
        case 7 -> {
          return "boot";
        }
        case 11 -> {
          return "tai";
        }
        default -> {}
      }
    }
    return "perf";
  }

  private void startCpus(EventSink sink, Delivery delivery) {
    BitSet recorded = recordedCpus();
    boolean backward = recording.attrs.stream().anyMatch(Attr::isWrittenBackward);
    CpuStats cpus = survey.cpus;
    for (int cpu = recorded.nextSetBit(0); cpu >= 0; cpu = recorded.nextSetBit(cpu + 1)) {
      boolean silent = !cpus.hasEvents(cpu);
      long since = backward && !silent ? cpus.firstNs(cpu) : survey.startNs;
      sink.onCpuStart(since, cpu, silent ? -1 : cpus.startTid(cpu), silent);
    }
    for (int cpu = recorded.nextSetBit(0); cpu >= 0; cpu = recorded.nextSetBit(cpu + 1)) {
      if (cpus.startsLost(cpu)) {
        delivery.lossBegin(survey.startNs, cpu);
      }
    }
  }

  /** CPUs that were recorded: those with events, and those that the recorder opened. */
  private BitSet recordedCpus() {
    BitSet recorded = new BitSet();
    for (int cpu = 0; cpu < survey.cpus.size(); cpu++) {
      if (survey.cpus.hasEvents(cpu) || survey.cpus.startsLost(cpu)) {
        recorded.set(cpu);
      }
    }
    if (recording.perTask) {
      return recorded; // ids are opened on every CPU, and tell nothing
    }
    if (!recording.openedCpus.isEmpty()) {
      recorded.or(recording.openedCpus);
    } else if (recording.info.cpusOnline > 0 && coversAllCpus()) {
      addOnline(recorded);
    }
    return recorded;
  }

  /** True if each event has an id per online CPU, or a pipe's command line says so. */
  private boolean coversAllCpus() {
    for (Attr attr : recording.attrs) {
      if (attr.isTracepoint() && attr.ids.length > 0) {
        return attr.ids.length == recording.info.cpusOnline;
      }
    }
    String cmdline = recording.info.cmdline == null ? "" : recording.info.cmdline + " ";
    return cmdline.contains(" -a ") || cmdline.contains(" sched record ");
  }

  private void addOnline(BitSet recorded) {
    int online = recording.info.cpusOnline;
    int known = 0;
    for (Machine.Cpu cpu : recording.info.machine.cpus()) {
      known += cpu.online ? 1 : 0;
    }
    if (known != online) {
      recorded.set(0, online);
      return;
    }
    for (Machine.Cpu cpu : recording.info.machine.cpus()) {
      recorded.set(cpu.cpu, cpu.online || recorded.get(cpu.cpu));
    }
  }

  private void upfront(Delivery delivery) throws IOException {
    if (survey.upfrontFrom < 0) {
      return;
    }
    Locator locator = new Locator(recording, false);
    walk.walk(
        survey.upfrontFrom,
        survey.upfrontTo,
        false,
        (bytes, pos, type, size, offset) -> {
          if (type != RecordType.LOST
              && locator.find(bytes, pos, type, size, offset) == Locator.UPFRONT) {
            delivery.other(bytes, pos, type, size, Locator.NO_TIME, -1);
          }
        });
  }

  private void endCpus(Delivery delivery) {
    CpuStats cpus = survey.cpus;
    for (int cpu = 0; cpu < cpus.size(); cpu++) {
      if (cpus.tailLost(cpu) > 0) {
        if (cpus.isCut(cpu)) {
          delivery.tailEnd(cpu, -1, "cut");
        } else {
          delivery.tailEnd(cpu, cpus.tailLost(cpu), "LOST_SAMPLES");
        }
      }
    }
  }

  private void reportLoss() {
    if (survey.lostEvents() > 0) {
      recording.problems.add(
          Severity.DATA_LOSS,
          "lost_events",
          survey.lostEvents(),
          -1,
          -1,
          "events were lost because the recorder could not keep up",
          "Intervals around the gaps are censored. Record with larger buffers: -m 8192.");
    }
  }
}

package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.ingest.io.ProgressMeter;
import dev.counterbalance.ingest.tracefs.EventFormat;
import dev.counterbalance.ingest.tracefs.EventLayout;
import dev.counterbalance.ingest.tracefs.EventLayouts;
import dev.counterbalance.ingest.tracefs.TracingData;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.TraceInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A recording made of ring-buffer pages, as a format's importer found it. {@link #play} reads the
 * pages twice and delivers their events.
 */
public final class RingRecording {
  /** CPUs at or above it are taken for damage. */
  public static final int MAX_CPUS = CpuStats.MAX_CPUS;

  public final String file;
  public final ImportOptions options;
  public final ProblemLog problems;
  public final ProgressMeter progress;
  public final TraceInfo info = new TraceInfo();
  public final TracingData formats = new TracingData();
  public final List<RingBuffer> buffers = new ArrayList<>();

  /** CPUs that were recorded, besides those with events. */
  public final BitSet recordedCpus = new BitSet();

  public PageLayout pageLayout;
  public ClockRate clockRate = ClockRate.NS;

  /** Wall time in ns of the trace clock's zero, -1 if unknown. */
  public long wallOffsetNs = -1;

  /** What to do for a better recording, in one sentence. */
  public String recordAdvice = "";

  /** Says the names of tasks that are true from the start. */
  public TaskNames taskNames = sink -> {};

  private final EventLayouts layouts;
  private final EventLayout[] byType = new EventLayout[1 << 16];
  private final BitSet asked = new BitSet();

  /** Thread ids of tasks that were forked in the recording. */
  final BitSet forked = new BitSet();

  /** Delivers what is known about tasks before the first event. */
  public interface TaskNames {
    void deliver(EventSink sink);
  }

  public RingRecording(TraceInput in, ImportOptions options) throws TraceFormatException {
    this.file = in.name();
    this.options = options;
    this.problems = new ProblemLog(in, options.strict());
    this.progress = new ProgressMeter(options.progress(), 0);
    this.layouts = new EventLayouts(problems, options.allEvents());
  }

  /** Reads the pages twice and delivers everything, from begin to end. */
  public void play(EventSink sink) throws IOException {
    RingSurvey survey = new RingSurvey(this);
    survey.run();
    survey.choose();
    new RingPlayback(this, survey).run(sink);
    progress.end();
  }

  /** True if the thread id was given to a task that was forked in the recording. */
  public boolean isForked(int tid) {
    return forked.get(tid);
  }

  /** The layout of an event type, null if its format is not known. */
  EventLayout layout(int type) {
    if (!asked.get(type)) {
      asked.set(type);
      EventFormat format = formats.format(type);
      byType[type] = format == null ? null : layouts.of(format);
    }
    return byType[type];
  }
}

package dev.counterbalance.ingest;

import dev.counterbalance.trace.task.Names;
import java.nio.file.Path;

/**
 * How a trace is read.
 *
 * @param names receives every task and event name; the ids in events refer to it
 * @param strict true if damage ends the import instead of being skipped and counted
 * @param allEvents true if events of every system are delivered, not only sched, irq and power
 * @param formats a copy of a tracefs {@code events} directory, for recordings that lack their event
 *     formats; null if there is none
 * @param progress is told how far the import is
 */
public record ImportOptions(
    Names names, boolean strict, boolean allEvents, Path formats, Progress progress) {

  /** Lenient, scheduler events only, silent. */
  public static ImportOptions of(Names names) {
    return new ImportOptions(names, false, false, null, Progress.NONE);
  }

  public ImportOptions withStrict(boolean newStrict) {
    return new ImportOptions(names, newStrict, allEvents, formats, progress);
  }

  public ImportOptions withAllEvents(boolean newAllEvents) {
    return new ImportOptions(names, strict, newAllEvents, formats, progress);
  }

  public ImportOptions withFormats(Path newFormats) {
    return new ImportOptions(names, strict, allEvents, newFormats, progress);
  }

  public ImportOptions withProgress(Progress newProgress) {
    return new ImportOptions(names, strict, allEvents, formats, newProgress);
  }
}

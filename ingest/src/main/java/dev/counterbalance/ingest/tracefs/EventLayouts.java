package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.trace.event.Severity;
import java.util.HashMap;
import java.util.Map;

/** The compiled formats of a recording; each is compiled when it is first asked for. */
public final class EventLayouts {
  private final ProblemLog problems;
  private final boolean allEvents;
  private final Map<Integer, EventLayout> byId = new HashMap<>();

  /**
   * Makes an empty set.
   *
   * @param allEvents true if events of every system are wanted, not only sched, irq and power
   */
  public EventLayouts(ProblemLog problems, boolean allEvents) {
    this.problems = problems;
    this.allEvents = allEvents;
  }

  /** The layout of a format; a required field that is missing is reported once. */
  public EventLayout of(EventFormat format) {
    return byId.computeIfAbsent(format.id(), id -> compile(format));
  }

  /** Forgets them: formats were read anew. */
  public void clear() {
    byId.clear();
  }

  private EventLayout compile(EventFormat format) {
    EventLayout layout = new EventLayout(format, allEvents);
    if (layout.missingField != null) {
      problems.add(
          Severity.ERROR,
          "event_field_missing",
          1,
          -1,
          -1,
          format.fullName() + " has no field " + layout.missingField,
          "Its events are kept as other events only.");
    }
    return layout;
  }
}

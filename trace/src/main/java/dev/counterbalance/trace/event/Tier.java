package dev.counterbalance.trace.event;

import java.util.Set;

/**
 * How well a what-if can be told from a recording, by what it holds: the tiers that every report of
 * one prints.
 */
public enum Tier {
  /**
   * Flags of each event, interrupts, wakeups, exits, and a sidecar with affinities and topology.
   */
  A_PLUS("A+"),
  /** Flags of each event: whether a wake came from a task or an interrupt. */
  A("A"),
  /** Switches and wakes, without flags. */
  B("B"),
  /** Switches only: a what-if is refused. */
  C("C");

  private static final Set<String> FULL =
      Set.of("irq_handler_entry", "softirq_entry", "sched_wakeup", "sched_process_exit");

  private final String text;

  Tier(String text) {
    this.text = text;
  }

  /**
   * The tier of a recording.
   *
   * @param events its events, without their systems
   * @param flags true if its wakes tell their context
   * @param sidecar true if affinities and topology were collected beside it
   */
  public static Tier of(Set<String> events, boolean flags, boolean sidecar) {
    if (!events.contains("sched_waking") && !events.contains("sched_wakeup")) {
      return C;
    }
    if (!flags) {
      return B;
    }
    return sidecar && events.containsAll(FULL) ? A_PLUS : A;
  }

  /** As it is printed: A+, A, B or C. */
  public String text() {
    return text;
  }
}

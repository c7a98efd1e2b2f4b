package dev.counterbalance.whatif.rules;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A part of a kernel that a rule has or not; what reads switches and tunables. */
public enum Part {
  /** Costs and noise: in every rule. */
  MACHINE("every rule"),
  DOMAINS("sched domains"),
  BALANCE("load balancing"),
  WAKEUP("wakeup placement"),
  QUEUE("CFS queues");

  /** As a sentence says it. */
  final String words;

  Part(String words) {
    this.words = words;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The parts that a cell names; {@link #MACHINE} always is one. */
  static Set<Part> of(String cell) {
    if (cell.equals("all")) {
      return EnumSet.allOf(Part.class);
    }
    Set<Part> parts = EnumSet.of(MACHINE);
    for (String word : Tsv.words(cell)) {
      parts.add(valueOf(word.toUpperCase(Locale.ROOT)));
    }
    return parts;
  }
}

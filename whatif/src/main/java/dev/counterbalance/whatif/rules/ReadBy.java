package dev.counterbalance.whatif.rules;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Who reads a switch or a tunable: a part, a value of another switch or tunable, or both.
 *
 * @param part null if the condition alone decides
 * @param name the other switch or tunable, null without a condition
 * @param value its value
 * @param negated whether any value but {@code value} is meant
 */
record ReadBy(Part part, String name, String value, boolean negated) {

  static ReadBy parse(String cell) {
    Part part = null;
    ReadBy condition = null;
    for (String word : Tsv.words(cell)) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        part = Part.valueOf(word.toUpperCase(Locale.ROOT));
        continue;
      }
      boolean negated = word.charAt(equals - 1) == '!';
      String name = word.substring(0, negated ? equals - 1 : equals);
      condition = new ReadBy(null, name, word.substring(equals + 1), negated);
    }
    return condition == null
        ? new ReadBy(part, null, null, false)
        : new ReadBy(part, condition.name, condition.value, condition.negated);
  }

  /**
   * Whether a rule reads it.
   *
   * @param known the switches resolved so far, which are those it reads, and the on/off tunables
   */
  boolean holds(Set<Part> parts, Map<String, String> known) {
    if (part != null && !parts.contains(part)) {
      return false;
    }
    if (name == null) {
      return true;
    }
    String actual = known.get(name);
    return actual != null && actual.equals(value) != negated;
  }

  /** As in "it is read ...". */
  String words() {
    String by = part == null ? "" : "by " + part.words;
    if (name == null) {
      return by;
    }
    String with = negated ? "where " + name + " is not " + value : "with " + name + "=" + value;
    return part == null ? with : by + ", " + with;
  }
}

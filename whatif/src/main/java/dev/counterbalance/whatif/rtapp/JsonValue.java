package dev.counterbalance.whatif.rtapp;

import java.util.List;
import java.util.Map;

/**
 * A value of a JSON file and where it stands.
 *
 * @param line of the member's name, or of the value if it has none; from 1
 * @param column likewise
 * @param value a {@code Map<String, JsonValue>} in the order of the file, a {@code
 *     List<JsonValue>}, a String, a Long, a Boolean, a {@link Fraction}, or null
 */
record JsonValue(int line, int column, Object value) {
  /** A number that is not whole, or too large for a long, as it is written. */
  record Fraction(String text) {}

  /** What it is, for people. */
  String kind() {
    if (value == null) {
      return "null";
    }
    if (value instanceof Map) {
      return "an object";
    }
    if (value instanceof List) {
      return "an array";
    }
    if (value instanceof String text) {
      return "the text \"" + (text.length() > 40 ? text.substring(0, 40) + "..." : text) + "\"";
    }
    return value instanceof Fraction number ? number.text() : value.toString();
  }
}

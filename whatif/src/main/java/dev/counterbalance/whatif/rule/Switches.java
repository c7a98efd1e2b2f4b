package dev.counterbalance.whatif.rule;

import java.util.Map;
import java.util.TreeMap;

/**
 * The resolved switches of a rule: exactly those that its algorithms read, by the names of
 * kernel-rules section 11.1.
 */
public final class Switches {
  private final Map<String, String> values;

  public Switches(Map<String, String> values) {
    this.values = new TreeMap<>(values);
  }

  /** The value of a switch that must be in the set. */
  public String get(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("must be read by this rule: switch=" + name);
    }
    return value;
  }

  /** Whether a switch has that value; false if the rule does not read it. */
  public boolean is(String name, String value) {
    return value.equals(values.get(name));
  }

  public boolean on(String name) {
    return is(name, "on");
  }

  /** By name, sorted. */
  public Map<String, String> asMap() {
    return new TreeMap<>(values);
  }
}

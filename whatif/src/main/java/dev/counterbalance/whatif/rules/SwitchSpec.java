package dev.counterbalance.whatif.rules;

import java.util.List;
import java.util.Map;

/**
 * A switch of the catalogue (kernel-rules section 11.1).
 *
 * @param values what it can be, the default first
 * @param readBy who looks at it
 * @param section of kernel-rules where it is explained
 * @param meaning in one line
 */
public record SwitchSpec(
    String name, List<String> values, ReadBy readBy, String section, String meaning) {

  static SwitchSpec of(Map<String, String> row) {
    return new SwitchSpec(
        row.get("switch"),
        Tsv.words(row.get("values")),
        ReadBy.parse(row.get("read_by")),
        row.get("section"),
        row.get("meaning"));
  }

  String checked(String value) {
    if (!values.contains(value)) {
      String allowed = values.size() == 1 ? values.get(0) : "one of " + String.join(", ", values);
      throw new IllegalArgumentException("must be " + allowed + ": " + name + "=" + value);
    }
    return value;
  }
}

package dev.counterbalance.whatif.rules;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A row of the rule table (kernel-rules section 11.2).
 *
 * @param id its name
 * @param title what it is, in a few words
 * @param parent the rule whose switches it starts from; empty if there is none
 * @param flips the switches it sets, by name
 * @param thread the mailing-list thread it belongs to; empty if there is none
 * @param parts what it has of a kernel
 * @param source files and version it was read from; {@code oracle} for rules that no kernel has
 * @param models what it does
 * @param leavesOut what a kernel does that it does not
 */
public record RuleSpec(
    String id,
    String title,
    String parent,
    Map<String, String> flips,
    String thread,
    Set<Part> parts,
    String source,
    String models,
    String leavesOut) {

  static RuleSpec of(Map<String, String> row) {
    Map<String, String> flips = new LinkedHashMap<>();
    for (String flip : Tsv.words(row.get("flips"))) {
      int equals = flip.indexOf('=');
      flips.put(flip.substring(0, equals), flip.substring(equals + 1));
    }
    return new RuleSpec(
        row.get("rule"),
        row.get("title"),
        row.get("parent"),
        flips,
        row.get("thread"),
        Part.of(row.get("reads")),
        row.get("source"),
        row.get("models"),
        row.get("leaves_out"));
  }

  /** Whether it is for tests and controls and no kernel's. */
  public boolean isOracle() {
    return source.equals("oracle");
  }
}

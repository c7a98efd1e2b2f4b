package dev.counterbalance.analysis;

import java.util.List;

/**
 * Why an entry cannot be answered from a trace: it needs an event that was not recorded, or
 * something that the import left out.
 *
 * @param entry the catalogue entry
 * @param missing the needed event; if there are several, one of them would do; empty if the import
 *     left something out
 * @param present the events the trace has, sorted, without their system
 * @param closest the one of them with the name most like the missing one; empty if there is none
 * @param leftOut what the import left some of, null if that is not the reason
 * @param filters the import's filters, as the store keeps them; null if that is not the reason
 */
public record NotApplicable(
    String entry,
    List<String> missing,
    List<String> present,
    String closest,
    Whole leftOut,
    String filters) {

  public NotApplicable {
    missing = List.copyOf(missing);
    present = List.copyOf(present);
  }

  /** What to tell the user, one line. */
  public String message() {
    if (leftOut != null) {
      return "not applicable: needs %s, the import left some out (%s)"
          .formatted(leftOut.words, filters);
    }
    return "not applicable: needs %s, this trace has %s"
        .formatted(String.join(" or ", missing), closest.isEmpty() ? "no such event" : closest);
  }

  /** The event of the trace whose name is most like one of the missing ones. */
  static String closest(List<String> missing, List<String> present) {
    String best = "";
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : present) {
      for (String wanted : missing) {
        int distance = distance(wanted, candidate);
        if (distance < bestDistance) {
          bestDistance = distance;
          best = candidate;
        }
      }
    }
    return best;
  }

  /** Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}

package dev.counterbalance.whatif.rules;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds what somebody may have meant. */
final class Names {
  private static final int SHOWN = 3;

  private Names() {}

  /** The three names most like a word, in a sentence's form: {@code a, b or c}. */
  static String like(String word, Collection<String> names) {
    String wanted = word.toLowerCase(Locale.ROOT);
    List<String> sorted = new ArrayList<>(names);
    sorted.sort(
        Comparator.comparingInt((String n) -> distance(wanted, n.toLowerCase(Locale.ROOT)))
            .thenComparing(Comparator.naturalOrder()));
    List<String> shown = sorted.subList(0, Math.min(SHOWN, sorted.size()));
    int last = shown.size() - 1;
    return last == 0
        ? shown.get(0)
        : String.join(", ", shown.subList(0, last)) + " or " + shown.get(last);
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

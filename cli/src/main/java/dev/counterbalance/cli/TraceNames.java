package dev.counterbalance.cli;

import java.util.Locale;
import java.util.Set;

/** Default names of traces and stores, made from the name of the input. */
final class TraceNames {
  private static final Set<String> WRAPPERS = Set.of("gz", "xz", "zst", "bz2", "lz4");

  private TraceNames() {}

  /** {@code dir/perf.data} is {@code perf}, {@code run.txt.gz} is {@code run}. */
  static String of(String input) {
    String name = input;
    while (name.length() > 1 && name.endsWith("/")) {
      name = name.substring(0, name.length() - 1);
    }
    name = name.substring(name.lastIndexOf('/') + 1);
    if (name.equals("-") || name.isEmpty() || name.equals("..") || name.equals(".")) {
      return "stdin";
    }
    int dot = name.lastIndexOf('.');
    if (dot > 0 && WRAPPERS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT))) {
      name = name.substring(0, dot);
      dot = name.lastIndexOf('.');
    }
    return dot > 0 ? name.substring(0, dot) : name;
  }
}

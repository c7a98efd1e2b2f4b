package dev.counterbalance.cli.golden;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code perf script --ns} output into a multiset of {@code ns cpu tid event args}. */
final class PerfScript {
  private static final Pattern LINE =
      Pattern.compile(
          "\\s*(.*?)\\s+(-?\\d+)\\s+\\[(\\d{3,})\\]\\s+(\\d+)\\.(\\d{9}):\\s+(\\w+):(\\w+): ?(.*)");

  private PerfScript() {}

  static Map<String, Integer> read(Path file) throws IOException {
    Map<String, Integer> lines = new TreeMap<>();
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(Corpus.open(file), StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches()) {
          long ns =
              Long.parseLong(matcher.group(4)) * 1_000_000_000L + Long.parseLong(matcher.group(5));
          add(
              lines,
              ns,
              Integer.parseInt(matcher.group(3)),
              Integer.parseInt(matcher.group(2)),
              matcher.group(7),
              matcher.group(8));
        }
      }
    }
    return lines;
  }

  static void add(
      Map<String, Integer> lines, long ns, int cpu, int tid, String event, String args) {
    lines.merge(ns + " " + cpu + " " + tid + " " + event + " " + args.strip(), 1, Integer::sum);
  }
}

package dev.counterbalance.ingest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Reads what {@code perf script --ns} printed, in the shape that {@link TextSink} makes. */
final class PerfScript {
  private static final Pattern LINE =
      Pattern.compile(
          "^\\s*(.*?)\\s+(-?\\d+)\\s+\\[(\\d+)\\]\\s+(\\d+)\\.(\\d{9}):\\s+(\\w+:\\w+):\\s?(.*)$");

  /** Events for which the sink is told the current task. */
  private static final Set<String> WITH_TID =
      Set.of(
          "sched:sched_switch",
          "sched:sched_waking",
          "sched:sched_wakeup",
          "sched:sched_wakeup_new",
          "sched:sched_migrate_task",
          "sched:sched_process_wait",
          "sched:sched_stat_runtime",
          "sched:sched_stat_wait",
          "sched:sched_stat_sleep",
          "sched:sched_stat_iowait",
          "sched:sched_stat_blocked");

  private PerfScript() {}

  static List<String> read(Path file) throws IOException {
    List<String> texts = new ArrayList<>();
    try (InputStream raw = Files.newInputStream(file);
        InputStream stream = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches()) {
          texts.add(text(matcher));
        }
      }
    }
    return texts;
  }

  private static String text(Matcher line) {
    long ns = Long.parseLong(line.group(4)) * 1_000_000_000 + Long.parseLong(line.group(5));
    String event = line.group(6);
    String args = line.group(7).strip();
    if (event.equals("irq:irq_handler_exit")) {
      args = args.replaceAll(" ret=.*", "");
    }
    if (event.equals("sched:sched_process_exit")) {
      args = args.replaceAll(" group_dead=.*", "");
    }
    String tid = WITH_TID.contains(event) ? line.group(2) : "-";
    return ns + " " + Integer.parseInt(line.group(3)) + " " + tid + " " + event + ": " + args;
  }
}

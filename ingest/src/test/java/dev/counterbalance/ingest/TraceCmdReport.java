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

/**
 * Reads what {@code trace-cmd report -R -t} printed: raw fields and ns, in the shape that {@link
 * RawTextSink} makes.
 */
final class TraceCmdReport {
  private static final Pattern LINE =
      Pattern.compile(
          "^(?:\\S+:\\s)?\\s*(.*)-(\\d+)\\s+\\[(\\d+)\\]\\s*(\\d+)\\.(\\d{9}):\\s+(\\w+):\\s*(.*)$");

  private static final Pattern ABOUT_CPU = Pattern.compile(" cpu_id=(\\d+)$");
  private static final Pattern STATE = Pattern.compile("\\bprev_state=0x([0-9a-f]+)");

  /** Events that are not about the scheduler, which are not delivered. */
  private static final Set<String> FOREIGN =
      Set.of(
          "bprint",
          "print",
          "cdev_update",
          "thermal_temperature",
          "thermal_power_limit",
          "thermal_power_read",
          "thermal_power_allocator_pid");

  private TraceCmdReport() {}

  static List<String> read(Path file) throws IOException {
    List<String> texts = new ArrayList<>();
    try (InputStream raw = Files.newInputStream(file);
        InputStream stream = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches() && !FOREIGN.contains(matcher.group(6))) {
          texts.add(text(matcher));
        }
      }
    }
    return texts;
  }

  /** Events about another CPU are delivered for that one; bit masks are printed in hexadecimal. */
  private static String text(Matcher line) {
    long ns = Long.parseLong(line.group(4)) * 1_000_000_000 + Long.parseLong(line.group(5));
    String event = line.group(6);
    String tid = RawTextSink.isToldTid(event) ? line.group(2) : "-";
    String args =
        STATE
            .matcher(line.group(7).strip())
            .replaceAll(state -> "prev_state=" + Long.parseLong(state.group(1), 16));
    Matcher about = ABOUT_CPU.matcher(args);
    int cpu = Integer.parseInt(about.find() ? about.group(1) : line.group(3));
    return ns + " " + cpu + " " + tid + " " + event + ": " + args;
  }
}

package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.trace.event.TraceInfo;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of a text that are no events: headers, comments, and markers of lost events. They are
 * few, so that regular expressions serve.
 */
final class Notes {
  /** The line means nothing here. */
  static final int NONE = 0;

  /** The line is a header or comment. */
  static final int NOTE = 1;

  /** The line tells of lost events: {@link #cpu} and {@link #lost}. */
  static final int LOSS = 2;

  private static final int MAX_NOTE = 4096;
  private static final byte[] EVENTS = Ascii.of("EVENTS");
  private static final byte[][] STARTS = {
    Ascii.of("cpus="),
    Ascii.of("version = "),
    Ascii.of("CPU "),
    Ascii.of("trace-cmd: "),
    Ascii.of("uname:")
  };

  /** The most CPUs that a kernel can be built for. */
  private static final int MAX_ONLINE = 8192;

  private static final Pattern ENTRIES =
      Pattern.compile("^#\\s+entries-in-buffer/entries-written:\\s*(\\d{1,18})/(\\d{1,18})");
  private static final Pattern CPUS = Pattern.compile("#P:(\\d{1,5})\\b");
  private static final Pattern LATENCY =
      Pattern.compile("^#\\s+\\S+ latency trace v[0-9.]+ on (\\S+)");
  private static final Pattern BUFFER_START =
      Pattern.compile("^#{2,} CPU (\\d{1,5}) buffer started #{2,}");
  private static final Pattern KERNEL = Pattern.compile("^#\\s*kernel[: ]\\s*(\\d+\\.\\d+\\S*)");
  private static final Pattern PERF_HEADER =
      Pattern.compile("^#\\s(hostname|os release|arch|nrcpus online|nrcpus avail|cmdline) : (.*)$");
  private static final Pattern CLOCK =
      Pattern.compile("^#\\s*clockid: (realtime|monotonic|monotonic_raw|boottime|tai) \\(");
  private static final Pattern TRACER = Pattern.compile("^#\\s*tracer:\\s*(\\S+)");
  private static final Pattern LOST =
      Pattern.compile("CPU:\\s*(\\d{1,5}) \\[(?:LOST )?(?:(\\d{1,18}) )?EVENTS(?: DROPPED)?\\]");
  private static final Pattern TRACE_CMD =
      Pattern.compile(
          "^(?:cpus=(\\d{1,5})|version = \\d+|CPU \\d+ is empty|trace-cmd: .*|uname:.*)$");

  private final TraceInfo info;
  private final PrintedStates states;

  /** CPUs whose buffer began later than the trace. */
  final BitSet late = new BitSet();

  long inBuffer = -1;
  long written = -1;
  String tracer;
  int cpu;
  long lost;

  Notes(TraceInfo info, PrintedStates states) {
    this.info = info;
    this.states = states;
  }

  /** Reads a line; returns what it is. */
  int read(byte[] b, int from, int to, long offset) {
    int end = Math.min(to, from + MAX_NOTE);
    if (!mayBeNote(b, from, end)) {
      return NONE;
    }
    String text = new String(b, from, end - from, StandardCharsets.UTF_8).strip();
    if (text.isEmpty()) {
      return NOTE;
    }
    if (text.charAt(0) == '#') {
      header(text, offset);
      return NOTE;
    }
    if (text.contains("EVENTS")) {
      Matcher matcher = LOST.matcher(text);
      if (matcher.find() && Integer.parseInt(matcher.group(1)) < CpuStats.MAX_CPUS) {
        cpu = Integer.parseInt(matcher.group(1));
        lost = matcher.group(2) == null ? -1 : Long.parseLong(matcher.group(2));
        return LOSS;
      }
    }
    Matcher matcher = TRACE_CMD.matcher(text);
    if (!matcher.matches()) {
      return NONE;
    }
    if (matcher.group(1) != null) {
      cpus(matcher.group(1));
    }
    return NOTE;
  }

  /** A quick look, since there may be many lines of another kind. */
  private static boolean mayBeNote(byte[] b, int from, int to) {
    int i = Ascii.skipBlanks(b, from, to);
    if (i == to || b[i] == '#' || Ascii.find(b, i, to, EVENTS) >= 0) {
      return true;
    }
    for (byte[] start : STARTS) {
      if (Ascii.hasAt(b, from, to, start)) {
        return true;
      }
    }
    return false;
  }

  boolean isOverwritten() {
    return inBuffer >= 0 && inBuffer < written;
  }

  private void header(String text, long offset) {
    Matcher matcher = ENTRIES.matcher(text);
    if (matcher.find()) {
      inBuffer = Long.parseLong(matcher.group(1));
      written = Long.parseLong(matcher.group(2));
      info.facts.put("entries_in_buffer", matcher.group(1));
      info.facts.put("entries_written", matcher.group(2));
    }
    matcher = CPUS.matcher(text);
    if (matcher.find()) {
      cpus(matcher.group(1));
    }
    matcher = TRACER.matcher(text);
    if (matcher.find()) {
      tracer = matcher.group(1);
    }
    matcher = LATENCY.matcher(text);
    if (matcher.find()) {
      info.osRelease = matcher.group(1);
      states.kernel(offset, matcher.group(1));
    }
    matcher = CLOCK.matcher(text);
    if (matcher.find()) {
      info.clock = matcher.group(1).replace("boottime", "boot");
    }
    matcher = BUFFER_START.matcher(text);
    if (matcher.find() && Integer.parseInt(matcher.group(1)) < CpuStats.MAX_CPUS) {
      late.set(Integer.parseInt(matcher.group(1)));
    }
    matcher = KERNEL.matcher(text);
    if (matcher.find()) {
      info.osRelease = info.osRelease == null ? matcher.group(1) : info.osRelease;
      states.kernel(offset, matcher.group(1));
    }
    matcher = PERF_HEADER.matcher(text);
    if (matcher.find()) {
      perfHeader(matcher.group(1), matcher.group(2).strip(), offset);
    }
  }

  private void perfHeader(String key, String value, long offset) {
    switch (key) {
      case "hostname" -> info.hostname = value;
      case "arch" -> info.arch = value;
      case "cmdline" -> info.cmdline = value;
      case "os release" -> {
        info.osRelease = value;
        states.kernel(offset, value);
      }
      default -> {
        if (value.matches("\\d{1,5}")) {
          int number = Integer.parseInt(value);
          if (key.endsWith("avail")) {
            info.cpusAvailable = number;
          } else {
            cpus(value);
          }
        }
      }
    }
  }

  private void cpus(String digits) {
    int number = Integer.parseInt(digits);
    if (number > 0 && number <= MAX_ONLINE) {
      info.cpusOnline = number;
    }
  }
}

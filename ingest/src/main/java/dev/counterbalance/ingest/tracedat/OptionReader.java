package dev.counterbalance.ingest.tracedat;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.ingest.ring.ClockRate;
import dev.counterbalance.ingest.ring.RingRecording;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.TraceInfo;
import java.util.HashMap;
import java.util.Map;

/** Reads the options that both versions have and keeps what they tell. */
final class OptionReader {
  /** 1990 and 2200 in ns since 1970: wall times outside are no dates. */
  private static final long EARLIEST_WALL_NS = 631_152_000_000_000_000L;

  private static final long LATEST_WALL_NS = 7_258_118_400_000_000_000L;

  private final DatFile file;
  private final TraceInfo info;

  /** How many CPUs the recorded machine has, -1 if the file does not tell. */
  int cpuCount = -1;

  /** The clock as the option tells, null if there is no such option. */
  String clock;

  /** Set if times are cycles and the file tells their rate. */
  ClockRate tscRate;

  private String statBuffer = "";

  /** Overrun and dropped events by buffer and CPU. */
  private final Map<String, long[]> stats = new HashMap<>();

  private long dateNs = -1;
  private boolean shifted;

  OptionReader(DatFile file) {
    this.file = file;
    this.info = file.ring.info;
  }

  /** Reads an option that names no section. */
  void read(int id, SectionReader data) throws TraceFormatException {
    switch (id) {
      case OptionId.DATE -> dateNs = date(data.text(data.remaining()));
      case OptionId.CPUSTAT -> stat(data.text(data.remaining()));
      case OptionId.TRACECLOCK -> clock = selected(data.text(data.remaining()));
      case OptionId.UNAME -> uname(data.text(data.remaining()));
      case OptionId.OFFSET -> {
        shifted = true;
        fact("time_offset_ns", data.text(data.remaining()));
      }
      case OptionId.CPUCOUNT -> cpuCount(data);
      case OptionId.VERSION -> fact("trace_cmd_version", data.text(data.remaining()));
      case OptionId.TRACEID -> fact("trace_id", Long.toHexString(data.s64()));
      case OptionId.TIME_SHIFT -> {
        shifted = true;
        fact("time_shift", "for a guest, not applied");
      }
      case OptionId.GUEST -> fact("guest", data.terminatedString());
      case OptionId.TSC2NSEC -> tsc(data);
      case OptionId.LAST_BOOT_INFO -> fact("last_boot_info", data.text(data.remaining()));
      default -> {
        if (id > OptionId.HIGHEST && !file.ring.problems.again("unknown_option")) {
          file.ring.problems.add(
              Severity.INFO,
              "unknown_option",
              1,
              data.offset(),
              -1,
              "an option of the unknown number " + id,
              "Such options are skipped by their length.");
        }
      }
    }
  }

  /** The wall time in ns of the trace clock's zero, -1 if it is not certain. */
  long wallOffsetNs() {
    boolean certain = !shifted && dateNs > EARLIEST_WALL_NS && dateNs < LATEST_WALL_NS;
    return certain ? dateNs : -1;
  }

  /** Overrun and dropped events of a CPU of a buffer; null if it is not told. */
  long[] stat(String buffer, int cpu) {
    return stats.get(cpu + " " + buffer);
  }

  /** The clock that a text of tracefs {@code trace_clock} marks as the one in use. */
  static String selected(String text) {
    int open = text.indexOf('[');
    int close = text.indexOf(']', open + 1);
    String clock = open >= 0 && close > 0 ? text.substring(open + 1, close) : text.strip();
    return clock.contains(" ") ? "" : clock;
  }

  private void fact(String name, String value) {
    if (!value.isBlank()) {
      info.facts.put(name, value.strip());
    }
  }

  private void cpuCount(SectionReader data) throws TraceFormatException {
    long count = data.u32();
    if (count > 0 && count <= RingRecording.MAX_CPUS) {
      cpuCount = Math.max(cpuCount, (int) count);
    }
  }

  private void uname(String text) {
    String[] words = text.strip().split(" +", -1);
    if (words.length < 4) {
      fact("uname", text);
      return;
    }
    info.hostname = words[1].equals("(none)") ? null : words[1];
    info.osRelease = words[2];
    info.arch = words[words.length - 1];
  }

  private void tsc(SectionReader data) throws TraceFormatException {
    long multiplier = data.u32();
    long shift = data.u32();
    // What follows is added to the result: it moves all times alike and is left out.
    if (multiplier > 0 && shift < 64) {
      tscRate = new ClockRate(multiplier, (int) shift);
      fact("tsc_to_ns", multiplier + " >> " + shift);
    }
  }

  /** The text is the µs, in hexadecimal, from the trace clock's zero to 1970. */
  private static long date(String text) {
    String digits = text.strip();
    try {
      long us =
          digits.startsWith("0x")
              ? Long.parseLong(digits.substring(2), 16)
              : Long.parseLong(digits);
      return us < 0 || us > Long.MAX_VALUE / 2000 ? -1 : us * 1000;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Lines of name and number; one text is about one CPU, or names the buffer of those to come. */
  private void stat(String text) {
    long[] lost = new long[2];
    int cpu = -1;
    for (String line : text.split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        continue;
      }
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).strip()) {
        case "Buffer" -> statBuffer = value;
        case "CPU" -> cpu = (int) Math.min(number(value), RingRecording.MAX_CPUS);
        case "overrun" -> lost[0] += number(value);
        case "dropped events" -> lost[1] += number(value);
        default -> {}
      }
    }
    if (cpu >= 0) {
      stats.put(cpu + " " + statBuffer, lost);
    }
  }

  /** A count from the file, -1 if it is none; cut to what a recording can have lost. */
  private static long number(String digits) {
    if (digits.isEmpty() || digits.length() > 18) {
      return 0;
    }
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (c < '0' || c > '9') {
        return 0;
      }
      value = value * 10 + c - '0';
    }
    return Math.min(value, 1L << 40);
  }
}

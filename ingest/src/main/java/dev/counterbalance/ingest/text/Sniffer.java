package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.Head;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Tells by the lines of an input's head whether it is a text of ours, and of which tool. */
final class Sniffer {
  private static final int HEADED = 90;
  private static final int SURE = 80;
  private static final int REFUSABLE = 60;
  private static final int POSSIBLE = 20;
  private static final int WEB_HEAD = 512;
  private static final byte[] TIMEHIST = Ascii.of("sch delay");
  private static final byte[] CPUS = Ascii.of("cpus=");
  private static final byte[] VERSION = Ascii.of("version = ");
  private static final byte[] TRACER = Ascii.of("# tracer:");

  private int dashed;
  private int padded;
  private int spaced;
  private boolean refusable;
  private boolean traceCmd;
  private boolean tracer;

  private Sniffer() {}

  static int score(Head head, Dialect dialect) {
    byte[] b = head.bytes();
    if (isWebOrJson(b)) {
      return 0;
    }
    Sniffer sniffer = new Sniffer();
    Line line = new Line(Dialect.FTRACE);
    int from = Lines.skipMark(b, 0, b.length);
    while (from < b.length) {
      int newline = Ascii.newline(b, from, b.length);
      sniffer.line(line, b, from, Lines.lineEnd(b, from, newline));
      from = newline + 1;
    }
    return sniffer.score(dialect);
  }

  /** A page or an object may hold lines of a trace, but other importers read those. */
  private static boolean isWebOrJson(byte[] b) {
    int i = Lines.skipMark(b, 0, b.length);
    while (i < b.length && (Ascii.isBlank(b[i]) || b[i] == '\n' || b[i] == '\r')) {
      i++;
    }
    if (i < b.length && b[i] == '{') {
      return true;
    }
    String start =
        new String(b, i, Math.min(b.length - i, WEB_HEAD), StandardCharsets.ISO_8859_1)
            .toLowerCase(Locale.ROOT);
    return start.startsWith("<!doctype") || start.contains("<html") || start.startsWith("[{");
  }

  private void line(Line line, byte[] b, int from, int to) {
    if (to - from > Lines.MAX_LINE) {
      return;
    }
    if (from < to && b[from] == '#' && Survey.isComment(b, from, to)) {
      tracer |= Ascii.hasAt(b, from, to, TRACER);
      return;
    }
    int kind = line.parse(b, from, to);
    if (kind == Line.NONE || kind == Line.FUNCTION) {
      refusable |= Ascii.find(b, from, to, TIMEHIST) >= 0 || Skipped.isWithoutCpu(b, from, to);
      traceCmd |= Ascii.hasAt(b, from, to, CPUS) || Ascii.hasAt(b, from, to, VERSION);
      return;
    }
    if (!line.dash) {
      spaced++;
      return;
    }
    dashed++;
    boolean event = kind == Line.EVENT && line.argsFrom < line.argsTo;
    padded += event && line.argsFrom - line.eventTo > 2 ? 1 : 0;
  }

  private int score(Dialect dialect) {
    int lines = dashed + spaced;
    if (lines == 0) {
      boolean own = dialect == Dialect.PERF ? refusable : dialect == Dialect.FTRACE && tracer;
      return own ? REFUSABLE : 0;
    }
    Dialect best = Dialect.FTRACE;
    if (spaced > dashed) {
      best = Dialect.PERF;
    } else if (!tracer && (traceCmd || padded * 2 > dashed)) {
      best = Dialect.TRACE_CMD;
    }
    return dialect != best ? POSSIBLE : tracer || traceCmd ? HEADED : SURE;
  }
}

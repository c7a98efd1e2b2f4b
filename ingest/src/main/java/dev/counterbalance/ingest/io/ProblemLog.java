package dev.counterbalance.ingest.io;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.event.EventSink;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Counts trouble by code and keeps the first occurrence of each. In strict mode the first {@link
 * Severity#ERROR} that is damage of the input ends the import.
 */
public final class ProblemLog {
  private static final int MAX_CODES = 256;

  private final String file;
  private final boolean strict;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private LongUnaryOperator place = LongUnaryOperator.identity();

  private static final class Entry {
    final Problem first;
    long count;

    Entry(Problem first) {
      this.first = first;
    }
  }

  /**
   * An empty log, but for what is wrong with the input as a whole.
   *
   * @throws TraceFormatException if that is something and strict is set
   */
  public ProblemLog(TraceInput in, boolean strict) throws TraceFormatException {
    this.file = in.name();
    this.strict = strict;
    if (in.damage() != null) {
      damage(
          "wrapper_damaged",
          -1,
          -1,
          "the file is " + in.damage(),
          "What could be unpacked was imported; the end may be missing. Copy it again.");
    }
  }

  /**
   * Offsets told from now on are those of a rewritten input.
   *
   * @param newPlace gives the offset in the user's file, -1 if there is none
   */
  public void placedBy(LongUnaryOperator newPlace) {
    place = newPlace;
  }

  private long place(long offset) {
    return offset < 0 ? -1 : place.applyAsLong(offset);
  }

  /** Something in the input is damaged and is skipped or repaired. */
  public void damage(String code, long offset, long tsNs, String text, String advice)
      throws TraceFormatException {
    if (strict) {
      throw new TraceFormatException(file, place(offset), text, "", advice);
    }
    add(Severity.ERROR, code, 1, offset, tsNs, text, advice);
  }

  /**
   * Counts one more occurrence of a code that is known already. Saves making its text.
   *
   * @return false if the code is new and nothing was counted
   */
  public boolean again(String code) {
    Entry entry = entries.get(code);
    if (entry == null) {
      return entries.size() >= MAX_CODES;
    }
    entry.count++;
    return true;
  }

  /** Counts further occurrences of a code that is known already. */
  public void more(String code, long count) {
    Entry entry = entries.get(code);
    if (entry != null) {
      entry.count += count;
    }
  }

  /** Adds occurrences of a trouble that strict mode accepts too. */
  public void add(
      Severity severity,
      String code,
      long count,
      long offset,
      long tsNs,
      String text,
      String advice) {
    Entry entry = entries.get(code);
    if (entry == null) {
      if (entries.size() >= MAX_CODES) {
        return;
      }
      entry = new Entry(new Problem(severity, code, 1, place(offset), tsNs, text, advice));
      entries.put(code, entry);
    }
    entry.count += count;
  }

  public boolean has(String code) {
    return entries.containsKey(code);
  }

  /** Delivers one problem per code. */
  public void deliver(EventSink sink) {
    problems().forEach(sink::onProblem);
  }

  /** One problem per code. */
  public List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    for (Entry entry : entries.values()) {
      Problem first = entry.first;
      problems.add(
          new Problem(
              first.severity(),
              first.code(),
              entry.count,
              first.firstOffset(),
              first.firstTsNs(),
              first.text(),
              first.advice()));
    }
    return problems;
  }
}

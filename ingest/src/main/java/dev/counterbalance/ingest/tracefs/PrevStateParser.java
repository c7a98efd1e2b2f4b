package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.kernel.PrevState;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out from the print format of {@code sched_switch} how its {@code prev_state} reads: the
 * pairs of {@code __print_flags} and the operand before {@code ? "+"}. The encoding changed at
 * least six times; the print format is always right.
 */
public final class PrevStateParser {
  private static final String FIELD = "REC->prev_state";
  private static final String FLAGS = "__print_flags(";

  private PrevStateParser() {}

  /**
   * How the {@code prev_state} of a recording reads.
   *
   * @return null if its formats do not tell, or not in a way that is understood, which is reported
   */
  public static PrevState of(TracingData formats, ProblemLog problems) {
    EventFormat format = formats.find("sched", "sched_switch");
    if (format == null) {
      return null;
    }
    try {
      return parse(format.printFormat());
    } catch (IllegalArgumentException e) {
      problems.add(
          Severity.INFO,
          "bad_print_format",
          1,
          -1,
          -1,
          "the print format of sched_switch is not understood (" + e.getMessage() + ")",
          "States are shown as Linux 4.14 and later print them; the numbers are right.");
      return null;
    }
  }

  /**
   * Reads a print format.
   *
   * @return null if the format does not print flags (it prints a number)
   * @throws IllegalArgumentException if it does, but not in a way that is understood
   */
  public static PrevState parse(String printFormat) {
    int flags = printFormat.indexOf(FLAGS);
    if (flags < 0) {
      return null;
    }
    List<Long> bits = new ArrayList<>();
    List<String> letters = new ArrayList<>();
    int at = printFormat.indexOf('{', flags);
    while (at >= 0) {
      at = pair(printFormat, at + 1, bits, letters);
      at = nextPair(printFormat, at);
    }
    if (bits.isEmpty()) {
      throw new IllegalArgumentException("must list states: " + FLAGS);
    }
    long[] values = bits.stream().mapToLong(Long::longValue).toArray();
    return PrevState.of(values, letters.toArray(new String[0]), preemptedBit(printFormat));
  }

  private static int pair(String text, int start, List<Long> bits, List<String> letters) {
    ConstantExpression expression = new ConstantExpression(text, start);
    long bit = expression.value();
    int open = text.indexOf('"', expression.position());
    int close = open < 0 ? -1 : text.indexOf('"', open + 1);
    int end = close < 0 ? -1 : text.indexOf('}', close);
    if (end < 0 || !text.substring(expression.position(), open).strip().equals(",")) {
      throw new IllegalArgumentException("must be {number, \"letter\"} at " + start);
    }
    bits.add(bit);
    letters.add(text.substring(open + 1, close));
    return end + 1;
  }

  private static int nextPair(String text, int start) {
    int at = start;
    while (at < text.length() && (text.charAt(at) == ',' || text.charAt(at) == ' ')) {
      at++;
    }
    return at < text.length() && text.charAt(at) == '{' ? at : -1;
  }

  private static long preemptedBit(String text) {
    int plus = text.indexOf("? \"+\"");
    if (plus < 0) {
      return 0;
    }
    int field = text.lastIndexOf(FIELD, plus);
    int and = field < 0 ? -1 : text.indexOf('&', field);
    if (and < 0 || and > plus) {
      throw new IllegalArgumentException("must test a bit of prev_state before \"+\"");
    }
    return new ConstantExpression(text, and + 1).value();
  }
}

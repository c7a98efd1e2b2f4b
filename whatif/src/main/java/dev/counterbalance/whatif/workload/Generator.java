package dev.counterbalance.whatif.workload;

import java.util.List;
import java.util.Locale;

/**
 * Makes workloads of one kind from parameters.
 *
 * @param name as it is asked for
 * @param meaning what the workload is, in a sentence
 * @param parameters all it knows, in the order of help
 */
public record Generator(String name, String meaning, List<Parameter> parameters) {
  /** How the text of a parameter is read. */
  public enum Kind {
    COUNT,
    /** Microseconds unless it ends in ns, us, ms or s. */
    DURATION,
    NICE,
    /** Where tasks start; see {@link StartCpus}. */
    START;

    /** The unit of a plain number; empty if there is none. */
    public String unit() {
      return this == DURATION ? "us" : "";
    }
  }

  /**
   * One parameter.
   *
   * @param value the default, as it would be given
   * @param least the smallest value allowed, in ns for durations
   * @param most the largest value allowed, in ns for durations
   */
  public record Parameter(
      String name, Kind kind, String value, long least, long most, String meaning) {

    /** Reads a number or a duration (in ns). */
    long read(String text) {
      String digits = text;
      long factor = 1;
      if (kind == Kind.DURATION) {
        factor = 1000;
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.endsWith("ns")) {
          factor = 1;
          digits = text.substring(0, text.length() - 2);
        } else if (lower.endsWith("us")) {
          digits = text.substring(0, text.length() - 2);
        } else if (lower.endsWith("ms")) {
          factor = 1_000_000;
          digits = text.substring(0, text.length() - 2);
        } else if (lower.endsWith("s")) {
          factor = 1_000_000_000;
          digits = text.substring(0, text.length() - 1);
        }
      }
      long number;
      try {
        number = Math.multiplyExact(Long.parseLong(digits), factor);
      } catch (NumberFormatException e) {
        throw new WorkloadException("must be " + form() + ": " + name + "=" + text, e);
      } catch (ArithmeticException e) {
        throw new WorkloadException("must be " + range() + ": " + name + "=" + text, e);
      }
      if (number < least || number > most) {
        throw new WorkloadException("must be " + range() + ": " + name + "=" + text);
      }
      return number;
    }

    private String form() {
      return kind == Kind.DURATION
          ? "a whole number of us, or one with ns, us, ms or s"
          : "a whole number";
    }

    /** What is allowed, for people. */
    public String range() {
      return switch (kind) {
        case COUNT, NICE -> "within " + least + " to " + most;
        case DURATION -> "within " + least + "ns to " + most / 1_000_000_000 + "s";
        case START -> StartCpus.FORMS;
      };
    }
  }

  Parameter parameter(String wanted) {
    for (Parameter parameter : parameters) {
      if (parameter.name().equals(wanted)) {
        return parameter;
      }
    }
    return null;
  }
}

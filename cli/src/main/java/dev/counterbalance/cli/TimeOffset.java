package dev.counterbalance.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A point in time on the command line, counted from the trace's start: {@code 1.5}, {@code 1.5s},
 * {@code 200ms}, {@code 30us}, {@code 12ns}; a bare number is seconds.
 *
 * @param ns since the trace's start
 */
record TimeOffset(long ns) {
  private static final Pattern SYNTAX =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,12})?)(s|ms|us|µs|ns)?");

  static TimeOffset parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be a time since the trace's start such as 1.5, 1.5s or 200ms");
    }
    String unit = matcher.group(2) == null ? "s" : matcher.group(2);
    int digits =
        switch (unit) {
          case "s" -> 9;
          case "ms" -> 6;
          case "us", "µs" -> 3;
          default -> 0;
        };
    BigDecimal value = new BigDecimal(matcher.group(1)).movePointRight(digits);
    BigDecimal ns = value.setScale(0, RoundingMode.HALF_UP);
    if (ns.unscaledValue().bitLength() > 61) {
      throw new IllegalArgumentException("must be less than 70 years");
    }
    return new TimeOffset(ns.longValueExact());
  }

  /** For picocli. */
  static final class Converter implements ITypeConverter<TimeOffset> {
    @Override
    public TimeOffset convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage() + ": " + text);
      }
    }
  }
}

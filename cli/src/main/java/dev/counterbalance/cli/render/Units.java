package dev.counterbalance.cli.render;

import java.math.BigDecimal;
import java.util.Locale;

/** Numbers as people read them, three significant digits with a unit, and as machines read them. */
public final class Units {
  private static final String[] NAMES = {"ns", "us", "ms", "s"};
  private static final long MAX_GROUPED_SECONDS = 1000;

  private Units() {}

  /** A duration: {@code 812 ns}, {@code 1.23 ms}, {@code 75.0 s}. */
  public static String duration(double ns, boolean unicode) {
    if (ns < 0) {
      return "-" + duration(-ns, unicode);
    }
    double value = ns;
    int unit = 0;
    // 999.5 would be shown as 1000: take the next unit.
    while (unit < NAMES.length - 1 && value >= 999.5) {
      value /= 1000;
      unit++;
    }
    String name = unit == 1 && unicode ? "µs" : NAMES[unit];
    boolean whole = unit == 0 && ns == Math.rint(ns);
    return (whole ? String.valueOf((long) ns) : significant(value)) + " " + name;
  }

  /** A point in time as seconds since the trace's start: {@code 1.234567 s}. */
  public static String offset(long ns) {
    return String.format(Locale.ROOT, "%.6f s", ns / 1e9);
  }

  /** A share: {@code 12.3 %}; what is not quite nothing or everything never reads 0.0 or 100.0. */
  public static String percent(double percent) {
    if (percent > 0 && percent < 0.05) {
      return "<0.1 %";
    }
    if (percent < 100 && percent >= 99.95) {
      return ">99.9 %";
    }
    return String.format(Locale.ROOT, "%.1f %%", percent);
  }

  /** A count: {@code 41,203}. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** {@code 1 task}, {@code 41,203 tasks}. */
  public static String counted(long count, String singular, String plural) {
    return count(count) + " " + (count == 1 ? singular : plural);
  }

  /** Any number in full, without an exponent; {@code NaN} and infinities by name. */
  public static String plain(Number number) {
    if (number instanceof Double || number instanceof Float) {
      double value = number.doubleValue();
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        return String.valueOf(value);
      }
      return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
    }
    return number instanceof BigDecimal decimal ? decimal.toPlainString() : number.toString();
  }

  private static String significant(double value) {
    if (value >= MAX_GROUPED_SECONDS) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (value >= 99.95) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, value >= 9.995 ? "%.1f" : "%.2f", value);
  }
}

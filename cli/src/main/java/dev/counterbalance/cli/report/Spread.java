package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.Units;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;

/**
 * Mean and spread of one figure over several runs.
 *
 * @param n how many values there are
 * @param mean null without a value
 * @param std sample standard deviation; null below two values
 * @param min the smallest
 * @param max the largest
 */
record Spread(int n, Double mean, Double std, Double min, Double max) {
  private static final String[] UNITS = {"ns", "us", "ms", "s"};

  static Spread of(Collection<Double> all) {
    double[] values = all.stream().filter(Objects::nonNull).mapToDouble(v -> v).toArray();
    if (values.length == 0) {
      return new Spread(0, null, null, null, null);
    }
    double sum = 0;
    double min = values[0];
    double max = values[0];
    for (double value : values) {
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    double mean = sum / values.length;
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    Double std = values.length < 2 ? null : Math.sqrt(squares / (values.length - 1));
    return new Spread(values.length, mean, std, min, max);
  }

  /** {@code 18.8 ± 0.2 %}; without the spread for a single value, null without any. */
  String text(Kind kind, boolean unicode) {
    if (mean == null) {
      return null;
    }
    if (std == null) {
      return switch (kind) {
        case PERCENT -> Units.percent(mean);
        case DURATION -> Units.duration(mean, unicode);
        default -> Units.count(Math.round(mean));
      };
    }
    String between = unicode ? " ± " : " +- ";
    return switch (kind) {
      case PERCENT -> String.format(Locale.ROOT, "%.1f%s%.1f %%", mean, between, std);
      case DURATION -> duration(between, unicode);
      default -> String.format(Locale.ROOT, "%,.0f%s%,.0f", mean, between, std);
    };
  }

  /** {@code 49.9–50.1 %}; null without a value. */
  String range(boolean unicode) {
    return mean == null
        ? null
        : String.format(Locale.ROOT, "%.1f%s%.1f %%", min, unicode ? "–" : "-", max);
  }

  private String duration(String between, boolean unicode) {
    double scale = 1;
    int unit = 0;
    while (unit < UNITS.length - 1 && Math.abs(mean) / scale >= 999.5) {
      scale *= 1000;
      unit++;
    }
    String name = unit == 1 && unicode ? "µs" : UNITS[unit];
    double value = mean / scale;
    int digits = value >= 99.95 || unit == 0 ? 0 : value >= 9.995 ? 1 : 2;
    String number = "%." + digits + "f";
    return String.format(
        Locale.ROOT, number + "%s" + number + " %s", value, between, std / scale, name);
  }
}

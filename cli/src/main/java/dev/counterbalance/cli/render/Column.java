package dev.counterbalance.cli.render;

/**
 * A column of a table.
 *
 * @param key its name for machines, with the unit: {@code dur_ns}
 * @param title its name for people: {@code waited}
 * @param kind what it holds
 */
public record Column(String key, String title, Kind kind) {

  /** A column whose name is the same for both. */
  public static Column of(String key, Kind kind) {
    return new Column(key, key, kind);
  }

  /** A cell as a person reads it, not yet escaped. Units and rounding by {@link #kind}. */
  public String human(Object cell, boolean unicode) {
    if (cell == null) {
      return "-";
    }
    if (!(cell instanceof Number number)) {
      return cell.toString();
    }
    return switch (kind) {
      case DURATION -> Units.duration(number.doubleValue(), unicode);
      case OFFSET -> Units.offset(number.longValue());
      case PERCENT -> Units.percent(number.doubleValue());
      case COUNT -> Units.count(number.longValue());
      case NUMBER, TEXT -> Units.plain(number);
    };
  }
}

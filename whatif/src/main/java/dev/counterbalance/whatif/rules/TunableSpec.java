package dev.counterbalance.whatif.rules;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A tunable of the catalogue (kernel-rules section 11.4). One with an index, such as {@code
 * imbalance_pct[level]}, has a value for each of its keys: {@code imbalance_pct[MC]}. Values are
 * kept as whole numbers: on/off as 1 and 0, a speed in millionths.
 *
 * @param name with the index, if there is one
 * @param unit ns, ms, on/off, speed, ...
 * @param range {@code LOW..HIGH}, or {@code one of A B ...}; empty for on/off
 * @param defaults {@code N}, {@code N*factor}, {@code N*online}, or one of these for each level
 * @param readBy who looks at it
 * @param aliases the kernel's names for it
 * @param meaning in one line
 */
public record TunableSpec(
    String name,
    String unit,
    String range,
    String defaults,
    ReadBy readBy,
    List<String> aliases,
    String meaning) {
  private static final String LEVEL = "[level]";
  private static final String NUMBER = "[n]";
  private static final String SWITCH = "on/off";
  private static final String SPEED = "speed";
  private static final int MILLION = 1_000_000;

  /** x86's smt_gain: what a core with two busy threads can do, 1024 = one busy thread. */
  private static final long SMT_GAIN = 1178;

  private static final Map<String, Long> NS =
      Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);

  static TunableSpec of(Map<String, String> row) {
    return new TunableSpec(
        row.get("tunable"),
        row.get("unit"),
        row.get("range"),
        row.get("default"),
        ReadBy.parse(row.get("read_by")),
        Tsv.words(row.get("kernel")),
        row.get("meaning"));
  }

  /** Whether it is a parameter of the levels of sched domains, applied when these are built. */
  public boolean isOfDomains() {
    return name.endsWith(LEVEL) && readBy.part() == Part.DOMAINS;
  }

  /** The name without the index. */
  String stem() {
    return hasIndex() ? name.substring(0, name.indexOf('[')) : name;
  }

  /** Whether it has a value for each of several keys. */
  public boolean hasIndex() {
    return name.endsWith(LEVEL) || name.endsWith(NUMBER);
  }

  /**
   * The default of each key, in the order of the levels, as effective on a machine with that many
   * CPUs online.
   */
  Map<String, Long> defaultValues(int onlineCpus) {
    Map<String, Long> values = new LinkedHashMap<>();
    if (name.endsWith(NUMBER)) {
      String last = defaults.substring(defaults.indexOf("..") + 2);
      for (int n = 1; n <= Integer.parseInt(last); n++) {
        values.put(stem() + "[" + n + "]", n == 1 ? MILLION : SMT_GAIN * MILLION / (1024L * n));
      }
    } else if (name.endsWith(LEVEL)) {
      for (String level : Tsv.words(defaults)) {
        int equals = level.indexOf('=');
        String key = stem() + "[" + level.substring(0, equals) + "]";
        values.put(key, evaluate(level.substring(equals + 1), onlineCpus));
      }
    } else {
      values.put(name, evaluate(defaults, onlineCpus));
    }
    return values;
  }

  private static long evaluate(String expression, int onlineCpus) {
    int times = expression.indexOf('*');
    if (times < 0) {
      return expression.equals("on") ? 1 : Long.parseLong(expression);
    }
    long base = Long.parseLong(expression.substring(0, times));
    return switch (expression.substring(times + 1)) {
      case "factor" -> base * factor(onlineCpus);
      case "online" -> base * onlineCpus;
      default -> throw new IllegalStateException("not a default: " + expression);
    };
  }

  /** SCHED_TUNABLESCALING_LOG of kernel/sched_fair.c, 2.6.36. */
  private static int factor(int onlineCpus) {
    return 32 - Integer.numberOfLeadingZeros(Math.min(onlineCpus, 8));
  }

  /**
   * The value that a person gave.
   *
   * @param key as the message calls it
   */
  long parse(String key, String text) {
    String setting = key + "=" + text;
    if (unit.equals(SWITCH)) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "on", "y", "1" -> 1;
        case "off", "n", "0" -> 0;
        default -> throw new IllegalArgumentException("must be on or off: " + setting);
      };
    }
    BigDecimal value = number(text, setting);
    if (range.startsWith("one of ")) {
      List<String> allowed = Tsv.words(range.substring("one of ".length()));
      if (!allowed.contains(value.toPlainString())) {
        throw new IllegalArgumentException(
            "must be one of " + String.join(", ", allowed) + ": " + setting);
      }
      return value.longValueExact();
    }
    int dots = range.indexOf("..");
    String low = range.substring(0, dots);
    String high = range.substring(dots + 2);
    if (value.compareTo(new BigDecimal(low)) < 0 || value.compareTo(new BigDecimal(high)) > 0) {
      throw new IllegalArgumentException(
          "must be between %s and %s%s: %s".formatted(low, high, unitWords(), setting));
    }
    BigDecimal stored = unit.equals(SPEED) ? value.movePointRight(6) : value;
    if (stored.stripTrailingZeros().scale() > 0) {
      String expected = unit.equals(SPEED) ? "have six decimals at most: " : "be a whole number: ";
      throw new IllegalArgumentException("must " + expected + setting);
    }
    return stored.longValueExact();
  }

  private BigDecimal number(String text, String setting) {
    boolean time = unit.equals("ns") || unit.equals("ms");
    int end = text.length();
    while (time && end > 0 && Character.isLetter(text.charAt(end - 1))) {
      end--;
    }
    String suffix = end == text.length() ? unit : text.substring(end);
    if (end <= 20
        && text.substring(0, end).matches("-?\\d+(\\.\\d+)?")
        && (!time || NS.containsKey(suffix))) {
      BigDecimal value = new BigDecimal(text.substring(0, end));
      return time
          ? value
              .multiply(BigDecimal.valueOf(NS.get(suffix)))
              .divide(BigDecimal.valueOf(NS.get(unit)))
          : value;
    }
    throw new IllegalArgumentException(
        "must be a number%s: %s"
            .formatted(time ? " of " + unit + ", or with ns, us, ms or s" : unitWords(), setting));
  }

  private String unitWords() {
    return unit.equals(SPEED) ? "" : " " + unit;
  }

  /** What tells a key from the others of this tunable, {@code MC}; empty without an index. */
  public String index(String key) {
    return hasIndex() ? key.substring(key.indexOf('[') + 1, key.length() - 1) : "";
  }

  /** A value as a person writes it. */
  public String show(long value) {
    if (unit.equals(SWITCH)) {
      return value == 0 ? "off" : "on";
    }
    return unit.equals(SPEED)
        ? BigDecimal.valueOf(value, 6).stripTrailingZeros().toPlainString()
        : Long.toString(value);
  }

  /** The keys, for messages and look-ups. */
  List<String> keys() {
    return new ArrayList<>(defaultValues(1).keySet());
  }
}

package dev.counterbalance.trace.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How the numbers in {@code prev_state} of {@code sched_switch} read: the letters per bit and the
 * bit that marks a task preempted inside the kernel. Both changed at least six times, so they are
 * taken from the event's own print format; the presets are for formats that carry none.
 *
 * <p>Source: include/trace/events/sched.h of the kernels named below.
 */
public final class PrevState {
  private final long[] bits;
  private final String[] letters;
  private final long preemptedBit;
  private final Encoding encoding;
  private final Map<Long, Long> list;

  /** How a kernel with a fault stores the number that its print format reads. */
  private enum Encoding {
    PLAIN,
    /** Twice the number, and 1 for R. */
    SHIFTED,
    /** The place of the bit, from 1, and 0 for R. */
    INDEX,
    /** As a list says. */
    LISTED
  }

  private PrevState(long[] bits, String[] letters, long preemptedBit, Encoding encoding) {
    this(bits, letters, preemptedBit, encoding, Map.of());
  }

  private PrevState(
      long[] bits, String[] letters, long preemptedBit, Encoding encoding, Map<Long, Long> list) {
    this.bits = bits;
    this.letters = letters;
    this.preemptedBit = preemptedBit;
    this.encoding = encoding;
    this.list = list;
  }

  /**
   * Letters and bits as a print format lists them.
   *
   * @param bits the value of each letter, each a single bit
   * @param letters the letters, as many as bits
   * @param preemptedBit the bit shown as {@code +}, 0 if the format has none
   */
  public static PrevState of(long[] bits, String[] letters, long preemptedBit) {
    if (bits.length != letters.length) {
      throw new IllegalArgumentException(
          "must be as many as letters: bits=" + bits.length + ", letters=" + letters.length);
    }
    return new PrevState(bits.clone(), letters.clone(), preemptedBit, Encoding.PLAIN);
  }

  /** Linux 4.14 and later: S1 D2 T4 t8 X16 Z32 P64 I128, preempted 256. */
  public static PrevState modern() {
    return of(
        new long[] {1, 2, 4, 8, 16, 32, 64, 128},
        new String[] {"S", "D", "T", "t", "X", "Z", "P", "I"},
        256);
  }

  /**
   * The same letters for a kernel that stores states shifted left by one: R is 1, S is 2, D is 4.
   * Linux 4.15 to 4.19 do, before they got the fix of 4.20. There I, an idle kernel thread, is the
   * same number as R+, and reads as that.
   */
  public PrevState shifted() {
    return new PrevState(bits, letters, preemptedBit, Encoding.SHIFTED);
  }

  /** The same letters for a kernel that stores the number of the state: Linux 4.14. */
  public PrevState indexed() {
    return new PrevState(bits, letters, preemptedBit, Encoding.INDEX);
  }

  /** Numbers of any kernel, each with the number that stands for the same in {@link #modern}. */
  public static PrevState listed(Map<Long, Long> meanings) {
    PrevState modern = modern();
    return new PrevState(
        modern.bits, modern.letters, modern.preemptedBit, Encoding.LISTED, Map.copyOf(meanings));
  }

  /** The bit shown as {@code +}, 0 if there is none. */
  public long preemptedBit() {
    return preemptedBit;
  }

  /** True if the task stayed on the runqueue: state 0 or preempted. */
  public boolean isRunnable(long raw) {
    long meant = meant(raw);
    return meant == 0 || (meant & preemptedBit) != 0;
  }

  /** The number that the print format should have been given. */
  private long meant(long raw) {
    long state = raw & ~preemptedBit;
    long preempted = raw & preemptedBit;
    switch (encoding) {
      case SHIFTED -> {
        return state >>> 1 | preempted;
      }
      case INDEX -> {
        return (state <= 0 || state > Long.SIZE ? 0 : 1L << (state - 1)) | preempted;
      }
      case LISTED -> {
        return list.getOrDefault(raw, raw);
      }
      default -> {
        return raw;
      }
    }
  }

  /** The reverse of {@link #meant}. */
  private long stored(long meant) {
    long state = meant & ~preemptedBit;
    long preempted = meant & preemptedBit;
    switch (encoding) {
      case SHIFTED -> {
        return (state == 0 && preempted == 0 ? 1 : state << 1) | preempted;
      }
      case INDEX -> {
        return (state == 0 ? 0 : Long.numberOfTrailingZeros(state) + 1) | preempted;
      }
      case LISTED -> {
        for (Map.Entry<Long, Long> entry : list.entrySet()) {
          if (entry.getValue() == meant) {
            return entry.getKey();
          }
        }
        return meant;
      }
      default -> {
        return meant;
      }
    }
  }

  /** The kernel's text for the number: {@code R}, {@code R+}, {@code S}, {@code D|K}, ... */
  public String text(long number) {
    long raw = meant(number);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bits.length; i++) {
      if ((raw & bits[i]) != 0) {
        if (text.length() > 0) {
          text.append('|');
        }
        text.append(letters[i]);
      }
    }
    if (text.length() == 0) {
      text.append('R');
    }
    if ((raw & preemptedBit) != 0) {
      text.append('+');
    }
    return text.toString();
  }

  /** The number for a text as {@link #text} makes it. */
  public long value(String text) {
    String rest = text.endsWith("+") ? text.substring(0, text.length() - 1) : text;
    long value = rest.length() == text.length() ? 0 : preemptedBit;
    if (!rest.equals("R")) {
      for (String letter : split(rest)) {
        int i = List.of(letters).indexOf(letter);
        if (i < 0) {
          throw new IllegalArgumentException("must be one of " + text(-1) + ": state=" + text);
        }
        value |= bits[i];
      }
    }
    return stored(value);
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int bar = text.indexOf('|'); bar >= 0; bar = text.indexOf('|', start)) {
      parts.add(text.substring(start, bar));
      start = bar + 1;
    }
    parts.add(text.substring(start));
    return parts;
  }
}

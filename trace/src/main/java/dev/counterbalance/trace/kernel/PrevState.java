package dev.counterbalance.trace.kernel;

import java.util.ArrayList;
import java.util.List;

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

  private PrevState(long[] bits, String[] letters, long preemptedBit) {
    this.bits = bits;
    this.letters = letters;
    this.preemptedBit = preemptedBit;
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
    return new PrevState(bits.clone(), letters.clone(), preemptedBit);
  }

  /** Linux 4.14 and later: S1 D2 T4 t8 X16 Z32 P64 I128, preempted 256. */
  public static PrevState modern() {
    return of(
        new long[] {1, 2, 4, 8, 16, 32, 64, 128},
        new String[] {"S", "D", "T", "t", "X", "Z", "P", "I"},
        256);
  }

  /** True if the task stayed on the runqueue: state 0 or preempted. */
  public boolean isRunnable(long raw) {
    return raw == 0 || (raw & preemptedBit) != 0;
  }

  /** The kernel's text for the number: {@code R}, {@code R+}, {@code S}, {@code D|K}, ... */
  public String text(long raw) {
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
    return value;
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

package dev.counterbalance.ingest.ring;

/** Turns ticks of a trace clock into ns: {@code ticks * multiplier >> shift}. */
public record ClockRate(long multiplier, int shift) {
  /** A clock that counts ns. */
  public static final ClockRate NS = new ClockRate(1, 0);

  public ClockRate {
    if (multiplier < 1 || multiplier > 0xffffffffL || shift < 0 || shift > 63) {
      throw new IllegalArgumentException(
          "must be a rate: multiplier=" + multiplier + " shift=" + shift);
    }
  }

  /** The time in ns, Long.MAX_VALUE if it does not fit. */
  public long ns(long ticks) {
    if (shift == 0 && multiplier == 1) {
      return ticks;
    }
    long high = Math.multiplyHigh(ticks, multiplier);
    long low = ticks * multiplier;
    if (shift == 0) {
      return high == 0 && low >= 0 ? low : Long.MAX_VALUE;
    }
    if (high >>> (shift - 1) != 0) {
      return Long.MAX_VALUE;
    }
    return high << (64 - shift) | low >>> shift;
  }
}

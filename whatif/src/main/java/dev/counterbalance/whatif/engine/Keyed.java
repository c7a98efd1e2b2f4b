package dev.counterbalance.whatif.engine;

/**
 * Random numbers that depend on nothing but their key, so that two rules draw the same ones for the
 * same thing (common random numbers).
 */
final class Keyed {
  static final int TICK_PHASE = 1;
  static final int BALANCE_PHASE = 2;
  static final int NOISE = 3;
  static final int PLACEMENT = 4;

  private static final double UNIT = 0x1.0p-53;

  private Keyed() {}

  /** 64 well mixed bits of (seed, stream, index, count): the finalizer of SplitMix64 over each. */
  static long bits(long seed, int stream, long index, long count) {
    return mix(mix(mix(seed + 0x9E3779B97F4A7C15L * stream) + index) + count);
  }

  /** Uniform in 0 to {@code bound - 1}. */
  static long below(long bound, long seed, int stream, long index, long count) {
    return Long.remainderUnsigned(bits(seed, stream, index, count), bound);
  }

  /** Exponential with that mean, at least 1. */
  static long exponential(long mean, long seed, int stream, long index, long count) {
    double uniform = ((bits(seed, stream, index, count) >>> 11) + 1) * UNIT;
    return Math.max(1, (long) (-StrictMath.log(uniform) * mean));
  }

  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}

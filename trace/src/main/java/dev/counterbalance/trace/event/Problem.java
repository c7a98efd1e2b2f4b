package dev.counterbalance.trace.event;

/**
 * One kind of trouble met while a trace was read. Occurrences of one code are counted together.
 *
 * @param severity how bad it is
 * @param code short stable name, lower case with underscores, e.g. {@code unknown_record_type}
 * @param count how many times it happened, at least 1
 * @param firstOffset byte offset (or line number) in the input of the first occurrence, -1 if none
 * @param firstTsNs trace time of the first occurrence, -1 if none
 * @param text what was found and what was expected, in one sentence
 * @param advice what to do about it, in one sentence; may be empty
 */
public record Problem(
    Severity severity,
    String code,
    long count,
    long firstOffset,
    long firstTsNs,
    String text,
    String advice) {

  public Problem {
    if (count < 1) {
      throw new IllegalArgumentException("must be >= 1: count=" + count);
    }
  }
}

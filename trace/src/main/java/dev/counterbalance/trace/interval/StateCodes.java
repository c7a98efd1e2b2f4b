package dev.counterbalance.trace.interval;

import dev.counterbalance.trace.kernel.PrevState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Small codes for the state letters of one trace: 0 is R, 1 is R+, 2 is S, 3 is D, further ones in
 * the order they are met.
 */
public final class StateCodes {
  public static final int R = 0;
  public static final int R_PREEMPTED = 1;

  /** What {@link #kind} says of a state. */
  static final byte BLOCKED = 0;

  static final byte RUNNABLE = 1;
  static final byte DEAD = 2;

  private static final int CACHE = 8192;

  private final PrevState prevState;
  private final List<String> texts = new ArrayList<>(List.of("R", "R+", "S", "D"));
  private final byte[] codeOfRaw = new byte[CACHE];
  private final byte[] kindOfRaw = new byte[CACHE];
  private final Map<Long, Integer> seen = new HashMap<>();

  public StateCodes(PrevState prevState) {
    this.prevState = prevState;
    Arrays.fill(codeOfRaw, (byte) -1);
  }

  /** The code of a prev_state number. */
  int code(long raw) {
    if (raw >= 0 && raw < CACHE && codeOfRaw[(int) raw] >= 0) {
      return codeOfRaw[(int) raw];
    }
    return learn(raw);
  }

  /** Whether a task that leaves a CPU with this prev_state stays runnable, blocks, or is gone. */
  byte kind(long raw) {
    if (raw >= 0 && raw < CACHE) {
      if (codeOfRaw[(int) raw] < 0) {
        learn(raw);
      }
      return kindOfRaw[(int) raw];
    }
    return kindOf(raw);
  }

  /** The letters of every code. */
  public List<String> texts() {
    return texts;
  }

  /** The numbers met, each with its code. */
  public Map<Long, Integer> seen() {
    return seen;
  }

  private int learn(long raw) {
    Integer known = seen.get(raw);
    if (known != null) {
      return known;
    }
    String text = prevState.text(raw);
    int code = texts.indexOf(text);
    if (code < 0 && texts.size() < Byte.MAX_VALUE) {
      code = texts.size();
      texts.add(text);
    }
    code = Math.max(code, 0);
    seen.put(raw, code);
    if (raw >= 0 && raw < CACHE) {
      codeOfRaw[(int) raw] = (byte) code;
      kindOfRaw[(int) raw] = kindOf(raw);
    }
    return code;
  }

  private byte kindOf(long raw) {
    if (prevState.isRunnable(raw)) {
      return RUNNABLE;
    }
    String text = prevState.text(raw);
    boolean dead = text.contains("X") || text.contains("Z") || text.contains("x");
    return dead ? DEAD : BLOCKED;
  }
}

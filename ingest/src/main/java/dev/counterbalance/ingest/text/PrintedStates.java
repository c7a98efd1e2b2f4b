package dev.counterbalance.ingest.text;

import dev.counterbalance.trace.kernel.PrevState;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads prev_state as a text shows it: letters into the numbers of {@link PrevState#modern},
 * numbers as they are, unless one of them means two states here. Which kernel's encoding a number
 * is of is told by a header, or else by the numbers seen: the marks of preemption of old kernels,
 * combinations that only they have, an idle task that is never in state 0.
 */
final class PrintedStates {
  static final long R_PREEMPTED = 256;

  /** A state whose letter is not known. */
  static final long STRANGE = 1L << 16;

  private static final long S = 1;
  private static final long D = 2;
  private static final long T = 4;
  private static final long TRACED = 8;
  private static final long X = 16;
  private static final long Z = 32;
  private static final long P = 64;
  private static final long I = 128;

  private static final int MODERN = 0;

  /** Kernels around 4.14 that shifted the bit once too often. */
  private static final int SHIFTED = 1;

  /** Linux 4.14: the index of the state, but the bit of the preempted. */
  private static final int INDEX = 2;

  /** Before 4.14: the scheduler's own word. The mark of the preempted is kept beside it. */
  private static final int OLD = 3;

  private static final int MAX_SECTIONS = 1024;
  private static final int MAX_NUMBERS = 4096;

  private record Met(int section, long value) {}

  // Sections of the text with a kernel each; the first has none until a header tells.
  private final long[] sectionOffsets = new long[MAX_SECTIONS];
  private final int[] sectionVersions = new int[MAX_SECTIONS];
  private int sections = 1;
  private int current;

  // Evidence from numbers and letters where no kernel is told.
  private final boolean[] seen = new boolean[8192];
  private boolean idleInZero;
  private boolean idleInOne;
  private final boolean[] letters = new boolean[128];
  private boolean indexLetters;
  private boolean anyPreempted;

  /**
   * True if the letters are of the table that trace-cmd used up to 3.1: W stands for I, Z for X and
   * X for Z. No kernel switches out a task as waking, so that W alone is a sure sign.
   */
  private boolean formerLetters;

  // Numbers met, and what they mean if each means one state and one is not modern; else empty.
  private final Set<Met> numbers = new HashSet<>();
  private final Map<Long, Long> meanings = new TreeMap<>();
  private boolean anyLetters;
  private long lastNumber = -1;

  private int guessedEncoding = MODERN;
  private long guessedMark = 4096;
  private boolean strange;

  /** From here on the text is of this kernel, e.g. {@code 4.9.30}; ignored if it is no version. */
  void kernel(long offset, String release) {
    int dot = release.indexOf('.');
    int end = dot + 1;
    while (end < release.length() && Character.isDigit(release.charAt(end)) && end < dot + 4) {
      end++;
    }
    if (dot < 1 || dot > 3 || end == dot + 1 || sections == MAX_SECTIONS) {
      return;
    }
    for (int i = 0; i < dot; i++) {
      if (!Character.isDigit(release.charAt(i))) {
        return;
      }
    }
    lastNumber = -1;
    int major = Integer.parseInt(release.substring(0, dot));
    int minor = Integer.parseInt(release.substring(dot + 1, end));
    if (sectionVersions[sections - 1] == 0 && sections == 1) {
      sectionVersions[0] = major * 1000 + minor; // what comes before is taken for the same
    } else {
      sectionOffsets[sections] = offset;
      sectionVersions[sections++] = major * 1000 + minor;
    }
  }

  /** First pass: a state was met. */
  void learn(byte[] b, int from, int to, int prevTid) {
    if (to - from == 1 && !Ascii.isDigit(b[from])) {
      letters[b[from] & 127] = true;
      anyLetters = true;
      strange |= letters(b, from, to, false) == STRANGE;
      return;
    }
    if (Ascii.hasNumber(b, from, to)) {
      long value = Ascii.number(b, from, to);
      if (value != lastNumber && numbers.size() < MAX_NUMBERS) {
        numbers.add(new Met(sections - 1, value));
      }
      lastNumber = value;
      if (value >= 0 && value < seen.length) {
        seen[(int) value] = true;
      }
      if (prevTid == 0) {
        idleInZero |= value == 0;
        idleInOne |= value == 1;
      }
      return;
    }
    long value = letters(b, from, to, false);
    anyLetters = true;
    anyPreempted |= value == R_PREEMPTED;
    strange |= value == STRANGE;
    if (to - from == 3 && b[from + 1] == '|' && b[from + 2] == 'T') {
      indexLetters |= b[from] == 'S' || b[from] == 'D';
    } else if (value != R_PREEMPTED) {
      letters['K'] |= to > from;
    }
  }

  /** After the first pass: judges the numbers. */
  void decide() {
    boolean oldLetters = false;
    for (byte letter : Ascii.of("xXZIKWPN")) {
      oldLetters |= letters[letter];
    }
    indexLetters &= !oldLetters;
    formerLetters =
        letters['W'] && !letters['I'] && !letters['P'] && !letters['K'] && !anyPreempted;
    boolean combined = false;
    for (int value = 9; value < 512; value++) {
      combined |= seen[value] && Integer.bitCount(value) > 1;
    }
    boolean index = seen[3] || seen[5] || seen[6] || seen[7];
    boolean marked = seen[4096] || seen[2048] || seen[1024] || seen[512];
    boolean wide = combined;
    for (int value = 16; value <= 512; value *= 2) {
      wide |= seen[value];
    }
    boolean modern = seen[16] || seen[32] || seen[128] || seen[256];
    guessedMark = seen[4096] ? 4096 : seen[2048] ? 2048 : seen[1024] ? 1024 : 4096;
    if (guessedMark == 4096 && seen[512] && !seen[4096]) {
      guessedMark = 512;
    }
    if (idleInOne && !idleInZero && !seen[0]) {
      guessedEncoding = SHIFTED;
    } else if (!wide && (index || (seen[4096] && seen[8]))) {
      guessedEncoding = INDEX;
    } else if (marked || combined || (seen[64] && !modern)) {
      guessedEncoding = OLD;
    }
    listMeanings();
  }

  private void listMeanings() {
    // Of the shifted ones 256 is two states, which raw() tells apart by the next task.
    boolean twofold = guessedEncoding == SHIFTED && seen[256];
    if (anyLetters || twofold || numbers.size() == MAX_NUMBERS) {
      return;
    }
    boolean modern = true;
    for (Met met : numbers) {
      long meaning = number(met.value(), sectionVersions[met.section()], 0);
      modern &= meaning == met.value();
      Long other = meanings.put(met.value(), meaning);
      if (other != null && other != meaning) {
        meanings.clear();
        return;
      }
    }
    if (modern) {
      meanings.clear();
    }
  }

  /** True if a state was met whose letter is not known. */
  boolean isStrange() {
    return strange;
  }

  /** How the numbers that {@link #raw} makes read. */
  PrevState prevState() {
    if (!meanings.isEmpty()) {
      return PrevState.listed(meanings);
    }
    if (!strange) {
      return PrevState.modern();
    }
    return PrevState.of(
        new long[] {S, D, T, TRACED, X, Z, P, I, STRANGE},
        new String[] {"S", "D", "T", "t", "X", "Z", "P", "I", "?"},
        R_PREEMPTED);
  }

  /**
   * The number of a state.
   *
   * @param offset where it is in the text, which may be of several kernels
   */
  long raw(byte[] b, int from, int to, int nextTid, long offset) {
    if (to - from == 1) {
      byte letter = b[from];
      if (letter == 'S') {
        return S;
      }
      if (letter == 'R') {
        return 0;
      }
    }
    int version = version(offset);
    if (Ascii.hasNumber(b, from, to)) {
      long value = Ascii.number(b, from, to);
      return meanings.containsKey(value) ? value : number(value, version, nextTid);
    }
    long state = letters(b, from, to, version == 4014 || (version == 0 && indexLetters));
    if (formerLetters && (state == X || state == Z)) {
      return b[from] == 'x' ? state : X + Z - state;
    }
    return state;
  }

  private int version(long offset) {
    while (current + 1 < sections && sectionOffsets[current + 1] <= offset) {
      current++;
    }
    while (current > 0 && sectionOffsets[current] > offset) {
      current--;
    }
    return sectionVersions[current];
  }

  private long number(long value, int version, int nextTid) {
    if (version == 0) {
      return decode(value, guessedEncoding, guessedMark, nextTid);
    }
    if (version >= 4014) {
      boolean shifted = version <= 4020 && guessedEncoding == SHIFTED;
      int encoding = version == 4014 ? INDEX : MODERN;
      return decode(value, shifted ? SHIFTED : encoding, 4096, nextTid);
    }
    long mark = version >= 4008 ? 4096 : version >= 4002 ? 2048 : version >= 3009 ? 1024 : 512;
    return decode(value, OLD, version < 3003 ? 0 : mark, nextTid);
  }

  private static long decode(long value, int encoding, long mark, int nextTid) {
    switch (encoding) {
      case SHIFTED -> {
        // The mark of the preempted and a shifted I are the same number.
        return value == 256 && nextTid != 0 ? R_PREEMPTED : value >> 1;
      }
      case INDEX -> {
        if (value == 4096 || value == 256) {
          return R_PREEMPTED;
        }
        return value <= 0 ? 0 : value > 8 ? value : 1L << (value - 1);
      }
      case OLD -> {
        return old(value, mark);
      }
      default -> {
        return value;
      }
    }
  }

  private static long old(long value, long mark) {
    if ((value & mark) != 0 && (value & 0xff) == 0) {
      return R_PREEMPTED;
    }
    if ((value & 64) != 0) {
      return X;
    }
    if ((value & 2) != 0) {
      return (value & 1024) != 0 && mark > 1024 ? I : D;
    }
    if ((value & 16) != 0) {
      return Z;
    }
    if ((value & 32) != 0) {
      return X;
    }
    if ((value & 512) != 0) {
      return P;
    }
    return value & (S | T | TRACED);
  }

  /** The number of one or more letters. */
  private static long letters(byte[] b, int start, int end, boolean index) {
    int from = start;
    int to = end;
    if (to - from > 2 && b[from] == '(' && b[to - 1] == ')') {
      from++;
      to--;
    }
    if (from < to && b[to - 1] == '+') {
      return R_PREEMPTED;
    }
    if (to - from == 3 && b[from + 1] == '|' && b[from + 2] == 'T') {
      if (b[from] == 'S') {
        return X; // Linux 4.14: index 5 read as bits
      }
      if (b[from] == 'D') {
        return Z;
      }
    }
    long value = -1;
    int i = from;
    while (i < to) {
      int bar = i;
      while (bar < to && b[bar] != '|') {
        bar++;
      }
      if (bar - i == 1) {
        value = value == D && b[i] == 'N' ? I : join(value, letter(b[i], index));
      } else if (value < 0) {
        value = STRANGE;
      }
      i = bar + 1;
    }
    return value < 0 ? STRANGE : value;
  }

  /** Several letters of one state: D|K, D|W and D|N are kinds of D. */
  private static long join(long first, long second) {
    if (first < 0) {
      return second;
    }
    return first == STRANGE ? second : first;
  }

  private static long letter(byte letter, boolean index) {
    return switch (letter) {
      case 'R', 'n' -> 0;
      case 'S' -> S;
      case 'D' -> D;
      case 'T' -> T;
      case 't' -> index ? I : TRACED;
      case 'X', 'x' -> X;
      case 'Z' -> Z;
      case 'P' -> P;
      // trace-cmd shows the idle state of new kernels as W or K, the letters that bit had before.
      case 'I', 'W', 'K', 'N' -> I;
      default -> STRANGE;
    };
  }
}

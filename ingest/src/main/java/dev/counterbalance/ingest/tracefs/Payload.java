package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.io.Bytes;
import dev.counterbalance.trace.task.Names;

/**
 * Reads fields of an event record. A field is compiled once into an int (offset, width, sign), so
 * that reading it is one switch and one load.
 */
public final class Payload {
  /** The code of a field that an event does not have. */
  public static final int ABSENT = -1;

  private static final int FIXED_COMM = 8;
  private static final int FIXED_TEXT = 9;
  private static final int DATA_LOC = 10;
  private static final int REL_LOC = 11;

  /** Added to the kind of a number or locator that is stored most significant byte first. */
  private static final int BIG_ENDIAN = 16;

  private static final int MAX_TEXT = 4096;

  private Payload() {}

  /** The code of a number field, {@link #ABSENT} if it is null or no number. */
  public static int number(Field field) {
    if (field == null || field.kind() != Field.Kind.NUMBER) {
      return ABSENT;
    }
    return element(field.size(), field.signed(), field.bigEndian()) | field.offset();
  }

  /** The code of a number of 1, 2, 4 or 8 bytes at offset 0. */
  static int element(int size, boolean signed, boolean bigEndian) {
    int width = Integer.numberOfTrailingZeros(size);
    return (width << 1 | (signed ? 1 : 0) | (bigEndian ? BIG_ENDIAN : 0)) << 16;
  }

  /** The code of a text field, fixed or dynamic, {@link #ABSENT} if it is null or no text. */
  public static int text(Field field) {
    if (field == null) {
      return ABSENT;
    }
    switch (field.kind()) {
      case TEXT -> {
        boolean comm = field.size() == 16;
        return comm
            ? FIXED_COMM << 16 | field.offset()
            : FIXED_TEXT << 16 | Math.min(field.size(), 127) << 24 | field.offset();
      }
      case DATA_LOC -> {
        return (DATA_LOC | order(field)) << 16 | field.offset();
      }
      case REL_LOC -> {
        return (REL_LOC | order(field)) << 16 | field.offset();
      }
      default -> {
        return ABSENT;
      }
    }
  }

  /** Bytes that an event must have for the field of that code to be read. */
  public static int end(int code) {
    if (code == ABSENT) {
      return 0;
    }
    int kind = code >> 16 & 0xff;
    int size = 4;
    if ((kind & ~BIG_ENDIAN) < FIXED_COMM) {
      kind &= ~BIG_ENDIAN;
      size = 1 << (kind >> 1);
    } else if (kind == FIXED_COMM) {
      size = 16;
    } else if (kind == FIXED_TEXT) {
      size = code >> 24;
    }
    return (code & 0xffff) + size;
  }

  /** Reads a number; the caller has checked {@link #end} against the event's size. */
  public static long number(byte[] bytes, int start, int code) {
    int at = start + (code & 0xffff);
    switch (code >> 16) {
      case 5 -> {
        return Bytes.s32(bytes, at);
      }
      case 4 -> {
        return Bytes.u32(bytes, at);
      }
      case 6, 7 -> {
        return Bytes.s64(bytes, at);
      }
      case 3 -> {
        return (short) Bytes.u16(bytes, at);
      }
      case 2 -> {
        return Bytes.u16(bytes, at);
      }
      case 1 -> {
        return bytes[at];
      }
      case 0 -> {
        return bytes[at] & 0xff;
      }
      default -> {
        return bigEndianNumber(bytes, at, code);
      }
    }
  }

  private static long bigEndianNumber(byte[] bytes, int at, int code) {
    switch ((code >> 16) - BIG_ENDIAN) {
      case 5 -> {
        return Integer.reverseBytes(Bytes.s32(bytes, at));
      }
      case 4 -> {
        return Integer.reverseBytes(Bytes.s32(bytes, at)) & 0xffffffffL;
      }
      case 6, 7 -> {
        return Long.reverseBytes(Bytes.s64(bytes, at));
      }
      case 3 -> {
        return Short.reverseBytes((short) Bytes.u16(bytes, at));
      }
      case 2 -> {
        return Short.reverseBytes((short) Bytes.u16(bytes, at)) & 0xffff;
      }
      case 1 -> {
        return bytes[at];
      }
      case 0 -> {
        return bytes[at] & 0xff;
      }
      default -> {
        throw new IllegalArgumentException("must be a number field: code=" + code);
      }
    }
  }

  private static int order(Field field) {
    return field.bigEndian() ? BIG_ENDIAN : 0;
  }

  /** A comm's name id; -1 if the field is absent, empty or points outside the event. */
  public static int name(byte[] bytes, int start, int length, int code, Names names) {
    if (code >> 16 == FIXED_COMM) {
      int at = start + (code & 0xffff);
      long low = Bytes.s64(bytes, at);
      long clean = Names.untilNul(low);
      boolean ended = clean != low || low >>> 56 == 0;
      return names.ofComm(clean, ended ? 0 : Names.untilNul(Bytes.s64(bytes, at + 8)));
    }
    return otherName(bytes, start, length, code, names);
  }

  private static int otherName(byte[] bytes, int start, int length, int code, Names names) {
    if (code == ABSENT) {
      return Names.UNKNOWN;
    }
    int offset = code & 0xffff;
    int kind = code >> 16 & 0xff;
    if (kind == FIXED_TEXT) {
      return names.of(bytes, start + offset, code >> 24);
    }
    boolean relative = (kind & ~BIG_ENDIAN) == REL_LOC;
    long range = dynamic(bytes, start, length, offset, relative, kind >= BIG_ENDIAN);
    int size = (int) range;
    int at = (int) (range >>> 32);
    if (size <= 0) {
      return Names.UNKNOWN;
    }
    return size <= 16
        ? shortName(bytes, start + at, size, names)
        : names.of(bytes, start + at, Math.min(size, MAX_TEXT));
  }

  private static int shortName(byte[] bytes, int at, int size, Names names) {
    if (at + 16 > bytes.length) {
      return shortNameAtEnd(bytes, at, size, names);
    }
    long low = firstBytes(Bytes.s64(bytes, at), Math.min(size, 8));
    long clean = Names.untilNul(low);
    boolean ended = size <= 8 || clean != low || low >>> 56 == 0;
    long high = ended ? 0 : Names.untilNul(firstBytes(Bytes.s64(bytes, at + 8), size - 8));
    return names.ofComm(clean, high);
  }

  /** The first 1 to 8 bytes of a word, the others zero. */
  private static long firstBytes(long word, int count) {
    return word & (-1L >>> (64 - 8 * count));
  }

  private static int shortNameAtEnd(byte[] bytes, int at, int size, Names names) {
    long low = 0;
    long high = 0;
    for (int i = 0; i < size && bytes[at + i] != 0; i++) {
      long value = (bytes[at + i] & 0xffL) << (8 * (i & 7));
      if (i < 8) {
        low |= value;
      } else {
        high |= value;
      }
    }
    return names.ofComm(low, high);
  }

  /**
   * Where the data of a dynamic field is: offset from the event's start in the high 32 bits, length
   * in the low; length 0 if it is empty or outside the event.
   */
  static long dynamic(
      byte[] bytes, int start, int length, int offset, boolean relative, boolean bigEndian) {
    if (offset + 4 > length) {
      return 0;
    }
    int locator = Bytes.s32(bytes, start + offset);
    if (bigEndian) {
      locator = Integer.reverseBytes(locator);
    }
    int at = (locator & 0xffff) + (relative ? offset + 4 : 0);
    int size = locator >>> 16;
    return at + size > length ? 0 : (long) at << 32 | size;
  }
}

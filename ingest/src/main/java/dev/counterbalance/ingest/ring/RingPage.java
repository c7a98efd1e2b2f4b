package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.io.Bytes;

/**
 * Walks over the events of one page of the kernel's trace ring buffer. Makes no objects; one
 * instance serves any number of pages.
 */
public final class RingPage {
  private static final int MAX_DATA_TYPE = 28;
  private static final int PADDING = 29;
  private static final int TIME_EXTEND = 30;
  private static final long LENGTH_MASK = 0x7ffffff;
  private static final long LOST_FLAG = 0x80000000L;
  private static final long LOST_COUNT_FLAG = 0x40000000L;
  private static final long UNUSED_BITS = 0x38000000L;
  private static final long MAX_LOST = 1L << 40;
  private static final int DELTA_BITS = 27;
  private static final int DELTA_MASK = (1 << DELTA_BITS) - 1;
  private static final int STAMP_BITS = 59;
  private static final long STAMP_TOP = -1L << STAMP_BITS;

  private final boolean bigEndian;
  private final int commitSize;
  private final int dataOffset;

  private byte[] bytes;
  private int next;
  private int end;
  private long lost;
  private boolean broken;

  /** Time of the event at hand, in ticks of the trace clock. */
  public long time;

  /** Where the data of the event at hand begins. */
  public int at;

  /** Its size in bytes, a multiple of 4: may be some bytes more than was written. */
  public int length;

  public RingPage(PageLayout layout) {
    this.bigEndian = layout.bigEndian();
    this.commitSize = layout.commitSize();
    this.dataOffset = layout.dataOffset();
  }

  /** The time stamp of the page that begins there. */
  public long stamp(byte[] page, int start) {
    return s64(page, start);
  }

  /**
   * Goes to the start of a page.
   *
   * @param size size of the page in bytes
   * @return false if its header cannot be that of a page
   */
  public boolean open(byte[] page, int start, int size) {
    bytes = page;
    time = s64(page, start);
    long commit = commitSize == 8 ? s64(page, start + 8) : s32(page, start + 8) & 0xffffffffL;
    long used = commit & LENGTH_MASK;
    lost = 0;
    broken = time < 0 || used > size - dataOffset || !isCommit(commit);
    next = start + dataOffset;
    end = broken ? next : next + (int) used;
    if (!broken && (commit & LOST_FLAG) != 0) {
      lost = lostCount(commit, start + size);
    }
    return !broken;
  }

  /** Kernels set the flag of a loss as a negative int, whose sign fills the upper half. */
  private static boolean isCommit(long commit) {
    long upper = commit >> 32;
    return (commit & UNUSED_BITS) == 0 && (upper == 0 || (upper == -1 && (int) commit < 0));
  }

  private long lostCount(long commit, int pageEnd) {
    if ((commit & LOST_COUNT_FLAG) == 0 || end + commitSize > pageEnd) {
      return -1;
    }
    long count = commitSize == 8 ? s64(bytes, end) : s32(bytes, end) & 0xffffffffL;
    return count > 0 && count < MAX_LOST ? count : -1;
  }

  /** Events lost before this page: 0 none, -1 an unknown number. */
  public long lost() {
    return lost;
  }

  /** True if the page holds something that cannot be right; its later events are not found. */
  public boolean isBroken() {
    return broken;
  }

  /** The type of the event at hand, its {@code common_type}. */
  public int type() {
    int value = Bytes.u16(bytes, at);
    return bigEndian ? Short.reverseBytes((short) value) & 0xffff : value;
  }

  /** Moves to the next event; false at the end of the page, or where it is broken. */
  public boolean next() {
    while (next + 4 <= end) {
      int word = s32(bytes, next);
      int typeLen = bigEndian ? word >>> DELTA_BITS : word & 31;
      long delta = bigEndian ? word & DELTA_MASK : word >>> 5;
      int size;
      if (typeLen > 0 && typeLen <= MAX_DATA_TYPE) {
        at = next + 4;
        length = typeLen * 4;
        size = 4 + length;
      } else {
        if (next + 8 > end) {
          return endsWith(typeLen, delta);
        }
        size = special(typeLen, delta);
      }
      if (size < 0) {
        return false;
      }
      next += size;
      if (next > end) {
        broken = true;
        return false;
      }
      if (typeLen <= MAX_DATA_TYPE) {
        time += delta;
        if (time < 0 || length < 4) {
          broken = true;
          next = end;
          return false;
        }
        return true;
      }
    }
    broken |= next != end;
    next = end;
    return false;
  }

  /** The last word of a page: only padding has no second word. */
  private boolean endsWith(int typeLen, long delta) {
    broken |= typeLen != PADDING || delta != 0;
    next = end;
    return false;
  }

  /** An entry with a second word. Returns its size, -1 if the page ends with it. */
  private int special(int typeLen, long delta) {
    long second = s32(bytes, next + 4) & 0xffffffffL;
    if (typeLen == 0 || typeLen == PADDING) {
      if (typeLen == PADDING && delta == 0) {
        next = end;
        return -1;
      }
      if (second < 4 || second > end - next) {
        broken = true;
        next = end;
        return -1;
      }
      if (typeLen == PADDING) {
        time += delta;
        return 4 + (int) second;
      }
      at = next + 8;
      length = ((int) second - 4 + 3) & ~3;
      return 8 + length;
    }
    long wide = (second << DELTA_BITS) + delta;
    if (typeLen == TIME_EXTEND) {
      time += wide;
    } else {
      time = absolute(wide, time);
    }
    return 8;
  }

  /** The full time of an absolute stamp, which has 59 bits. */
  private static long absolute(long stamp, long before) {
    long full = stamp & ~STAMP_TOP;
    long top = before & STAMP_TOP;
    if (top == 0) {
      return full;
    }
    full |= top;
    return full < before ? full + (1L << STAMP_BITS) : full;
  }

  private int s32(byte[] page, int index) {
    int value = Bytes.s32(page, index);
    return bigEndian ? Integer.reverseBytes(value) : value;
  }

  private long s64(byte[] page, int index) {
    long value = Bytes.s64(page, index);
    return bigEndian ? Long.reverseBytes(value) : value;
  }
}

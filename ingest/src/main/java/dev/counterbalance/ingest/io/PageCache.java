package dev.counterbalance.ingest.io;

import dev.counterbalance.ingest.TraceInput;
import java.io.IOException;
import java.util.Arrays;

/** Reads small pieces anywhere in an input through a cache of pages, 16 MiB in all. */
public final class PageCache {
  private static final int PAGE_BITS = 16;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int PAGES = 256;

  private final TraceInput in;
  private final byte[][] pages = new byte[PAGES][];
  private final long[] numbers = new long[PAGES];
  private final int[] filled = new int[PAGES];
  private byte[] joined = new byte[PAGE];
  private byte[] bytes = joined;

  public PageCache(TraceInput in) {
    this.in = in;
    Arrays.fill(numbers, -1);
  }

  /**
   * Makes bytes available.
   *
   * @return where they begin in {@link #bytes}, -1 if the input ends before
   */
  public int at(long position, int wanted) throws IOException {
    long number = position >>> PAGE_BITS;
    int slot = load(number);
    int index = (int) (position & (PAGE - 1));
    if (index + wanted <= filled[slot]) {
      bytes = pages[slot];
      return index;
    }
    if (wanted > joined.length) {
      joined = new byte[wanted];
    }
    int n = in.read(position, joined, 0, wanted);
    bytes = joined;
    return n == wanted ? 0 : -1;
  }

  /** Where the last bytes asked for are. */
  public byte[] bytes() {
    return bytes;
  }

  private int load(long number) throws IOException {
    int slot = (int) (number & (PAGES - 1));
    if (numbers[slot] != number) {
      if (pages[slot] == null) {
        pages[slot] = new byte[PAGE];
      }
      filled[slot] = in.read(number << PAGE_BITS, pages[slot], 0, PAGE);
      numbers[slot] = number;
    }
    return slot;
  }
}

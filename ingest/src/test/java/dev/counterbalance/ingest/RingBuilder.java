package dev.counterbalance.ingest;

import java.io.ByteArrayOutputStream;

/** Builds the ring-buffer pages of one CPU. */
public final class RingBuilder {
  private static final int EXTEND = 30;
  private static final int STAMP = 31;
  private static final int PADDING = 29;

  private final boolean bigEndian;
  private final int longSize;
  private final int pageSize;
  private final ByteArrayOutputStream pages = new ByteArrayOutputStream();
  private OrderedBytes data;
  private long stamp;
  private long lost;

  public RingBuilder(boolean bigEndian, int longSize, int pageSize) {
    this.bigEndian = bigEndian;
    this.longSize = longSize;
    this.pageSize = pageSize;
  }

  /** Begins a page. */
  public RingBuilder page(long stampNs) {
    return page(stampNs, 0);
  }

  /** Begins a page before which events were lost; -1 if their number is not known. */
  public RingBuilder page(long stampNs, long lostBefore) {
    finish();
    data = new OrderedBytes(bigEndian);
    stamp = stampNs;
    lost = lostBefore;
    return this;
  }

  /** An event whose size is told by its header if it is small and a multiple of 4. */
  public RingBuilder event(long delta, byte[] event) {
    if (event.length % 4 != 0 || event.length > 112) {
      return longEvent(delta, event);
    }
    word(event.length / 4, delta);
    data.bytes(event);
    return this;
  }

  /** An event whose size is told by a word of its own. */
  public RingBuilder longEvent(long delta, byte[] event) {
    word(0, delta);
    data.u32(event.length + 4).bytes(event).pad(4);
    return this;
  }

  public RingBuilder extend(long delta) {
    word(EXTEND, delta & 0x7ffffff);
    data.u32(delta >>> 27);
    return this;
  }

  public RingBuilder absolute(long time) {
    word(STAMP, time & 0x7ffffff);
    data.u32((time & ((1L << 59) - 1)) >>> 27);
    return this;
  }

  /** A discarded event of that many bytes besides its size. */
  public RingBuilder padding(long delta, int size) {
    word(PADDING, delta);
    data.u32(size + 4).zeros(size);
    return this;
  }

  /** The rest of the page is empty, though it counts as used. */
  public RingBuilder paddingToEnd(int size) {
    word(PADDING, 0);
    data.zeros(size);
    return this;
  }

  /** A word of the caller's own. */
  public RingBuilder word(int typeLen, long delta) {
    data.u32(bigEndian ? (long) typeLen << 27 | delta : delta << 5 | typeLen);
    return this;
  }

  public byte[] toBytes() {
    finish();
    data = null;
    return pages.toByteArray();
  }

  private void finish() {
    if (data == null) {
      return;
    }
    long commit = data.size();
    if (lost != 0) {
      commit |= 0xffffffff80000000L;
    }
    if (lost > 0) {
      commit |= 0x40000000L;
    }
    OrderedBytes page = new OrderedBytes(bigEndian);
    page.u64(stamp).number(commit, longSize).bytes(data.toBytes());
    if (lost > 0) {
      page.number(lost, longSize);
    }
    if (page.size() > pageSize) {
      throw new IllegalStateException("must fit in a page: size=" + page.size());
    }
    pages.writeBytes(page.zeros(pageSize - page.size()).toBytes());
  }
}

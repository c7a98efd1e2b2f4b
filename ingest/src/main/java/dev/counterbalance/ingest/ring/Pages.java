package dev.counterbalance.ingest.ring;

import java.io.IOException;

/**
 * The pages of one CPU in their order. A page and the one after it are in memory at the same time.
 * Where the bytes come from is the subclass's matter.
 */
public abstract class Pages {
  /** Largest page, and the largest sub-buffer, that is believed. */
  public static final int MAX_PAGE = 1 << 24;

  protected final int pageSize;

  /** Bytes read and not yet passed are at {@link #start} to {@link #end}. */
  protected byte[] buffer;

  protected int end;
  private int start;
  private boolean opened;

  protected Pages(int pageSize, int bufferSize) {
    this.pageSize = pageSize;
    this.buffer = new byte[bufferSize];
  }

  /**
   * Appends bytes at {@link #end}; {@link #makeRoom} gives room.
   *
   * @return false if there are no more
   */
  protected abstract boolean more() throws IOException;

  /** Where the page at hand lies in the input, or begins to. */
  public abstract long offset();

  /** Moves to the next whole page. */
  final boolean next() throws IOException {
    if (opened) {
      start += pageSize;
    }
    opened = true;
    while (end - start < 2L * pageSize && more()) {
      // until the page and the next one are there
    }
    return end - start >= pageSize;
  }

  /** The bytes in which the page at hand lies. */
  final byte[] bytes() {
    return buffer;
  }

  final int size() {
    return pageSize;
  }

  /** Where the page at hand begins in them. */
  final int start() {
    return start;
  }

  /** Where the following page begins, -1 if there is none. */
  final int following() {
    return end - start >= 2L * pageSize ? start + pageSize : -1;
  }

  /** Bytes after the last whole page. */
  final int rest() {
    return Math.max(0, end - start);
  }

  /** Bytes that are held from the page at hand on. */
  protected final int held() {
    return end - start;
  }

  /** Moves what is held to the front so that many bytes fit behind it. */
  protected final void makeRoom(int bytes) {
    int held = end - start;
    byte[] target = held + bytes > buffer.length ? new byte[held + bytes] : buffer;
    System.arraycopy(buffer, start, target, 0, held);
    buffer = target;
    start = 0;
    end = held;
  }

  /** Forgets the bytes. */
  final void close() {
    buffer = new byte[0];
  }
}

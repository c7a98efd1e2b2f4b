package dev.counterbalance.ingest.ring;

/** Tells whether bytes are ring-buffer pages, and how they are laid out. Strict. */
public final class PageSniffer {
  private static final int[] SIZES = {4096, 8192, 16384, 65536};
  private static final int MAX_PAGES = 8;

  private PageSniffer() {}

  /**
   * What pages look like.
   *
   * @param layout how each is laid out
   * @param pageSize bytes of each
   */
  public record Found(PageLayout layout, int pageSize) {}

  /**
   * Looks at the first pages of an input: each header must make sense, each walk over events must
   * end exactly where the header says, times must not step back, and there must be events.
   *
   * @param inputSize size of the whole input
   * @return null if they are no pages
   */
  public static Found look(byte[] head, long inputSize) {
    for (int size : SIZES) {
      for (int variant = 0; variant < 4; variant++) {
        PageLayout layout = PageLayout.ofLong(variant >= 2, variant % 2 == 0 ? 8 : 4);
        if (inputSize >= size && inputSize % size == 0 && matches(head, size, layout)) {
          return new Found(layout, size);
        }
      }
    }
    return null;
  }

  /** True if the first pages of a head are pages of that layout and size. */
  public static boolean matches(byte[] head, int pageSize, PageLayout layout) {
    RingPage page = new RingPage(layout);
    int pages = Math.min(MAX_PAGES, head.length / pageSize);
    long before = 1;
    long events = 0;
    for (int i = 0; i < pages; i++) {
      if (!page.open(head, i * pageSize, pageSize) || page.time < before) {
        return false;
      }
      before = page.time;
      while (page.next()) {
        int type = page.type();
        if (type == 0 || page.time < before) {
          return false;
        }
        before = page.time;
        events++;
      }
      if (page.isBroken()) {
        return false;
      }
    }
    return events > 0;
  }
}

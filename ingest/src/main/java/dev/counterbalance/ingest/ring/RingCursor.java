package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.io.ProblemLog;
import java.io.IOException;

/**
 * Moves over the events of one stream in order. Times never step back; a page that cannot be right
 * is skipped and counts as a loss.
 */
final class RingCursor {
  private final RingStream stream;
  private final RingPage page;
  private final Pages pages;
  private final ClockRate rate;
  private final boolean scaled;
  private final ProblemLog problems;
  private long lastTicks;
  private long pendingLost;

  /** The event at hand. */
  long timeNs;

  byte[] bytes;
  int at;
  int length;

  /** Events lost before it: 0 none, -1 an unknown number. */
  long lost;

  /**
   * Opens a stream.
   *
   * @param problems is told of damage; null in the second pass, which meets the same again
   */
  RingCursor(RingRecording recording, RingStream stream, ProblemLog problems, int bufferSize)
      throws IOException {
    this.stream = stream;
    this.page = new RingPage(recording.pageLayout);
    this.pages = stream.source.open(bufferSize);
    this.rate = recording.clockRate;
    this.scaled = !rate.equals(ClockRate.NS);
    this.problems = problems;
    this.pendingLost = stream.lostAhead();
  }

  int cpu() {
    return stream.cpu;
  }

  int type() {
    return page.type();
  }

  /** Where the page of the event at hand lies in the input. */
  long offset() {
    return pages.offset();
  }

  /** Moves to the next event. False at the end; {@link #lost} then tells of a loss after it. */
  boolean next() throws IOException {
    while (bytes == null || !page.next()) {
      if (bytes != null && page.isBroken()) {
        damage("broken_page", "a ring-buffer page with an event that cannot be right");
        addLost(-1);
      }
      if (!openPage()) {
        lost = pendingLost;
        pages.close();
        return false;
      }
    }
    long ticks = page.time;
    if (ticks < lastTicks) {
      stepBack(ticks);
      ticks = lastTicks;
    }
    lastTicks = ticks;
    timeNs = scaled ? rate.ns(ticks) : ticks;
    at = page.at;
    length = page.length;
    lost = pendingLost;
    pendingLost = 0;
    return true;
  }

  private boolean openPage() throws IOException {
    while (pages.next()) {
      bytes = pages.bytes();
      if (!page.open(bytes, pages.start(), pages.size())) {
        damage("bad_page", "a ring-buffer page whose header cannot be right");
        addLost(-1);
      } else if (isOutlier()) {
        damage("bad_page_time", "a ring-buffer page whose time is later than the next page's");
        addLost(-1);
      } else {
        addLost(page.lost());
        return true;
      }
    }
    return false;
  }

  /** True if the page is later than the one that follows, which fits to what came before. */
  private boolean isOutlier() {
    int following = pages.following();
    if (following < 0) {
      return false;
    }
    long next = page.stamp(bytes, following);
    return page.time > next && next >= lastTicks;
  }

  private void addLost(long count) {
    if (count != 0) {
      pendingLost = count < 0 || pendingLost < 0 ? -1 : pendingLost + count;
    }
  }

  private void damage(String code, String text) throws IOException {
    if (problems != null && !problems.again(code)) {
      problems.damage(
          code,
          pages.offset(),
          timeNs,
          text,
          "What it holds is skipped and counts as lost; the file may be damaged.");
    }
  }

  private void stepBack(long ticks) throws IOException {
    if (problems != null && !problems.again("time_steps_back")) {
      problems.damage(
          "time_steps_back",
          pages.offset(),
          timeNs,
          "an event " + (lastTicks - ticks) + " ticks before the one ahead of it on its CPU",
          "It is given the time of the one ahead.");
    }
  }

  /** Bytes after the last whole page. */
  int rest() {
    return pages.rest();
  }
}

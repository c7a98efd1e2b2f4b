package dev.counterbalance.ingest.text;

import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.PageCache;
import dev.counterbalance.ingest.io.PairIndex;
import java.io.Closeable;
import java.io.IOException;

/** Orders the lines of a text by time, then place. */
final class LineIndex implements Closeable {
  /** Is given each line in order. */
  interface Visitor {
    void line(byte[] b, int from, int to, long offset) throws IOException;
  }

  private static final int USUAL_LINE = 512;

  private final TraceInput in;
  private final PairIndex pairs = new PairIndex();

  LineIndex(TraceInput in) {
    this.in = in;
  }

  void add(long timeNs, long offset) throws IOException {
    pairs.add(timeNs, offset);
  }

  /** Visits all lines. */
  void visit(Visitor visitor) throws IOException {
    PageCache pages = new PageCache(in);
    pairs.visit((timeNs, offset) -> line(pages, offset, visitor));
  }

  private void line(PageCache pages, long offset, Visitor visitor) throws IOException {
    int wanted = USUAL_LINE;
    while (true) {
      int available = (int) Math.min(wanted, in.size() - offset);
      int from = pages.at(offset, available);
      if (from < 0) {
        return;
      }
      byte[] b = pages.bytes();
      int newline = Ascii.newline(b, from, from + available);
      if (newline < from + available || available < wanted) {
        visitor.line(b, from, Lines.lineEnd(b, from, newline), offset);
        return;
      }
      if (wanted > Lines.MAX_LINE) {
        return;
      }
      wanted *= 2;
    }
  }

  @Override
  public void close() throws IOException {
    pairs.close();
  }
}

package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.ingest.io.ProgressMeter;
import java.io.IOException;

/** Pages as they lie in a range of a file. */
public final class RawPages extends Pages {
  private final TraceInput in;
  private final ProgressMeter progress;
  private final long to;
  private long position;

  private RawPages(
      TraceInput in, ProgressMeter progress, long from, long to, int pageSize, int bufferSize) {
    super(pageSize, Math.max(bufferSize, 2 * pageSize));
    this.in = in;
    this.progress = progress;
    this.position = from;
    this.to = to;
  }

  /** The range of a file that holds a CPU's pages. */
  public static PageSource source(
      TraceInput in, ProgressMeter progress, long from, long to, int pageSize) {
    return new PageSource() {
      @Override
      public Pages open(int bufferSize) {
        return new RawPages(in, progress, from, Math.min(to, in.size()), pageSize, bufferSize);
      }

      @Override
      public long memory() {
        return 2L * pageSize;
      }
    };
  }

  @Override
  public long offset() {
    return position - held();
  }

  @Override
  protected boolean more() throws IOException {
    makeRoom(0);
    int wanted = (int) Math.min(Math.max(0, to - position), buffer.length - end);
    int n = wanted <= 0 ? 0 : in.read(position, buffer, end, wanted);
    end += n;
    position += n;
    progress.add(n);
    return n > 0;
  }
}

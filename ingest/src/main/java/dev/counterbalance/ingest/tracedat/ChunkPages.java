package dev.counterbalance.ingest.tracedat;

import dev.counterbalance.ingest.io.InputCursor;
import dev.counterbalance.ingest.ring.PageSource;
import dev.counterbalance.ingest.ring.Pages;
import java.io.IOException;
import java.util.Arrays;

/** Pages in compressed chunks: a count, then stored size, full size and bytes of each. */
final class ChunkPages extends Pages {
  private static final int MAX_CHUNK = 16 << 20;

  /** What a page is filled with that could not be inflated: it cannot be taken for a page. */
  private static final byte BAD = (byte) 0xff;

  /** Where the chunks of a CPU are. */
  static final class Source implements PageSource {
    private final DatFile file;
    private final Decompressor decompressor;
    private final DatFile.CpuRange range;
    private final long limit;
    private long memory;
    private boolean opened;

    Source(DatFile file, Decompressor decompressor, DatFile.CpuRange range, long limit) {
      this.file = file;
      this.decompressor = decompressor;
      this.range = range;
      this.limit = limit;
    }

    @Override
    public Pages open(int bufferSize) throws IOException {
      boolean again = opened;
      opened = true;
      return new ChunkPages(this, !again);
    }

    @Override
    public long memory() {
      return memory;
    }
  }

  private final Source source;
  private final InputCursor in;
  private final boolean report;
  private long chunks;
  private long chunkAt;

  private ChunkPages(Source source, boolean report) throws IOException {
    super(source.range.pageSize(), 0);
    this.source = source;
    this.report = report;
    this.in = new InputCursor(source.file.in, source.file.header.order(), source.range.offset());
    this.chunkAt = source.range.offset();
    if (source.limit - chunkAt < 4) {
      cut(4 - (source.limit - chunkAt));
    } else {
      chunks = in.u32();
    }
  }

  @Override
  public long offset() {
    return chunkAt;
  }

  @Override
  protected boolean more() throws IOException {
    if (chunks <= 0) {
      return false;
    }
    chunkAt = in.position();
    if (source.limit - chunkAt < 8) {
      cut(8 - (source.limit - chunkAt));
      return false;
    }
    long stored = in.u32();
    long full = in.u32();
    if (stored > source.limit - in.position()) {
      cut(stored - (source.limit - in.position()));
      return false;
    }
    if (full > MAX_CHUNK || stored > MAX_CHUNK) {
      damage("bad_chunk", "a chunk of " + stored + " bytes that is said to inflate to " + full);
      chunks = 0;
      return false;
    }
    makeRoom((int) full);
    source.memory = Math.max(source.memory, buffer.length);
    if (!source.decompressor.inflate(
        source.file.in, in.position(), (int) stored, buffer, end, (int) full)) {
      damage("bad_chunk", "a chunk that cannot be inflated");
      Arrays.fill(buffer, end, end + (int) full, BAD);
    }
    end += (int) full;
    in.skip(stored);
    source.file.ring.progress.add(stored + 8);
    chunks--;
    return true;
  }

  private void cut(long missing) throws IOException {
    damage(
        "truncated",
        "the data of CPU "
            + source.range.cpu()
            + " ends within a chunk, "
            + missing
            + " bytes of it and "
            + Math.max(0, chunks - 1)
            + " chunks are missing");
    chunks = 0;
  }

  private void damage(String code, String text) throws IOException {
    if (report) {
      source.file.ring.problems.damage(
          code,
          chunkAt,
          -1,
          text,
          "The file is truncated or damaged; the whole pages before it are imported.");
    }
  }
}

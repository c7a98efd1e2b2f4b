package dev.counterbalance.ingest.perfdata;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.counterbalance.ingest.io.Bytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Inflates the payloads of compressed records, which together are one zstd stream that is flushed
 * at the end of each payload but never ended. Whatever a payload inflates to is handed on in small
 * pieces, so that memory does not grow with it.
 */
final class Inflater implements Closeable {
  private static final int OUTPUT = 128 << 10;
  private static final int MAGIC = 0xFD2FB528;

  /** Is given what was inflated. */
  interface Output {
    /** The bytes are valid only during the call. */
    void inflated(byte[] bytes, int length) throws IOException;
  }

  private final Output output;
  private final ByteBuffer source = ByteBuffer.allocateDirect(64 << 10);
  private final ByteBuffer target = ByteBuffer.allocateDirect(OUTPUT);
  private final byte[] piece = new byte[OUTPUT];
  private ZstdDecompressCtx stream = new ZstdDecompressCtx();
  private boolean broken;

  Inflater(Output output) {
    this.output = output;
  }

  /** True if an earlier payload was damaged and no new stream has begun since. */
  boolean isBroken() {
    return broken;
  }

  /** True if the stream is broken and the payload begins another. */
  boolean restarts(byte[] bytes, int offset, int length) {
    // zstd's own magic is little-endian on every machine.
    return broken && length >= 4 && Bytes.s32(bytes, offset) == MAGIC;
  }

  /**
   * Inflates one payload. What comes before damage is handed on.
   *
   * @param length at most 65535
   * @return what is wrong with the payload, null if nothing; the stream is then broken
   */
  String inflate(byte[] bytes, int offset, int length) throws IOException {
    if (broken && !restarts(bytes, offset, length)) {
      return "it follows a damaged one";
    }
    if (broken) {
      stream.close();
      stream = new ZstdDecompressCtx();
      broken = false;
    }
    source.clear();
    source.put(bytes, offset, length).flip();
    boolean full = true;
    while (source.hasRemaining() || full) {
      target.clear();
      int before = source.position();
      try {
        stream.decompressDirectByteBufferStream(target, source);
      } catch (ZstdException e) {
        broken = true;
        return e.getMessage();
      }
      full = !target.hasRemaining();
      target.flip();
      int n = target.remaining();
      if (n == 0 && source.position() == before) {
        break;
      }
      target.get(piece, 0, n);
      output.inflated(piece, n);
    }
    if (source.hasRemaining()) {
      broken = true;
      return "it does not go on";
    }
    return null;
  }

  @Override
  public void close() {
    stream.close();
  }
}

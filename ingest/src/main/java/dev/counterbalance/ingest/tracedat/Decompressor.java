package dev.counterbalance.ingest.tracedat;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.TraceInput;
import java.io.Closeable;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates the blocks of a file of version 7, each of which stands alone. */
final class Decompressor implements Closeable {
  private final ZstdDecompressCtx zstd;
  private final Inflater zlib;
  private byte[] stored = new byte[0];

  Decompressor(String file, String name) throws TraceFormatException {
    switch (name) {
      case "none" -> {
        zstd = null;
        zlib = null;
      }
      case "zlib" -> {
        zstd = null;
        zlib = new Inflater();
      }
      case "zstd" -> {
        zstd = new ZstdDecompressCtx();
        zlib = null;
      }
      default ->
          throw new TraceFormatException(
              file,
              -1,
              "is compressed with " + name + ", which is not read",
              "zstd, zlib or none",
              "Convert it with: trace-cmd convert --compression none.");
    }
  }

  /**
   * Inflates a block.
   *
   * @param length size of the block in the file
   * @param size what it inflates to
   * @return false if it does not inflate to that
   */
  boolean inflate(TraceInput in, long position, int length, byte[] target, int at, int size)
      throws IOException {
    if (stored.length < length) {
      stored = new byte[length];
    }
    if (in.read(position, stored, 0, length) < length) {
      return false;
    }
    if (zstd != null) {
      return zstd(length, target, at, size);
    }
    return zlib != null && zlib(length, target, at, size);
  }

  private boolean zstd(int length, byte[] target, int at, int size) {
    try {
      return zstd.decompressByteArray(target, at, size, stored, 0, length) == size;
    } catch (ZstdException e) {
      return false;
    }
  }

  private boolean zlib(int length, byte[] target, int at, int size) {
    zlib.reset();
    zlib.setInput(stored, 0, length);
    try {
      int done = 0;
      while (done < size) {
        int n = zlib.inflate(target, at + done, size - done);
        if (n == 0) {
          return false;
        }
        done += n;
      }
      return true;
    } catch (DataFormatException e) {
      return false;
    }
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
    }
    if (zlib != null) {
      zlib.end();
    }
  }
}

package dev.counterbalance.ingest;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;

/**
 * The content of a file that was compressed as a whole, by gzip, zstd or xz. Where the compressed
 * data is cut or damaged, the content ends there and {@link #damage} tells.
 */
final class Unpacking extends FilterInputStream {
  /** What a compressed file begins with, and what it is called. */
  enum Wrapper {
    GZIP("gzip", "\u001f\u008b"),
    ZSTD("zstd", "(\u00b5/\u00fd"),
    XZ("xz", "\u00fd7zXZ\u0000");

    final String tool;
    private final String magic;

    Wrapper(String tool, String magic) {
      this.tool = tool;
      this.magic = magic;
    }

    /** The one that an input begins with, null if none. */
    static Wrapper of(Head head) {
      for (Wrapper wrapper : values()) {
        if (head.startsWith(wrapper.magic)) {
          return wrapper;
        }
      }
      return null;
    }
  }

  /** More memory than this is not given to a dictionary that a file asks for; xz -9 needs 65 MB. */
  private static final int XZ_LIMIT_KIB = 128 * 1024;

  private static final int BUFFER = 256 << 10;

  private final String damagedName;
  private final Wrapper wrapper;
  private String damage;
  private long delivered;

  private Unpacking(InputStream content, String name, Wrapper wrapper) {
    super(content);
    this.damagedName = name;
    this.wrapper = wrapper;
  }

  /**
   * The content of a compressed stream.
   *
   * @throws TraceFormatException if not even its header makes sense
   */
  static Unpacking of(InputStream compressed, String name, Wrapper wrapper) throws IOException {
    try {
      InputStream content;
      switch (wrapper) {
        case GZIP -> content = new GZIPInputStream(compressed, BUFFER);
        case ZSTD -> content = new ZstdInputStream(compressed);
        default -> content = new XZInputStream(compressed, XZ_LIMIT_KIB);
      }
      return new Unpacking(content, name, wrapper);
    } catch (EOFException | ZipException | ZstdIOException | XZIOException e) {
      throw refuse(name, wrapper, e);
    }
  }

  /** What is wrong with the compressed data, null if nothing was met so far. */
  String damage() {
    return damage;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (damage != null) {
      return -1;
    }
    try {
      int n = in.read(target, offset, length);
      delivered += Math.max(0, n);
      return n;
    } catch (EOFException | ZipException | ZstdIOException | XZIOException e) {
      if (delivered == 0) {
        throw refuse(damagedName, wrapper, e);
      }
      damage = wrapper.tool + " data that is cut or damaged (" + reason(e) + ")";
      return -1;
    }
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    return message == null || e instanceof EOFException ? "it ends too early" : message;
  }

  private static TraceFormatException refuse(String name, Wrapper wrapper, IOException e) {
    return new TraceFormatException(
        name,
        0,
        "is compressed with " + wrapper.tool + ", but damaged (" + reason(e) + ")",
        "",
        "Copy it again.");
  }
}

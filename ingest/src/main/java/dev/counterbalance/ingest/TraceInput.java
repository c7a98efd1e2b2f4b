package dev.counterbalance.ingest;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace to read: a file, or a stream that was copied to a temporary file, so that importers can
 * read at any position and more than once; or a directory, of which the importer opens the files.
 * Closing deletes the temporary file.
 */
public final class TraceInput implements Closeable {
  /** Compression in compression beyond this is not unpacked. */
  static final int MAX_WRAPPERS = 3;

  private final String name;
  private final FileChannel channel;
  private final Path temporary;
  private final long size;
  private final Path directory;

  /** How what was read differs from what the name tells: unpacked, cut. */
  private final List<String> wrappers = new ArrayList<>();

  private String damage;

  private TraceInput(String name, Path directory) {
    this.name = name;
    this.channel = null;
    this.temporary = null;
    this.size = 0;
    this.directory = directory;
  }

  private TraceInput(String name, FileChannel channel, Path temporary) throws IOException {
    this.name = name;
    this.channel = channel;
    this.temporary = temporary;
    this.size = channel.size();
    this.directory = null;
  }

  /**
   * Opens a file or directory. A pipe or device is copied to a temporary file first.
   *
   * @throws TraceFormatException if there is no such file, or it may not be read
   */
  public static TraceInput ofFile(Path path) throws IOException {
    return ofFile(path, head -> {});
  }

  /** Looks at the first bytes of a stream, before all of it is copied. */
  interface Check {
    /**
     * Looks at them.
     *
     * @throws TraceFormatException if they begin no trace
     */
    void look(Head head) throws TraceFormatException;
  }

  static TraceInput ofFile(Path path, Check check) throws IOException {
    String name = path.toString();
    if (Files.isDirectory(path)) {
      return new TraceInput(name, path);
    }
    if (!Files.exists(path)) {
      throw new TraceFormatException(name, -1, "there is no such file", "", "");
    }
    if (!Files.isReadable(path)) {
      throw new TraceFormatException(
          name,
          -1,
          "the file may not be read by this user",
          "",
          "perf.data is often written by root: use sudo chown, or read it as root.");
    }
    if (!Files.isRegularFile(path)) {
      try (InputStream stream = Files.newInputStream(path)) {
        return ofStream(stream, name, check);
      }
    }
    try {
      TraceInput plain =
          new TraceInput(name, FileChannel.open(path, StandardOpenOption.READ), null);
      if (Unpacking.Wrapper.of(plain.head()) == null) {
        return plain;
      }
      plain.close();
      try (InputStream stream = Files.newInputStream(path)) {
        return ofStream(stream, name, check);
      }
    } catch (NoSuchFileException e) {
      throw new TraceFormatException(name, -1, "there is no such file", "", "");
    }
  }

  /**
   * Copies a stream to a temporary file and opens that; the stream is left open. Content that was
   * compressed as a whole is unpacked on the way.
   */
  public static TraceInput ofStream(InputStream stream, String name) throws IOException {
    return ofStream(stream, name, head -> {});
  }

  static TraceInput ofStream(InputStream stream, String name, Check check) throws IOException {
    List<Unpacking> unpackings = new ArrayList<>();
    List<String> tools = new ArrayList<>();
    InputStream content = stream;
    byte[] first = content.readNBytes(Head.LIMIT);
    Head head = new Head(first, first.length);
    for (Unpacking.Wrapper wrapper = Unpacking.Wrapper.of(head);
        wrapper != null && tools.size() < MAX_WRAPPERS;
        wrapper = Unpacking.Wrapper.of(head)) {
      InputStream all = new SequenceInputStream(new ByteArrayInputStream(first), content);
      Unpacking unpacking = Unpacking.of(all, name, wrapper);
      unpackings.add(unpacking);
      tools.add(wrapper.tool);
      content = unpacking;
      first = content.readNBytes(Head.LIMIT);
      head = new Head(first, first.length);
    }
    check.look(head);
    TraceInput input = spool(first, content, name);
    input.wrappers.addAll(tools);
    for (Unpacking unpacking : unpackings) {
      input.damage = input.damage == null ? unpacking.damage() : input.damage;
    }
    return input;
  }

  private static TraceInput spool(byte[] first, InputStream rest, String name) throws IOException {
    Path file = Files.createTempFile("counterbalance-", ".spool");
    // Its name goes at once: a killed program leaves nothing.
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    try {
      write(first, first.length, channel);
      copy(rest, channel);
      return new TraceInput(name, channel, file);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The tools whose compression was around the content, outermost first. */
  public List<String> wrappers() {
    return List.copyOf(wrappers);
  }

  /** What is wrong with the compression around the content, null if nothing is. */
  public String damage() {
    return damage;
  }

  /**
   * A trace that an importer has rewritten into a temporary file.
   *
   * @param name the name the user gave, for messages
   * @param channel the whole of it; closed with the input
   * @param temporary where it is; deleted with the input
   */
  public static TraceInput ofRewritten(String name, FileChannel channel, Path temporary)
      throws IOException {
    return new TraceInput(name, channel, temporary);
  }

  /** The name the user gave, for messages. */
  public String name() {
    return name;
  }

  /** The directory, null if the input is a file or stream. */
  public Path directory() {
    return directory;
  }

  /** Size in bytes when the input was opened. */
  public long size() {
    return size;
  }

  /** True if the input was a stream and is read from a temporary copy. */
  public boolean isSpooled() {
    return temporary != null;
  }

  /**
   * Reads at a position until the buffer part is full or the input ends.
   *
   * @return how many bytes were read; fewer than length only at the end of the input
   * @throws TraceFormatException if the file has become shorter since it was opened
   */
  public int read(long position, byte[] target, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
    long at = position;
    while (channel != null && buffer.hasRemaining() && at < size) {
      int n = channel.read(buffer, at);
      if (n < 0) {
        throw new TraceFormatException(
            name,
            at,
            "the file became shorter while it was read",
            size + " bytes",
            "Is it still being written? Import it again when it is whole.");
      }
      at += n;
    }
    return buffer.position() - offset;
  }

  /** The first bytes. */
  public Head head() throws IOException {
    byte[] bytes = new byte[(int) Math.min(size, Head.LIMIT)];
    read(0, bytes, 0, bytes.length);
    return new Head(bytes, size);
  }

  @Override
  public void close() throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      if (temporary != null) {
        Files.deleteIfExists(temporary);
      }
    }
  }

  private static void copy(InputStream stream, FileChannel channel) throws IOException {
    byte[] bytes = new byte[1 << 20];
    for (int n = stream.read(bytes); n >= 0; n = stream.read(bytes)) {
      write(bytes, n, channel);
    }
  }

  private static void write(byte[] bytes, int length, FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }
}

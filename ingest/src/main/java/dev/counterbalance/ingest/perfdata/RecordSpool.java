package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceInput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A temporary file of plain little-endian records, written once from front to end, then read like a
 * recording. Remembers where in the user's file its parts come from, for messages. Closing deletes
 * it.
 */
final class RecordSpool implements Closeable {
  private static final int BUFFER = 256 << 10;
  private static final int MAX_MARKS = 1 << 18;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
  private long size;

  // From markAt[i] on, a byte comes from markPlace[i], plus its distance if the part was copied.
  private long[] markAt = new long[16];
  private long[] markPlace = new long[16];
  private boolean[] markCopied = new boolean[16];
  private int marks;

  RecordSpool() throws IOException {
    file = Files.createTempFile("counterbalance-", ".records");
    // Its name goes at once: a killed program leaves nothing.
    channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Bytes written so far. */
  long size() {
    return size;
  }

  /**
   * Says where what is written next comes from.
   *
   * @param place offset in the user's file, -1 if it is not to be told
   * @param copied true if the bytes are there as they are here, one for one
   */
  void from(long place, boolean copied) {
    if (marks > 0) {
      long distance = size - markAt[marks - 1];
      boolean goesOn =
          copied == markCopied[marks - 1]
              && place == markPlace[marks - 1] + (copied && place >= 0 ? distance : 0);
      if (goesOn || marks == MAX_MARKS) {
        return;
      }
      if (distance == 0) {
        marks--;
      }
    }
    if (marks == markAt.length) {
      markAt = Arrays.copyOf(markAt, marks * 2);
      markPlace = Arrays.copyOf(markPlace, marks * 2);
      markCopied = Arrays.copyOf(markCopied, marks * 2);
    }
    markAt[marks] = size;
    markPlace[marks] = place;
    markCopied[marks++] = copied;
  }

  /** Where in the user's file the byte at an offset comes from, -1 if that is not known. */
  long place(long offset) {
    int found = Arrays.binarySearch(markAt, 0, marks, offset);
    int mark = found >= 0 ? found : -found - 2;
    if (mark < 0 || markPlace[mark] < 0) {
      return -1;
    }
    return markCopied[mark] ? markPlace[mark] + offset - markAt[mark] : markPlace[mark];
  }

  void write(byte[] bytes, int offset, int length) throws IOException {
    size += length;
    if (length > buffer.remaining()) {
      flush();
    }
    if (length > buffer.remaining()) {
      writeAll(ByteBuffer.wrap(bytes, offset, length));
    } else {
      buffer.put(bytes, offset, length);
    }
  }

  /** The records for reading; nothing may be written any more. Closing it closes the spool. */
  TraceInput input(String name) throws IOException {
    flush();
    return TraceInput.ofRewritten(name, channel, file);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }

  private void flush() throws IOException {
    buffer.flip();
    writeAll(buffer);
    buffer.clear();
  }

  private void writeAll(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}

package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.SectionReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The block that recorders embed to describe the recorded kernel's tracepoints: page header, event
 * formats by system, symbol tables. It has a byte order of its own, which is also that of the
 * events. Reading stops without error where the block is cut; what was read before stays.
 */
public final class TracingData {
  private static final int MAGIC_LENGTH = 10;
  private static final int MAX_FILES = 100_000;
  private static final int MAX_TEXT = 1 << 20;

  private final Map<Integer, EventFormat> byId = new HashMap<>();
  private boolean bigEndian;
  private TraceFormatException cut;
  private String badFormat;
  private int badFormats;
  private boolean fromDirectory;

  /** Formats by the {@code common_type} of their events. */
  public Map<Integer, EventFormat> byId() {
    return byId;
  }

  /** True if the recorded machine is big-endian. */
  public boolean isBigEndian() {
    return bigEndian;
  }

  /** Why reading stopped early, null if the block was whole. */
  public TraceFormatException cut() {
    return cut;
  }

  /** How many event descriptions made no sense and were left out. */
  public int badFormats() {
    return badFormats;
  }

  /** What is wrong with the first of them, null if none. */
  public String badFormat() {
    return badFormat;
  }

  /** The format of an event, null if the block has none. */
  public EventFormat find(String system, String name) {
    for (EventFormat format : byId.values()) {
      if (format.name().equals(name) && format.system().equals(system)) {
        return format;
      }
    }
    return null;
  }

  /** True if what is known comes from {@link #readDirectory}. */
  public boolean isFromDirectory() {
    return fromDirectory;
  }

  /**
   * Reads a copy of the kernel's directory {@code events}, for recordings that lack their formats.
   * A block that is read later replaces all of it.
   *
   * @param events holds {@code SYSTEM/EVENT/format}
   * @param isBigEndian the byte order of the recorded machine, which the texts do not tell
   * @throws TraceFormatException if there is no format in it
   */
  public void readDirectory(Path events, boolean isBigEndian) throws IOException {
    bigEndian = isBigEndian;
    int found = 0;
    for (Path system : children(events)) {
      for (Path event : children(system)) {
        Path file = event.resolve("format");
        if (Files.isRegularFile(file) && Files.isReadable(file) && found++ < MAX_FILES) {
          try (InputStream stream = Files.newInputStream(file)) {
            String text = new String(stream.readNBytes(MAX_TEXT), StandardCharsets.UTF_8);
            add(system.getFileName().toString(), text);
          }
        }
      }
    }
    if (byId.isEmpty()) {
      throw new TraceFormatException(
          events.toString(),
          -1,
          "holds no event formats",
          "a copy of /sys/kernel/tracing/events, with files like sched/sched_switch/format",
          "");
    }
    fromDirectory = true;
  }

  private static List<Path> children(Path directory) throws IOException {
    List<Path> children = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        entries.forEach(children::add);
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    children.sort(Comparator.naturalOrder());
    return children;
  }

  /** Reads a block; its events are added to those known. */
  public void read(SectionReader block) {
    if (fromDirectory) {
      byId.clear();
      fromDirectory = false;
    }
    try {
      readBlock(block);
    } catch (TraceFormatException e) {
      cut = e;
    }
  }

  private void readBlock(SectionReader block) throws TraceFormatException {
    SectionReader start = block.part(Math.min(MAGIC_LENGTH, block.remaining()));
    if (start.remaining() < MAGIC_LENGTH
        || start.u8() != 0x17
        || start.u8() != 0x08
        || start.u8() != 0x44
        || !start.text(7).equals("tracing")) {
      throw start.fail("no event descriptions", "the bytes 17 08 44 \"tracing\"");
    }
    block.terminatedString(); // version
    bigEndian = block.u8() != 0;
    SectionReader in = block.withOrder(bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    in.skip(5); // user-space long size, page size
    in.terminatedString(); // header_page
    in.skip(in.s64());
    in.terminatedString(); // header_event
    in.skip(in.s64());
    for (int left = in.count(8); left > 0; left--) {
      in.skip(in.s64()); // events of ftrace itself are not recorded by perf
    }
    for (int systems = in.count(5); systems > 0; systems--) {
      readSystem(in);
    }
  }

  private void readSystem(SectionReader in) throws TraceFormatException {
    String system = in.terminatedString();
    for (int events = in.count(8); events > 0; events--) {
      add(system, in.text(in.s64()));
    }
  }

  private void add(String system, String text) {
    try {
      EventFormat format = EventFormatParser.parse(system, text, bigEndian);
      byId.put(format.id(), format);
    } catch (IllegalArgumentException e) {
      badFormats++;
      if (badFormat == null) {
        badFormat = system + ": " + e.getMessage();
      }
    }
  }
}

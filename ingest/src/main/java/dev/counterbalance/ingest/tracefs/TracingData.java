package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.SectionReader;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * The block that recorders embed to describe the recorded kernel's tracepoints: page header, event
 * formats by system, symbol tables. It has a byte order of its own, which is also that of the
 * events. Reading stops without error where the block is cut; what was read before stays.
 */
public final class TracingData {
  private static final int MAGIC_LENGTH = 10;

  private final Map<Integer, EventFormat> byId = new HashMap<>();
  private boolean bigEndian;
  private TraceFormatException cut;
  private String badFormat;
  private int badFormats;

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

  /** Reads a block; its events are added to those known. */
  public void read(SectionReader block) {
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
      String text = in.text(in.s64());
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
}

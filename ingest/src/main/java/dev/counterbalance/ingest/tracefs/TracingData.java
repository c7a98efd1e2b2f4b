package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.SectionReader;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The block that recorders embed to describe the recorded kernel's tracepoints: page header, event
 * formats by system, symbol tables. It has a byte order of its own, which is also that of the
 * events. Reading stops without error where the block is cut; what was read before stays.
 */
public final class TracingData {
  private static final int MAGIC_LENGTH = 10;

  private static final Pattern ID =
      Pattern.compile("^\\s*ID:\\s*(\\d{1,5})\\s*$", Pattern.MULTILINE);

  /** A format's text that nobody has asked for yet. */
  private record Unread(String system, String text) {}

  private final Map<Integer, EventFormat> byId = new HashMap<>();
  private final Map<Integer, Unread> unread = new HashMap<>();
  private boolean bigEndian;
  private TraceFormatException cut;
  private String badFormat;
  private int badFormats;
  private boolean fromDirectory;

  /** The format of an event type, read when it is first asked for; null if there is none. */
  public EventFormat format(int id) {
    Unread text = unread.remove(id);
    if (text != null) {
      parse(text.system, text.text);
    }
    return byId.get(id);
  }

  /** True if there are no formats at all. */
  public boolean isEmpty() {
    return byId.isEmpty() && unread.isEmpty();
  }

  /** Says which byte order the events have; comes before the first format is added. */
  public void setBigEndian(boolean bigEndian) {
    this.bigEndian = bigEndian;
  }

  /** Adds a format without looking into it further than for its ID. */
  public void addText(String system, String text) {
    Matcher id = ID.matcher(text);
    if (id.find()) {
      unread.put(Integer.parseInt(id.group(1)), new Unread(system, text));
    } else {
      bad(system, "must have an ID");
    }
  }

  /** Adds the formats of ftrace's own events: a count, then size and text of each. */
  public void addFtrace(SectionReader in) {
    try {
      for (int left = in.count(8); left > 0; left--) {
        addText("ftrace", in.text(in.s64()));
      }
    } catch (TraceFormatException e) {
      cut = e;
    }
  }

  /** Adds the formats of all systems: a count, then name, count and formats of each. */
  public void addSystems(SectionReader in) {
    try {
      for (int systems = in.count(5); systems > 0; systems--) {
        String system = in.terminatedString();
        for (int events = in.count(8); events > 0; events--) {
          addText(system, in.text(in.s64()));
        }
      }
    } catch (TraceFormatException e) {
      cut = e;
    }
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
    String line = "name: " + name + "\n";
    for (Map.Entry<Integer, Unread> entry : unread.entrySet()) {
      if (entry.getValue().system.equals(system) && entry.getValue().text.startsWith(line)) {
        return format(entry.getKey());
      }
    }
    for (EventFormat format : byId.values()) {
      if (format.name().equals(name) && format.system().equals(system)) {
        return format;
      }
    }
    return null;
  }

  /** True if what is known comes from a copy of the kernel's directory {@code events}. */
  public boolean isFromDirectory() {
    return fromDirectory;
  }

  /**
   * Reads a copy of the kernel's directory {@code events}, for recordings that lack their formats.
   * A block that is read later replaces all of it.
   *
   * @param isBigEndian the byte order of the recorded machine, which the texts do not tell
   */
  public void read(FormatsDirectory directory, boolean isBigEndian) throws IOException {
    bigEndian = isBigEndian;
    directory.addTo(this);
    fromDirectory = true;
  }

  /** Reads a block; its events are added to those known. */
  public void read(SectionReader block) {
    if (fromDirectory) {
      byId.clear();
      unread.clear();
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
      parse(system, in.text(in.s64()));
    }
  }

  private void parse(String system, String text) {
    try {
      EventFormat format = EventFormatParser.parse(system, text, bigEndian);
      byId.put(format.id(), format);
    } catch (IllegalArgumentException e) {
      bad(system, e.getMessage());
    }
  }

  private void bad(String system, String why) {
    badFormats++;
    if (badFormat == null) {
      badFormat = system + ": " + why;
    }
  }
}

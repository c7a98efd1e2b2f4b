package dev.counterbalance.ingest;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;

/** Builds a trace.dat of our own making. */
public final class TraceDatBuilder {
  private static final int CHUNK_PAGES = 2;

  public final boolean bigEndian;
  public final int longSize;
  public final int pageSize;
  private final int version;
  private final String compression;
  private final Map<String, List<String>> systems = new LinkedHashMap<>();
  private final List<OrderedBytes> options = new ArrayList<>();
  private final Map<String, Map<Integer, byte[]>> buffers = new LinkedHashMap<>();
  private String headerEvent = "\ttype_len    :    5 bits\n";
  private String tag = "flyrecord";
  private String clock = "local";
  private String commandLines = "7 seven\n9 <...>\n0 <idle>\n";
  private int cpus;

  public TraceDatBuilder(int version, String compression, boolean bigEndian, int longSize) {
    this(version, compression, bigEndian, longSize, 4096);
  }

  public TraceDatBuilder(
      int version, String compression, boolean bigEndian, int longSize, int pageSize) {
    this.version = version;
    this.compression = compression;
    this.bigEndian = bigEndian;
    this.longSize = longSize;
    this.pageSize = pageSize;
  }

  public static TraceDatBuilder v6() {
    return new TraceDatBuilder(6, "none", false, 8).schedFormats();
  }

  public static TraceDatBuilder v7(String compression) {
    return new TraceDatBuilder(7, compression, false, 8).schedFormats();
  }

  public TraceDatBuilder schedFormats() {
    return format("sched", EventTexts.SWITCH)
        .format("sched", EventTexts.WAKING)
        .format("sched", EventTexts.RUNTIME)
        .format("sched", EventTexts.OTHER);
  }

  public TraceDatBuilder format(String system, String text) {
    systems.computeIfAbsent(system, key -> new ArrayList<>()).add(text);
    return this;
  }

  public TraceDatBuilder headerEvent(String text) {
    headerEvent = text;
    return this;
  }

  public TraceDatBuilder tag(String text) {
    tag = text;
    return this;
  }

  /** The clock of the buffers; as an option, in brackets as tracefs has it. */
  public TraceDatBuilder clock(String name) {
    clock = name;
    return option(4, "global [" + name + "] perf\n");
  }

  public TraceDatBuilder commandLines(String text) {
    commandLines = text;
    return this;
  }

  public TraceDatBuilder option(int id, String text) {
    return option(id, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public TraceDatBuilder option(int id, byte[] data) {
    options.add(bytes().u16(id).u32(data.length).bytes(data));
    return this;
  }

  public OrderedBytes bytes() {
    return new OrderedBytes(bigEndian);
  }

  public RingBuilder ring() {
    return new RingBuilder(bigEndian, longSize, pageSize);
  }

  /** How many CPUs the file says there are; those without pages are silent. */
  public TraceDatBuilder cpus(int count) {
    cpus = count;
    return this;
  }

  public TraceDatBuilder cpu(int cpu, RingBuilder pages) {
    return cpu("", cpu, pages);
  }

  /** Pages of an instance's buffer. */
  public TraceDatBuilder cpu(String instance, int cpu, RingBuilder pages) {
    buffers.computeIfAbsent(instance, key -> new LinkedHashMap<>()).put(cpu, pages.toBytes());
    cpus = Math.max(cpus, cpu + 1);
    return this;
  }

  public byte[] switchEvent(int prevTid, long prevState, int nextTid) {
    return start(EventTexts.SWITCH_ID, prevTid)
        .text("task" + prevTid, 16)
        .u32(prevTid)
        .u32(120)
        .u64(prevState)
        .text("task" + nextTid, 16)
        .u32(nextTid)
        .u32(120)
        .toBytes();
  }

  public byte[] waking(int tid, int wokenTid, int targetCpu) {
    return start(EventTexts.WAKING_ID, tid)
        .text("woken", 16)
        .u32(wokenTid)
        .u32(120)
        .u32(1)
        .u32(targetCpu)
        .toBytes();
  }

  public byte[] runtime(int tid, String comm, long ns) {
    int locator = ((comm.length() + 1) << 16) | 24;
    return start(EventTexts.RUNTIME_ID, tid)
        .u32(locator)
        .u32(tid)
        .u64(ns)
        .terminated(comm)
        .toBytes();
  }

  private OrderedBytes start(int id, int tid) {
    return bytes().u16(id).u8(0).u8(0).u32(tid);
  }

  public byte[] file() {
    OrderedBytes file =
        bytes()
            .u8(0x17)
            .u8(8)
            .text("Dtracing")
            .terminated(Integer.toString(version))
            .u8(bigEndian ? 1 : 0)
            .u8(longSize)
            .u32(pageSize);
    return version == 6 ? version6(file) : version7(file);
  }

  private byte[] headerInfo() {
    String page =
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
            + "\tfield: local_t commit;\toffset:8;\tsize:"
            + longSize
            + ";\tsigned:1;\n\tfield: char data;\toffset:"
            + (8 + longSize)
            + ";\tsize:"
            + (pageSize - 8 - longSize)
            + ";\tsigned:1;\n";
    return bytes()
        .terminated("header_page")
        .u64(page.length())
        .text(page)
        .terminated("header_event")
        .u64(headerEvent.length())
        .text(headerEvent)
        .toBytes();
  }

  private byte[] ftraceFormats() {
    String text = EventTexts.format("print", 5, EventTexts.field("unsigned long ip", 8, 8), "\"\"");
    return bytes().u32(1).u64(text.length()).text(text).toBytes();
  }

  private byte[] eventFormats() {
    OrderedBytes formats = bytes().u32(systems.size());
    systems.forEach(
        (system, texts) -> {
          formats.terminated(system).u32(texts.size());
          texts.forEach(text -> formats.u64(text.length()).text(text));
        });
    return formats.toBytes();
  }

  private byte[] names() {
    return bytes().u64(commandLines.length()).text(commandLines).toBytes();
  }

  private byte[] version6(OrderedBytes file) {
    file.bytes(headerInfo()).bytes(ftraceFormats()).bytes(eventFormats());
    file.u32(3).text("sym").u32(0).bytes(names()).u32(cpus);
    file.text(tag.equals("flyrecord") ? "options  " : tag).u8(0);
    options.forEach(option -> file.bytes(option.toBytes()));
    // Sizes are known before places: the options of instances, the tables, then the pages.
    int at = file.size();
    List<String> instances = new ArrayList<>(buffers.keySet());
    instances.remove("");
    for (String instance : instances) {
      at += 6 + 8 + instance.length() + 1;
    }
    at += 2;
    int table = 10 + 16 * cpus;
    int data = (at + table * (1 + instances.size()) + pageSize - 1) / pageSize * pageSize;
    int next = at + table;
    for (String instance : instances) {
      file.u16(3).u32(8 + instance.length() + 1).u64(next).terminated(instance);
      next += table;
    }
    file.u16(0);
    instances.add(0, "");
    ByteArrayOutputStream pages = new ByteArrayOutputStream();
    for (String name : instances) {
      file.terminated("flyrecord");
      for (int cpu = 0; cpu < cpus; cpu++) {
        byte[] cpuPages = buffers.getOrDefault(name, Map.of()).getOrDefault(cpu, new byte[0]);
        file.u64(data + pages.size()).u64(cpuPages.length);
        pages.writeBytes(cpuPages);
      }
    }
    return file.zeros(data - file.size()).bytes(pages.toByteArray()).toBytes();
  }

  private byte[] version7(OrderedBytes file) {
    file.terminated(compression).terminated("1");
    int pointer = file.size();
    file.u64(0);
    OrderedBytes first = bytes();
    section(file, first, 16, headerInfo());
    section(file, first, 17, ftraceFormats());
    section(file, first, 18, eventFormats());
    section(file, first, 21, names());
    first.u16(8).u32(4).u32(cpus);
    options.forEach(option -> first.bytes(option.toBytes()));
    List<OrderedBytes> told = new ArrayList<>();
    buffers.forEach((name, ofCpu) -> told.add(buffer(file, name, ofCpu)));
    int firstAt = file.size();
    int size = first.size() + 14;
    int secondAt = firstAt + 16 + size;
    first.u16(0).u32(8).u64(secondAt);
    file.u16(0).u16(0).u32(0).u64(size).bytes(first.toBytes());
    OrderedBytes second = bytes();
    told.forEach(option -> second.u16(3).u32(option.size()).bytes(option.toBytes()));
    second.u16(0).u32(8).u64(0);
    file.u16(0).u16(0).u32(0).u64(second.size()).bytes(second.toBytes());
    byte[] all = file.toBytes();
    System.arraycopy(bytes().u64(firstAt).toBytes(), 0, all, pointer, 8);
    return all;
  }

  private void section(OrderedBytes file, OrderedBytes named, int id, byte[] body) {
    named.u16(id).u32(8).u64(file.size());
    boolean compressed = !compression.equals("none");
    file.u16(id).u16(compressed ? 1 : 0).u32(0);
    if (compressed) {
      byte[] packed = pack(body);
      file.u64(packed.length + 8).u32(packed.length).u32(body.length).bytes(packed);
    } else {
      file.u64(body.length).bytes(body);
    }
  }

  private OrderedBytes buffer(OrderedBytes file, String name, Map<Integer, byte[]> ofCpu) {
    boolean compressed = !compression.equals("none");
    OrderedBytes option =
        bytes().u64(file.size()).terminated(name).terminated(clock).u32(pageSize).u32(ofCpu.size());
    file.u16(3).u16(compressed ? 1 : 0).u32(0).u64(0);
    ofCpu.forEach(
        (cpu, pages) -> {
          byte[] data = compressed ? chunks(pages) : pages;
          option.u32(cpu).u64(file.size()).u64(data.length);
          file.bytes(data);
        });
    return option;
  }

  private byte[] chunks(byte[] pages) {
    int step = CHUNK_PAGES * pageSize - 100; // pages may straddle chunks
    OrderedBytes chunks = bytes().u32((pages.length + step - 1) / step);
    for (int at = 0; at < pages.length; at += step) {
      byte[] part = java.util.Arrays.copyOfRange(pages, at, Math.min(at + step, pages.length));
      byte[] packed = pack(part);
      chunks.u32(packed.length).u32(part.length).bytes(packed);
    }
    return chunks.toBytes();
  }

  private byte[] pack(byte[] body) {
    if (compression.equals("zstd")) {
      return Zstd.compress(body);
    }
    Deflater deflater = new Deflater();
    deflater.setInput(body);
    deflater.finish();
    byte[] packed = new byte[body.length + 64];
    int n = deflater.deflate(packed);
    deflater.end();
    return java.util.Arrays.copyOf(packed, n);
  }
}

package dev.counterbalance.ingest;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds perf.data bytes record by record, as file or as pipe. */
public final class PerfDataBuilder {
  public static final long IP = 1;
  public static final long TID = 2;
  public static final long TIME = 4;
  public static final long READ = 16;
  public static final long CALLCHAIN = 32;
  public static final long ID = 64;
  public static final long CPU = 128;
  public static final long PERIOD = 256;
  public static final long STREAM_ID = 512;
  public static final long RAW = 1024;
  public static final long IDENTIFIER = 1 << 16;

  public static final long USUAL = IDENTIFIER | IP | TID | TIME | CPU | PERIOD | RAW;
  private static final long SAMPLE_ID_ALL = 1 << 18;

  private record Event(String system, String format, int type, long config) {}

  private final List<Event> events = new ArrayList<>();
  private LeBytes data = new LeBytes();
  private final Map<Integer, byte[]> features = new LinkedHashMap<>();
  private long sampleType = USUAL;
  private long readFormat;
  private long flags = SAMPLE_ID_ALL;
  private int attrSize = 136;
  private int cpus = 2;
  private int clockId;
  private boolean bigEndian;
  private boolean bigPayload;
  private boolean halfWords;
  private boolean formats = true;
  private boolean attrsLast;
  private String magic = "PERFILE2";
  private int headerSize = 104;
  private final ByteArrayOutputStream zstd = new ByteArrayOutputStream();
  private ZstdOutputStream stream;

  private LeBytes bytes() {
    return new LeBytes(bigEndian);
  }

  /** A big-endian writer; to be called first. The raw events stay as they are given. */
  public PerfDataBuilder bigEndian() {
    bigEndian = true;
    magic = "2ELIFREP";
    data = bytes();
    return this;
  }

  /** The event formats say that raw events are big-endian. */
  public PerfDataBuilder bigPayload() {
    bigPayload = true;
    return this;
  }

  /** The feature bitmap as a 32-bit big-endian writer stores it. */
  public PerfDataBuilder halfWords() {
    halfWords = true;
    return this;
  }

  /** The event descriptions behind everything else, as some modes of perf inject write them. */
  public PerfDataBuilder attrsLast() {
    attrsLast = true;
    return this;
  }

  public PerfDataBuilder withoutFormats() {
    formats = false;
    return this;
  }

  public PerfDataBuilder magic(String text) {
    magic = text;
    return this;
  }

  /** A header without features. */
  public PerfDataBuilder oldHeader() {
    headerSize = 72;
    return this;
  }

  /** The records so far. */
  public byte[] records() {
    return data.toBytes();
  }

  /**
   * Replaces the records so far by compressed ones, or adds such behind those compressed before.
   *
   * @param from where in the records to begin
   * @param chunk how many bytes each holds before compression
   * @param type 81 or 83
   */
  public PerfDataBuilder compress(int from, int chunk, int type) {
    byte[] plain = records();
    data = bytes().bytes(java.util.Arrays.copyOf(plain, from));
    for (int at = from; at < plain.length; at += chunk) {
      compressed(java.util.Arrays.copyOfRange(plain, at, Math.min(plain.length, at + chunk)), type);
    }
    return this;
  }

  /** One compressed record: the stream is flushed, not ended. */
  public PerfDataBuilder compressed(byte[] plain, int type) {
    try {
      if (stream == null) {
        stream = new ZstdOutputStream(zstd).setCloseFrameOnFlush(false);
      }
      stream.write(plain);
      stream.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] payload = zstd.toByteArray();
    zstd.reset();
    LeBytes body = bytes();
    return type == 81
        ? record(type, 0, payload)
        : record(type, 0, body.u64(payload.length).bytes(payload).pad(8).toBytes());
  }

  /** The attr's size; 0 is written as 0 and takes 64 bytes. */
  public PerfDataBuilder attrSize(int size) {
    attrSize = size;
    return this;
  }

  public PerfDataBuilder sampleType(long type) {
    sampleType = type;
    return this;
  }

  public PerfDataBuilder readFormat(long format) {
    readFormat = format;
    return this;
  }

  public PerfDataBuilder flag(int bit) {
    flags |= 1L << bit;
    return this;
  }

  public PerfDataBuilder withoutTrailers() {
    flags &= ~SAMPLE_ID_ALL;
    return this;
  }

  public PerfDataBuilder clock(int id) {
    clockId = id;
    return flag(25);
  }

  public PerfDataBuilder cpus(int count) {
    cpus = count;
    return this;
  }

  public PerfDataBuilder event(String system, String format, int id) {
    events.add(new Event(system, format, 2, id));
    return this;
  }

  public PerfDataBuilder hardwareEvent() {
    events.add(new Event(null, null, 0, 0));
    return this;
  }

  public PerfDataBuilder feature(int bit, byte[] payload) {
    features.put(bit, payload);
    return this;
  }

  /** Id of an event on a CPU. */
  public long id(int event, int cpu) {
    return 100 + (long) event * cpus + cpu;
  }

  private boolean has(long bit) {
    return (sampleType & bit) != 0;
  }

  public PerfDataBuilder record(int type, int misc, byte[] body) {
    data.u32(type).u16(misc).u16(8 + body.length).bytes(body);
    return this;
  }

  /** Bytes outside records. */
  public PerfDataBuilder loose(byte[] bytes) {
    data.bytes(bytes);
    return this;
  }

  public PerfDataBuilder sample(int event, int cpu, int tid, long timeNs, byte[] raw) {
    return sampleWithId(id(event, cpu), cpu, tid, timeNs, new byte[0], raw);
  }

  /** A sample with bytes between its fixed fields and its raw data. */
  public PerfDataBuilder sampleWithId(
      long id, int cpu, int tid, long timeNs, byte[] variable, byte[] raw) {
    LeBytes body = bytes();
    put(body, IDENTIFIER, id);
    put(body, IP, 0xffffffff80000000L);
    put(body, TID, ((long) tid << 32) | (tid & 0xffffffffL));
    put(body, TIME, timeNs);
    put(body, ID, id);
    put(body, STREAM_ID, id);
    putCpu(body, cpu);
    put(body, PERIOD, 1);
    body.bytes(variable);
    if (has(RAW)) {
      int size = (raw.length + 4 + 7) / 8 * 8 - 4;
      body.u32(size).bytes(raw).zeros(size - raw.length);
    }
    return record(9, 0, body.toBytes());
  }

  private void put(LeBytes body, long bit, long value) {
    if (has(bit)) {
      body.u64(value);
    }
  }

  private void putCpu(LeBytes body, int cpu) {
    if (has(CPU)) {
      body.u32(cpu).u32(0);
    }
  }

  private byte[] withTrailer(LeBytes body, long id, int cpu, int tid, long timeNs) {
    if ((flags & SAMPLE_ID_ALL) != 0) {
      put(body, TID, ((long) tid << 32) | (tid & 0xffffffffL));
      put(body, TIME, timeNs);
      put(body, ID, id);
      put(body, STREAM_ID, id);
      putCpu(body, cpu);
      put(body, IDENTIFIER, id);
    }
    return body.toBytes();
  }

  public PerfDataBuilder lost(int cpu, int tid, long timeNs, long count) {
    LeBytes body = bytes().u64(id(0, cpu)).u64(count);
    return record(2, 0, withTrailer(body, id(0, cpu), cpu, tid, timeNs));
  }

  public PerfDataBuilder lostSamples(int event, int cpu, long count) {
    return record(13, 0, withTrailer(bytes().u64(count), id(event, cpu), 0, 0, 0));
  }

  public PerfDataBuilder comm(int cpu, int tid, long timeNs, String comm, boolean exec) {
    LeBytes body = bytes().u32(tid).u32(tid).text(comm).u8(0).pad(8);
    long id = timeNs == 0 ? 0 : id(0, cpu);
    return record(3, exec ? 1 << 13 : 0, withTrailer(body, id, cpu, tid, timeNs));
  }

  public PerfDataBuilder fork(int cpu, int tid, int parent, long timeNs) {
    LeBytes body = bytes().u32(tid).u32(parent).u32(tid).u32(parent).u64(timeNs);
    return record(7, 0, withTrailer(body, id(0, cpu), cpu, parent, timeNs));
  }

  public PerfDataBuilder exit(int cpu, int tid, long timeNs) {
    LeBytes body = bytes().u32(tid).u32(1).u32(tid).u32(1).u64(timeNs);
    return record(4, 0, withTrailer(body, id(0, cpu), cpu, tid, timeNs));
  }

  /** SWITCH_CPU_WIDE; misc 0 for in, 0x2000 for out, 0x6000 for out while runnable. */
  public PerfDataBuilder switchCpuWide(int cpu, int tid, int misc, int other, long timeNs) {
    LeBytes body = bytes().u32(other).u32(other);
    return record(15, misc, withTrailer(body, id(0, cpu), cpu, tid, timeNs));
  }

  /** SWITCH, as recordings of single tasks have it. */
  public PerfDataBuilder switchOfTask(int cpu, int tid, int misc, long timeNs) {
    return record(14, misc, withTrailer(bytes(), id(0, cpu), cpu, tid, timeNs));
  }

  /** ID_INDEX over all events and CPUs. */
  public PerfDataBuilder idIndex(long tid) {
    LeBytes body = bytes().u64((long) events.size() * cpus);
    for (int event = 0; event < events.size(); event++) {
      for (int cpu = 0; cpu < cpus; cpu++) {
        body.u64(id(event, cpu)).u64(cpu).u64(cpu).u64(tid);
      }
    }
    return record(69, 0, body.toBytes());
  }

  private LeBytes attr(Event event) {
    LeBytes full = bytes().u32(event.type).u32(attrSize).u64(event.config).u64(1);
    full.u64(sampleType)
        .u64(readFormat)
        .u64(bigEndian ? Long.reverse(flags) : flags)
        .zeros(92 - 48)
        .u32(clockId);
    int size = attrSize == 0 ? 64 : attrSize;
    full.zeros(Math.max(0, size - full.size()));
    LeBytes cut = bytes();
    return cut.bytes(java.util.Arrays.copyOf(full.toBytes(), size));
  }

  /** The block of event formats. */
  public byte[] tracingData() {
    LeBytes block = new LeBytes(bigPayload);
    block
        .u8(0x17)
        .u8(8)
        .u8(0x44)
        .text("tracing")
        .text("0.6")
        .u8(0)
        .u8(bigPayload ? 1 : 0)
        .u8(8)
        .u32(4096);
    block.text("header_page").u8(0).u64(2).text("x\n");
    block.text("header_event").u8(0).u64(2).text("y\n");
    Map<String, List<String>> systems = new LinkedHashMap<>();
    for (Event event : events) {
      if (event.format != null) {
        systems.computeIfAbsent(event.system, name -> new ArrayList<>()).add(event.format);
      }
    }
    block.u32(0).u32(systems.size());
    for (Map.Entry<String, List<String>> system : systems.entrySet()) {
      block.text(system.getKey()).u8(0).u32(system.getValue().size());
      for (String format : system.getValue()) {
        block.u64(format.length()).text(format);
      }
    }
    return block.u32(0).u32(0).u64(0).toBytes();
  }

  /** The recording as a file. */
  public byte[] file() {
    Map<Integer, byte[]> all = new java.util.TreeMap<>(features);
    if (formats) {
      all.putIfAbsent(1, tracingData());
    }
    int attrEntry = (attrSize == 0 ? 64 : attrSize) + 16;
    int idBytes = 8 * cpus * events.size();
    int dataAt = headerSize + (attrsLast ? 0 : idBytes + attrEntry * events.size());
    int payloads = all.values().stream().mapToInt(payload -> payload.length).sum();
    int idsAt = attrsLast ? dataAt + data.size() + 16 * all.size() + payloads : headerSize;
    LeBytes described = bytes();
    for (int event = 0; event < events.size(); event++) {
      for (int cpu = 0; cpu < cpus; cpu++) {
        described.u64(id(event, cpu));
      }
    }
    for (int event = 0; event < events.size(); event++) {
      described.bytes(attr(events.get(event)).toBytes());
      described.u64(idsAt + 8L * cpus * event).u64(8L * cpus);
    }
    LeBytes file = bytes().text(magic).u64(headerSize).u64(attrEntry);
    file.u64(idsAt + idBytes).u64((long) attrEntry * events.size());
    file.u64(dataAt).u64(data.size()).zeros(16);
    long[] bits = new long[4];
    all.keySet().forEach(bit -> bits[bit / 64] |= 1L << (bit % 64));
    for (long word : headerSize == 104 ? bits : new long[0]) {
      file.u64(halfWords ? Long.rotateLeft(word, 32) : word);
    }
    if (!attrsLast) {
      file.bytes(described.toBytes());
    }
    file.bytes(data.toBytes());
    int payloadAt = file.size() + 16 * all.size();
    for (byte[] payload : all.values()) {
      file.u64(payloadAt).u64(payload.length);
      payloadAt += payload.length;
    }
    all.values().forEach(file::bytes);
    if (attrsLast) {
      file.bytes(described.toBytes());
    }
    return file.toBytes();
  }

  /** The recording as a pipe. */
  public byte[] pipe() {
    PerfDataBuilder head = new PerfDataBuilder();
    if (bigEndian) {
      head.bigEndian();
    }
    for (int event = 0; event < events.size(); event++) {
      LeBytes body = attr(events.get(event));
      for (int cpu = 0; cpu < cpus; cpu++) {
        body.u64(id(event, cpu));
      }
      head.record(64, 0, body.toBytes());
    }
    features.forEach(
        (bit, payload) -> head.record(80, 0, bytes().u64(bit).bytes(payload).toBytes()));
    if (formats) {
      LeBytes block = bytes().bytes(tracingData()).pad(8);
      head.record(66, 0, bytes().u32(block.size()).toBytes());
      head.loose(block.toBytes());
    }
    LeBytes pipe = bytes().text(magic).u64(16);
    return pipe.bytes(head.data.toBytes()).bytes(data.toBytes()).toBytes();
  }
}

package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.SectionReader;

/**
 * Reads the records by which perf describes a recording within its data: in a pipe everything, in a
 * file the CPUs.
 */
final class MetaRecords {
  private static final int UPDATE_NAME = 2;

  private final Recording recording;
  private final FeatureReader features;

  MetaRecords(Recording recording, FeatureReader features) {
    this.recording = recording;
    this.features = features;
  }

  /** True if the type is one this reads. */
  static boolean isMeta(int type) {
    return type == RecordType.HEADER_ATTR
        || type == RecordType.EVENT_UPDATE
        || type == RecordType.HEADER_FEATURE
        || type == RecordType.ID_INDEX
        || type == RecordType.CPU_MAP;
  }

  /**
   * Reads one record; one that makes no sense is counted and skipped.
   *
   * @param body the record after its 8 bytes of header
   */
  void read(int type, SectionReader body) throws TraceFormatException {
    long offset = body.offset() - 8;
    try {
      switch (type) {
        case RecordType.HEADER_ATTR -> {
          attr(body);
        }
        case RecordType.EVENT_UPDATE -> {
          eventUpdate(body);
        }
        case RecordType.HEADER_FEATURE -> {
          feature(body);
        }
        case RecordType.ID_INDEX -> {
          idIndex(body);
        }
        case RecordType.CPU_MAP -> {
          cpuMap(body);
        }
        default -> {}
      }
    } catch (TraceFormatException e) {
      recording.problems.damage(
          "bad_header_record", offset, -1, e.found() + ", expected " + e.expected(), "");
    }
  }

  private void attr(SectionReader body) throws TraceFormatException {
    SectionReader peek = body.withOrder(body.order());
    peek.skip(4);
    long told = peek.u32();
    Attr attr = new Attr(body.part(told == 0 ? 64 : told));
    attr.ids = new long[body.remaining() / 8];
    for (int i = 0; i < attr.ids.length; i++) {
      attr.ids[i] = body.s64();
    }
    recording.addAttr(attr);
  }

  private void eventUpdate(SectionReader body) throws TraceFormatException {
    long what = body.s64();
    long id = body.s64();
    if (what == UPDATE_NAME) {
      recording.nameId(id, body.text(body.remaining()));
    }
  }

  private void feature(SectionReader body) throws TraceFormatException {
    long bit = body.s64();
    // An empty one is the pipe's end mark: its bit is the first that this perf does not know.
    if (bit >= 0 && bit < 256 && body.remaining() > 0) {
      features.read((int) bit, body);
    }
  }

  private void idIndex(SectionReader body) throws TraceFormatException {
    for (int left = body.longCount(32); left > 0; left--) {
      long id = body.s64();
      body.s64(); // number of the ring
      long cpu = body.s64();
      recording.perTask |= body.s64() != -1;
      if (cpu >= 0 && cpu < Recording.MAX_CPUS) {
        recording.openedCpus.set((int) cpu);
        recording.cpuOfId.put(id, (int) cpu);
      }
    }
  }

  /** CPU_MAP in its three shapes: a list, a mask, a range. Only used without an ID_INDEX. */
  private void cpuMap(SectionReader body) throws TraceFormatException {
    if (!recording.openedCpus.isEmpty()) {
      return;
    }
    int shape = body.u16();
    if (shape == 0) {
      for (int left = body.u16(); left > 0; left--) {
        open(body.u16());
      }
    } else if (shape == 1) {
      int words = body.u16();
      int wordSize = body.u16();
      if (wordSize == 8) {
        body.skip(4);
      }
      int bitsEach = wordSize == 8 ? 64 : 32;
      for (int bit = 0; bit < words * bitsEach && bit < Recording.MAX_CPUS; bit += bitsEach) {
        long bits = wordSize == 8 ? body.s64() : body.u32();
        for (int i = 0; i < bitsEach; i++) {
          if ((bits >>> i & 1) != 0) {
            open(bit + i);
          }
        }
      }
    } else if (shape == 2) {
      body.skip(2); // any CPU, padding
      int first = body.u16();
      int last = body.u16();
      for (int cpu = first; cpu <= last; cpu++) {
        open(cpu);
      }
    }
  }

  private void open(int cpu) {
    if (cpu < Recording.MAX_CPUS - 1) {
      recording.openedCpus.set(cpu);
    }
  }
}

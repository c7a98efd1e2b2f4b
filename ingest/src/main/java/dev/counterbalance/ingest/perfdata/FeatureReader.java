package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.SectionReader;
import dev.counterbalance.trace.event.TraceInfo;

/**
 * Reads the payload of one header feature into the {@link Recording}. The same payloads are
 * sections of a file and records of a pipe.
 */
final class FeatureReader {
  private static final int MAX_FACT = 4096;

  private final Recording recording;
  private final TraceInfo info;
  private final TopologyReader topology;

  FeatureReader(Recording recording) {
    this.recording = recording;
    this.info = recording.info;
    this.topology = new TopologyReader(recording.info);
  }

  /** Reads a payload; features without use here are left alone. */
  void read(int bit, SectionReader in) throws TraceFormatException {
    switch (bit) {
      case Feature.TRACING_DATA -> {
        recording.formats.read(in);
        recording.formatsChanged();
      }
      case Feature.HOSTNAME -> {
        info.hostname = in.paddedString();
      }
      case Feature.OSRELEASE -> {
        info.osRelease = in.paddedString();
        recording.changed();
      }
      case Feature.VERSION -> {
        info.facts.put("perf_version", in.paddedString());
      }
      case Feature.ARCH -> {
        info.arch = in.paddedString();
      }
      case Feature.CPUDESC -> {
        info.facts.put("cpudesc", in.paddedString());
      }
      case Feature.CPUID -> {
        info.facts.put("cpuid", in.paddedString());
      }
      case Feature.TOTAL_MEM -> {
        info.facts.put("total_mem_kb", Long.toUnsignedString(in.s64()));
      }
      case Feature.CMDLINE -> {
        info.cmdline = cmdline(in);
      }
      case Feature.EVENT_DESC -> {
        eventDescriptions(in);
      }
      default -> {
        readClockOrTopology(bit, in);
      }
    }
  }

  private void readClockOrTopology(int bit, SectionReader in) throws TraceFormatException {
    switch (bit) {
      case Feature.NRCPUS -> {
        topology.cpuCounts(in);
      }
      case Feature.CPU_TOPOLOGY -> {
        topology.cpus(in);
      }
      case Feature.NUMA_TOPOLOGY -> {
        topology.nodes(in);
      }
      case Feature.CACHE -> {
        topology.caches(in);
      }
      case Feature.HYBRID_TOPOLOGY -> {
        topology.hybrid(in);
      }
      case Feature.CPU_DOMAIN_INFO -> {
        topology.domains(in);
      }
      case Feature.SAMPLE_TIME -> {
        info.facts.put("sample_time_ns", in.s64() + "-" + in.s64());
      }
      case Feature.CLOCKID -> {
        info.facts.put("clock_resolution_ns", Long.toUnsignedString(in.s64()));
      }
      case Feature.CLOCK_DATA -> {
        in.skip(8); // version, clock id
        recording.clockWallNs = in.s64();
        recording.clockTraceNs = in.s64();
      }
      default -> {}
    }
  }

  private static String cmdline(SectionReader in) throws TraceFormatException {
    StringBuilder line = new StringBuilder();
    for (int left = in.count(4); left > 0; left--) {
      String argument = in.paddedString();
      if (line.length() < MAX_FACT) {
        line.append(line.length() == 0 ? "" : " ").append(argument);
      }
    }
    return line.toString();
  }

  private void eventDescriptions(SectionReader in) throws TraceFormatException {
    int events = in.count(12);
    long attrSize = in.u32();
    for (int i = 0; i < events; i++) {
      in.skip(attrSize);
      long ids = in.u32();
      String name = in.paddedString();
      for (long left = ids; left > 0; left--) {
        recording.nameId(in.s64(), name);
      }
      if (i < recording.attrs.size() && recording.attrs.get(i).name == null) {
        recording.attrs.get(i).name = name;
      }
    }
  }
}

package dev.counterbalance.ingest.perfdata;

/** Bits of the header's feature bitmap that are read. */
final class Feature {
  static final int TRACING_DATA = 1;
  static final int HOSTNAME = 3;
  static final int OSRELEASE = 4;
  static final int VERSION = 5;
  static final int ARCH = 6;
  static final int NRCPUS = 7;
  static final int CPUDESC = 8;
  static final int CPUID = 9;
  static final int TOTAL_MEM = 10;
  static final int CMDLINE = 11;
  static final int EVENT_DESC = 12;
  static final int CPU_TOPOLOGY = 13;
  static final int NUMA_TOPOLOGY = 14;
  static final int CACHE = 20;
  static final int SAMPLE_TIME = 21;
  static final int CLOCKID = 23;
  static final int DIR_FORMAT = 24;
  static final int COMPRESSED = 27;
  static final int CLOCK_DATA = 29;
  static final int HYBRID_TOPOLOGY = 30;
  static final int CPU_DOMAIN_INFO = 32;

  private Feature() {}
}

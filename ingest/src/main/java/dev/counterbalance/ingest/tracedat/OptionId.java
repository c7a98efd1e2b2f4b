package dev.counterbalance.ingest.tracedat;

/** Numbers of the options in a trace.dat. In version 7 many of them name a section. */
final class OptionId {
  static final int DONE = 0;
  static final int DATE = 1;
  static final int CPUSTAT = 2;
  static final int BUFFER = 3;
  static final int TRACECLOCK = 4;
  static final int UNAME = 5;
  static final int OFFSET = 7;
  static final int CPUCOUNT = 8;
  static final int VERSION = 9;
  static final int TRACEID = 11;
  static final int TIME_SHIFT = 12;
  static final int GUEST = 13;
  static final int TSC2NSEC = 14;
  static final int HEADER_INFO = 16;
  static final int FTRACE_EVENTS = 17;
  static final int EVENT_FORMATS = 18;
  static final int CMDLINES = 21;
  static final int BUFFER_TEXT = 22;
  static final int LAST_BOOT_INFO = 24;
  static final int HIGHEST = 25;

  private OptionId() {}
}

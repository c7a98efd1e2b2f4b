package dev.counterbalance.ingest;

import dev.counterbalance.trace.task.Names;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;

/** Decodes a file to a counting sink a few times: {@code DecodeBench FILE [TIMES]}. */
public final class DecodeBench {
  private DecodeBench() {}

  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    int times = args.length > 1 ? Integer.parseInt(args[1]) : 8;
    for (int i = 0; i < times; i++) {
      long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      long userBefore = ManagementFactory.getThreadMXBean().getCurrentThreadUserTime();
      long before = System.nanoTime();
      CountingSink sink = new CountingSink();
      long size;
      try (TraceInput in = Importers.open(args[0])) {
        size = in.size();
        Importers.load().read(in, ImportOptions.of(new Names()), sink);
      }
      double wall = (System.nanoTime() - before) / 1e9;
      double cpu =
          (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore) / 1e9;
      double user =
          (ManagementFactory.getThreadMXBean().getCurrentThreadUserTime() - userBefore) / 1e9;
      out.printf(
          "%d events, %.1f MB: wall %.3f s = %.2f M events/s, cpu %.3f s (user %.2f) = %.2f M events/CPU-s%n",
          sink.events,
          size / 1e6,
          wall,
          sink.events / wall / 1e6,
          cpu,
          user,
          sink.events / cpu / 1e6);
    }
  }
}

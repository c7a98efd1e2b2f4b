package dev.counterbalance.trace.build;

import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.trace.store.TraceStore;
import dev.counterbalance.trace.task.Names;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Times events to store without a decoder: {@code BuildBench STORE EVENTS}. Not a test. */
public final class BuildBench {
  private BuildBench() {}

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    long wanted = Long.parseLong(args[1]);
    Files.deleteIfExists(file);
    long wall = System.nanoTime();
    var os =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = os.getProcessCpuTime();
    Names names = new Names();
    try (TraceStore store = TraceStore.create(file)) {
      try (TraceImport trace = store.beginImport("bench", false)) {
        TraceBuilder builder = new TraceBuilder(trace, "bench", names);
        feed(builder, names, wanted);
        trace.commit();
      }
      store.publish();
    }
    double seconds = (System.nanoTime() - wall) / 1e9;
    double cpuSeconds = (os.getProcessCpuTime() - cpu) / 1e9;
    System.out.printf(
        "%d events: wall %.2f s, cpu %.2f s, %.2f M events per CPU-second, %.1f B per event%n",
        wanted, seconds, cpuSeconds, wanted / cpuSeconds / 1e6, (double) Files.size(file) / wanted);
  }

  /**
   * Tasks of hackbench's kind on two CPUs: runs of some microseconds, a wake of another in each.
   */
  static void feed(TraceBuilder sink, Names names, long wanted) {
    int n = 320;
    int[] name = new int[n];
    for (int i = 0; i < n; i++) {
      name[i] = names.of("hackbench" + i % 7);
    }
    int swapper = names.of("swapper/0");
    TraceInfo info = new TraceInfo();
    info.events.add("sched:sched_switch");
    info.events.add("sched:sched_waking");
    info.endNs = wanted * 500;
    sink.begin(info);
    sink.onCpuStart(0, 0, 0, false);
    sink.onCpuStart(0, 1, 0, false);
    SplittableRandom random = new SplittableRandom(1);
    boolean[] asleep = new boolean[n];
    java.util.ArrayDeque<Integer> ready = new java.util.ArrayDeque<>();
    for (int i = 0; i < n; i++) {
      ready.add(i);
    }
    int[] current = {-1, -1};
    long ts = 1000;
    long count = 0;
    while (count < wanted) {
      ts += random.nextInt(200, 1500);
      int c = random.nextInt(2);
      int cur = current[c];
      if (cur >= 0) {
        int other = random.nextInt(n);
        if (asleep[other]) {
          asleep[other] = false;
          ready.add(other);
          sink.onWaking(ts, c, 1000 + cur, 1000 + other, name[other], 120, c, 0);
          count++;
          if (random.nextInt(4) == 0) {
            sink.onMigrate(ts + 20, c, 1000 + cur, 1000 + other, name[other], 120, c, 1 - c, 0);
            count++;
          }
        }
        sink.onStat(
            ts + 30, c, 0, 1000 + cur, 1000 + cur, name[cur], random.nextInt(900), Long.MIN_VALUE);
        count++;
      }
      Integer next = ready.poll();
      int nx = next == null ? -1 : next;
      boolean sleeps = cur >= 0 && random.nextInt(3) > 0;
      if (cur >= 0) {
        if (sleeps) {
          asleep[cur] = true;
        } else {
          ready.add(cur);
        }
      }
      sink.onSwitch(
          ts + 50,
          c,
          cur < 0 ? 0 : 1000 + cur,
          cur < 0 ? swapper : name[cur],
          120,
          cur >= 0 && sleeps ? 1 : 0,
          nx < 0 ? 0 : 1000 + nx,
          nx < 0 ? swapper : name[nx],
          120);
      current[c] = nx;
      count++;
    }
    sink.end(ts + 100, count, 0);
  }
}

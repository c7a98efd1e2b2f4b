package dev.counterbalance.cli;

import dev.counterbalance.trace.build.TraceFilter;
import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that keep a part of a recording only. */
final class FilterOptions {
  private static final int MAX_CPUS = 65536;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = TimeOffset.Converter.class,
      description = "Keep what happened from TIME after the recording's start on: 1.5s, 200ms.")
  private TimeOffset since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = TimeOffset.Converter.class,
      description = "Keep what happened before TIME after the recording's start.")
  private TimeOffset until;

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      description = "Keep what happened on these CPUs: 0-3,8.")
  private String cpus;

  @Option(
      names = "--comm",
      paramLabel = "GLOB",
      description =
          "Keep tasks of that name, as it is when a row ends: 'kworker/*'. May be repeated; with --tid,"
              + " tasks that either names.")
  private List<String> comms = new ArrayList<>();

  @Option(
      names = "--tid",
      paramLabel = "LIST",
      split = ",",
      description = "Keep these threads: 1204,1207.")
  private List<Integer> tids = new ArrayList<>();

  /** The filter they make. */
  TraceFilter filter() {
    long from = since == null ? 0 : since.ns();
    long to = until == null ? Long.MAX_VALUE : until.ns();
    if (to <= from) {
      throw Refusal.usage("--until must be later than --since.");
    }
    if (tids.stream().anyMatch(tid -> tid < 0)) {
      throw Refusal.usage("--tid must be a list of thread ids: " + tids + ".");
    }
    return new TraceFilter(from, to, cpus == null ? null : cpuSet(), comms, tids);
  }

  /** The options as they were given. */
  String given() {
    StringBuilder text = new StringBuilder();
    add(text, "--since", since == null ? null : since.ns() + "ns");
    add(text, "--until", until == null ? null : until.ns() + "ns");
    add(text, "--cpus", cpus);
    comms.forEach(comm -> add(text, "--comm", comm));
    tids.forEach(tid -> add(text, "--tid", String.valueOf(tid)));
    return text.toString();
  }

  private static void add(StringBuilder text, String option, String value) {
    if (value != null) {
      text.append(text.length() == 0 ? "" : " ").append(option).append(' ').append(value);
    }
  }

  private CpuSet cpuSet() {
    int[] members;
    try {
      members = Machine.parseCpuList(cpus, MAX_CPUS);
    } catch (IllegalArgumentException e) {
      throw Refusal.usage("--cpus must be a list of CPUs such as 0-3,8: " + cpus + ".");
    }
    if (members.length == 0) {
      throw Refusal.usage("--cpus must name a CPU.");
    }
    return CpuSet.of(Arrays.stream(members).max().orElse(0) + 1, members);
  }
}

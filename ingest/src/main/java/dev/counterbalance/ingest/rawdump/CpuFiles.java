package dev.counterbalance.ingest.rawdump;

import dev.counterbalance.ingest.io.CpuStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the per-CPU files of a dump by their names. */
final class CpuFiles {
  private static final Pattern NAME = Pattern.compile("(?:.*\\.)?cpu(\\d{1,5})(?:-\\d+)?");
  private static final int DEPTH = 3;
  private static final int MAX_FILES = 100_000;

  private CpuFiles() {}

  /**
   * The files of a directory by CPU: {@code cpuN}, {@code NAME.cpuN}, or {@code
   * per_cpu/cpuN/trace_pipe_raw}; in itself, or in a folder {@code traces}.
   */
  static Map<Integer, Path> find(Path directory) throws IOException {
    Map<Integer, Path> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory, DEPTH)) {
      files
          .limit(MAX_FILES)
          .filter(Files::isRegularFile)
          .sorted()
          .forEach(
              file -> {
                int cpu = cpu(directory, file);
                if (cpu >= 0) {
                  found.putIfAbsent(cpu, file);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return found;
  }

  private static int cpu(Path directory, Path file) {
    Path folder = file.getParent();
    if (file.getFileName().toString().equals("trace_pipe_raw") && folder != null) {
      return cpuOf(folder, -1);
    }
    boolean here =
        directory.equals(folder)
            || (folder != null
                && directory.equals(folder.getParent())
                && folder.getFileName().toString().equals("traces"));
    return here ? cpuOf(file, -1) : -1;
  }

  /** The CPU that a file's name tells. */
  static int cpuOf(Path file, int otherwise) {
    Path name = file.getFileName();
    Matcher matcher = NAME.matcher(name == null ? "" : name.toString());
    if (!matcher.matches()) {
      return otherwise;
    }
    int cpu = Integer.parseInt(matcher.group(1));
    return cpu < CpuStats.MAX_CPUS ? cpu : otherwise;
  }
}

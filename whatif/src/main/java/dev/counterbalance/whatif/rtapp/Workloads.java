package dev.counterbalance.whatif.rtapp;

import dev.counterbalance.whatif.workload.Generators;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A workload as a user names it: a file, or a generator with its parameters. */
public final class Workloads {
  private Workloads() {}

  /**
   * Reads a file if there is one of that name, or if the name ends in {@code .json}; else asks the
   * generators.
   *
   * @param cpus CPUs of the machine it is to run on
   * @throws WorkloadException if it is no workload
   * @throws IOException if the file cannot be read
   */
  public static Workload read(String fileOrGenerator, int cpus) throws IOException {
    Path file = null;
    try {
      file = Path.of(fileOrGenerator);
    } catch (InvalidPathException e) {
      // No file has such a name.
    }
    if (file != null && (fileOrGenerator.endsWith(".json") || Files.isRegularFile(file))) {
      return RtApp.read(file, cpus);
    }
    return Generators.parse(fileOrGenerator, cpus);
  }
}

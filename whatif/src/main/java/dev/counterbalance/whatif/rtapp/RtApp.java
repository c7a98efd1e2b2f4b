package dev.counterbalance.whatif.rtapp;

import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads workloads written as rt-app JSON: a subset of Debian's rt-app 1.0 and a few events of later
 * ones, listed in {@code docs/workloads.md}. What is not in it is an error, never ignored.
 */
public final class RtApp {
  private RtApp() {}

  /**
   * Reads a file.
   *
   * @param cpus CPUs of the machine it is to run on
   * @throws WorkloadException if it is no such file; the message names file, line and column
   * @throws IOException if the file cannot be read
   */
  public static Workload read(Path file, int cpus) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(JsonReader.MAX_BYTES + 1);
    }
    return read(file.toString(), bytes, cpus);
  }

  /**
   * Reads the content of a file.
   *
   * @param file its name, for errors and for the workload's name
   */
  public static Workload read(String file, byte[] bytes, int cpus) {
    if (cpus < 1) {
      throw new IllegalArgumentException("must be >= 1: cpus=" + cpus);
    }
    JsonValue json = JsonReader.read(file, bytes);
    String name = file.substring(file.lastIndexOf('/') + 1);
    if (name.endsWith(".json") && name.length() > 5) {
      name = name.substring(0, name.length() - 5);
    }
    RtAppFile parsed = new RtAppParser(file, cpus).parse(json, name);
    return new RtAppCompiler(file, parsed).compile();
  }

  /** The keys of the subset as a Markdown table, for the documentation. */
  public static String markdown() {
    return RtAppKey.markdown();
  }
}

package dev.counterbalance.trace.topology;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.TopologySpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The machine that {@code --topology} names. */
public final class Topology {
  private Topology() {}

  /**
   * Reads a topology file if there is one of that name, else takes the text for a spec.
   *
   * @see TopologyFile
   * @see TopologySpec
   * @throws TopologyFormatException if the file describes no machine
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if there is no such file and it is no spec
   */
  public static Machine read(String specOrFile) throws IOException {
    if (exists(specOrFile)) {
      return TopologyFile.read(Path.of(specOrFile));
    }
    try {
      return TopologySpec.parse(specOrFile);
    } catch (IllegalArgumentException e) {
      if (specOrFile.indexOf('/') < 0 && specOrFile.indexOf('.') < 0) {
        throw e;
      }
      throw new IllegalArgumentException(
          "There is no such file, and as a spec: " + e.getMessage(), e);
    }
  }

  private static boolean exists(String name) {
    try {
      return !name.isEmpty() && Files.exists(Path.of(name)) && !Files.isDirectory(Path.of(name));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}

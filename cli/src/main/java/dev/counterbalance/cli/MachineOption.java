package dev.counterbalance.cli;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.topology.Topology;
import dev.counterbalance.trace.topology.TopologyFormatException;
import java.io.IOException;

/** The machine of {@code --topology}. */
final class MachineOption {
  private MachineOption() {}

  /** Reads the file or spec that the user gave; refuses what is neither. */
  static Machine machine(String specOrFile) throws IOException {
    try {
      return Topology.read(specOrFile);
    } catch (TopologyFormatException e) {
      throw Refusal.data(sentence(e), e);
    } catch (IllegalArgumentException e) {
      throw Refusal.usage(sentence(e));
    }
  }

  /** What is wrong, as a sentence. */
  static String sentence(Exception e) {
    String text = String.valueOf(e.getMessage());
    return text.endsWith(".") || text.endsWith("?") ? text : text + ".";
  }
}

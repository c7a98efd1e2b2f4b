package dev.counterbalance.trace.topology;

import java.io.IOException;

/** A topology file cannot be used: says where, what was found, and what is expected. */
public final class TopologyFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  TopologyFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}

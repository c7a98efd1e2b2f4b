package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.tracefs.EventLayout;
import java.util.ArrayList;
import java.util.List;

/** A trace buffer of the kernel: the top one, which has no name, or that of an instance. */
public final class RingBuffer {
  public final String name;
  public final List<RingStream> streams = new ArrayList<>();

  /** Events found, by their type. */
  final long[] counts = new long[1 << 16];

  /** How each type of event is delivered; null if it is not. */
  final EventLayout[] layouts = new EventLayout[1 << 16];

  public RingBuffer(String name) {
    this.name = name;
  }

  /** What CPU the buffer has pages of, null if none. */
  public RingStream stream(int cpu) {
    for (RingStream stream : streams) {
      if (stream.cpu == cpu) {
        return stream;
      }
    }
    return null;
  }

  String title() {
    return name.isEmpty() ? "the top buffer" : "the instance " + name;
  }
}

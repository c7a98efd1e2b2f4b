package dev.counterbalance.trace.build;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.counterbalance.trace.machine.CpuSet;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Which part of a recording an import keeps. All of it is read, and what is kept is exact: a wait
 * of a kept task ends where it ended, whatever was left out. A task is kept if any of comms and
 * tids names it, or if both are empty.
 *
 * @param sinceNs ns after the recording's start; what ended before is left out
 * @param untilNs ns after the recording's start, Long.MAX_VALUE for all
 * @param cpus the CPUs to keep, null for all
 * @param comms shell patterns ({@code *}, {@code ?}) of task names, as they are when a row ends
 * @param tids kernel thread ids
 */
public record TraceFilter(
    long sinceNs, long untilNs, CpuSet cpus, List<String> comms, List<Integer> tids) {

  /** Keeps everything. */
  public static final TraceFilter NONE =
      new TraceFilter(0, Long.MAX_VALUE, null, List.of(), List.of());

  /** Checks the window. */
  public TraceFilter {
    if (sinceNs < 0 || untilNs <= sinceNs) {
      throw new IllegalArgumentException("must be 0 <= since < until: " + sinceNs + ", " + untilNs);
    }
    comms = List.copyOf(comms);
    tids = List.copyOf(tids);
  }

  /** True if nothing is left out. */
  public boolean isNone() {
    return sinceNs == 0 && untilNs == Long.MAX_VALUE && cpus == null && !namesTasks();
  }

  boolean namesTasks() {
    return !comms.isEmpty() || !tids.isEmpty();
  }

  /**
   * The filter as the store keeps it: an object with a key per option that was given, {@code
   * since_ns}, {@code until_ns}, {@code cpus}, {@code comm}, {@code tid}.
   */
  String toJson() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      if (sinceNs > 0) {
        json.writeNumberField("since_ns", sinceNs);
      }
      if (untilNs < Long.MAX_VALUE) {
        json.writeNumberField("until_ns", untilNs);
      }
      if (cpus != null) {
        json.writeStringField("cpus", cpus.toString());
      }
      if (!comms.isEmpty()) {
        json.writeArrayFieldStart("comm");
        for (String comm : comms) {
          json.writeString(comm);
        }
        json.writeEndArray();
      }
      if (!tids.isEmpty()) {
        json.writeArrayFieldStart("tid");
        for (int tid : tids) {
          json.writeNumber(tid);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}

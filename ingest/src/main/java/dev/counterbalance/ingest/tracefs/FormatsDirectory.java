package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.TraceFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A copy of the tracefs directory {@code events}: files {@code SYSTEM/EVENT/format} and {@code
 * header_page}. Files {@code EVENT.format} count, too.
 */
public final class FormatsDirectory {
  private static final int DEPTH = 4;
  private static final int MAX_FILES = 100_000;
  private static final long MAX_SIZE = 1 << 20;
  private static final String SUFFIX = ".format";

  private final List<Path> formats = new ArrayList<>();
  private Path headerPage;
  private Path headerEvent;

  private FormatsDirectory() {}

  /**
   * Finds the files of a directory, in itself or in a folder {@code events} or {@code formats}.
   *
   * @throws TraceFormatException if it holds no event formats
   */
  public static FormatsDirectory open(Path directory) throws IOException {
    FormatsDirectory found = new FormatsDirectory();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.walk(directory, DEPTH)) {
        files.limit(MAX_FILES).filter(Files::isRegularFile).sorted().forEach(found::add);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    if (found.formats.isEmpty()) {
      throw new TraceFormatException(
          directory.toString(),
          -1,
          Files.isDirectory(directory) ? "holds no event formats" : "is no directory",
          "files SYSTEM/EVENT/format as below the tracefs directory events",
          "Copy it on the recording machine: cp -r /sys/kernel/tracing/events DIR.");
    }
    return found;
  }

  private void add(Path file) {
    String name = file.getFileName().toString();
    if (name.equals("format") || name.endsWith(SUFFIX)) {
      formats.add(file);
    } else if (name.equals("header_page")) {
      headerPage = file;
    } else if (name.equals("header_event")) {
      headerEvent = file;
    }
  }

  /** Gives all formats to a set that knows its byte order already. */
  public void addTo(TracingData formatsKnown) throws IOException {
    for (Path file : formats) {
      formatsKnown.addText(system(file), text(file));
    }
  }

  /** The text of {@code header_page}, empty if there is none. */
  public String headerPage() throws IOException {
    return headerPage == null ? "" : text(headerPage);
  }

  /** The text of {@code header_event}, empty if there is none. */
  public String headerEvent() throws IOException {
    return headerEvent == null ? "" : text(headerEvent);
  }

  private static String text(Path file) throws IOException {
    if (Files.size(file) > MAX_SIZE) {
      throw new TraceFormatException(
          file.toString(), -1, "is too large for an event format", "at most 1 MiB", "");
    }
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /** The folder two above a {@code format}; else what the event's name tells. */
  private static String system(Path file) {
    String name = file.getFileName().toString();
    Path folder = file.getParent();
    if (!name.endsWith(SUFFIX)) {
      Path above = folder == null ? null : folder.getParent();
      return above == null || above.getFileName() == null ? "" : above.getFileName().toString();
    }
    int colon = name.indexOf(':');
    if (colon > 0) {
      return name.substring(0, colon);
    }
    if (name.startsWith("sched_")) {
      return "sched";
    }
    if (name.startsWith("irq_") || name.startsWith("softirq_")) {
      return "irq";
    }
    if (name.startsWith("cpu_")) {
      return "power";
    }
    return folder == null || folder.getFileName() == null ? "" : folder.getFileName().toString();
  }
}

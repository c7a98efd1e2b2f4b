package dev.counterbalance.ingest;

import dev.counterbalance.trace.event.EventSink;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** All trace formats there are; picks one by the content of the input, never by its name. */
public final class Importers {
  /** The path that means standard input. */
  public static final String STANDARD_INPUT = "-";

  private final List<Importer> importers;

  private Importers(List<Importer> importers) {
    this.importers = List.copyOf(importers);
  }

  /** The formats on the class path. */
  public static Importers load() {
    List<Importer> found = new ArrayList<>();
    ServiceLoader.load(Importer.class, Importers.class.getClassLoader()).forEach(found::add);
    found.sort(Comparator.comparing(importer -> importer.info().name()));
    return new Importers(found);
  }

  /** Opens a file, or standard input for {@code -}. The caller closes it. */
  public static TraceInput open(String path) throws IOException {
    if (path.equals(STANDARD_INPUT)) {
      return TraceInput.ofStream(
          System.in, "standard input", head -> mustBeKnown("standard input", head));
    }
    try {
      return TraceInput.ofFile(Path.of(path), head -> mustBeKnown(path, head));
    } catch (InvalidPathException e) {
      throw new TraceFormatException(path, -1, "is not a file name", "", "");
    }
  }

  private static void mustBeKnown(String name, Head head) throws TraceFormatException {
    Importers all = load();
    if (head.bytes().length > 0 && all.importers.stream().allMatch(i -> i.sniff(head) == 0)) {
      throw ForeignFormat.refuse(name, head, all.list());
    }
  }

  /** What each format is called, by name. */
  public List<FormatInfo> formats() {
    return importers.stream().map(Importer::info).collect(Collectors.toList());
  }

  /**
   * The importer of a format name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Importer byName(String name) {
    for (Importer importer : importers) {
      if (importer.info().name().equals(name)) {
        return importer;
      }
    }
    throw new IllegalArgumentException("must be one of " + list() + ": format=" + name);
  }

  /**
   * The importer that is surest about the content.
   *
   * @throws TraceFormatException if none knows it; says what the input looks like
   */
  public Importer choose(TraceInput in) throws IOException {
    Head head = in.directory() == null ? in.head() : null;
    Importer best = null;
    int bestScore = 0;
    for (Importer importer : importers) {
      int score = head == null ? importer.sniff(in.directory()) : importer.sniff(head);
      if (score > bestScore) {
        best = importer;
        bestScore = score;
      }
    }
    if (best == null && head == null) {
      throw new TraceFormatException(
          in.name(), -1, "is a directory that holds no recording", "a trace (" + list() + ")", "");
    }
    if (best == null) {
      throw ForeignFormat.refuse(in.name(), head, list());
    }
    return best;
  }

  /** Chooses the format and reads the whole trace into the sink. */
  public void read(TraceInput in, ImportOptions options, EventSink sink) throws IOException {
    choose(in).read(in, options, sink);
  }

  private String list() {
    return importers.stream().map(i -> i.info().name()).collect(Collectors.joining(", "));
  }
}

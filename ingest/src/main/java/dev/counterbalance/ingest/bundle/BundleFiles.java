package dev.counterbalance.ingest.bundle;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.ProblemLog;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The files of a bundle. Opens nothing that lies elsewhere, or is no plain file. */
final class BundleFiles {
  /** Longer files are read up to there. */
  static final int MAX_BYTES = 64 << 20;

  /** Longer lines are skipped. */
  static final int MAX_LINE = 64 << 10;

  /** A file with more bad lines is none of a bundle; the rest of it is left out. */
  private static final int MAX_BAD_LINES = 10_000;

  private final Path directory;
  private final ProblemLog log;

  BundleFiles(Path directory, ProblemLog log) {
    this.directory = directory;
    this.log = log;
  }

  /** Takes a line of a file. */
  interface LineTaker {
    /**
     * Takes it.
     *
     * @param line without its end; a char for each byte
     * @throws BadLineException if it does not say what it should
     */
    void take(String line) throws BadLineException;
  }

  /** Whether there is something of that name. */
  boolean exists(String name) {
    return Files.exists(directory.resolve(name));
  }

  /**
   * Where a file is.
   *
   * @return null if there is none, or it is no plain file inside the folder
   */
  Path find(String name) throws IOException {
    if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\\') >= 0 || name.equals("..")) {
      return null;
    }
    try {
      Path file = directory.resolve(name);
      return Files.isRegularFile(file)
              && file.toRealPath().getParent().equals(directory.toRealPath())
          ? file
          : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /**
   * The content of a file.
   *
   * @return null if there is none, or it cannot be read, which is reported
   */
  byte[] content(String name) throws IOException {
    Path file = usable(name);
    if (file == null) {
      return null;
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      unusable(name, "cannot be read: " + e.getMessage());
      return null;
    }
    if (bytes.length > MAX_BYTES) {
      tooLarge(name);
      return null;
    }
    return bytes;
  }

  /**
   * Reads a file line by line; what is wrong is reported and skipped.
   *
   * @param code of the problems of its lines
   */
  void lines(String name, String code, LineTaker taker) throws IOException {
    Path file = usable(name);
    if (file == null) {
      return;
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      lines(name, code, in, taker);
    } catch (TraceFormatException e) {
      throw e;
    } catch (IOException e) {
      unusable(name, "cannot be read to its end: " + e.getMessage());
    }
  }

  private void lines(String name, String code, InputStream in, LineTaker taker) throws IOException {
    byte[] line = new byte[MAX_LINE];
    int length = 0;
    long number = 1;
    int badLines = 0;
    for (int n = 0; n < MAX_BYTES; n++) {
      int b = in.read();
      if (b < 0) {
        if (length > 0) {
          bad(name, code, number, "the file ends within the line");
        }
        return;
      }
      if (b != '\n') {
        if (length < MAX_LINE) {
          line[length] = (byte) b;
        }
        length++;
        continue;
      }
      if (length > MAX_LINE) {
        badLines++;
        bad(name, code, number, "it has " + length + " bytes, expected at most " + MAX_LINE);
      } else {
        try {
          taker.take(new String(line, 0, length, StandardCharsets.ISO_8859_1));
        } catch (BadLineException e) {
          badLines++;
          bad(name, code, number, e.getMessage());
        }
      }
      if (badLines > MAX_BAD_LINES) {
        unusable(name, "has more than " + MAX_BAD_LINES + " bad lines; what follows is left out");
        return;
      }
      length = 0;
      number++;
    }
    if (in.read() >= 0) {
      tooLarge(name);
    }
  }

  private void bad(String name, String code, long line, String what) throws TraceFormatException {
    if (!log.again(code)) {
      log.damage(
          code,
          line,
          -1,
          name + ", line " + line + ": " + what,
          "Such lines of the bundle were skipped; the recording is not concerned.");
    }
  }

  /** The file, null if there is none; anything else of that name is reported. */
  private Path usable(String name) throws IOException {
    Path file = find(name);
    if (file == null && exists(name)) {
      unusable(name, "is no plain file of the bundle's folder");
    }
    return file;
  }

  private void unusable(String name, String why) throws TraceFormatException {
    if (!log.again("sidecar_file_unusable")) {
      log.damage(
          "sidecar_file_unusable",
          -1,
          -1,
          name + " " + why,
          "What could not be read was left out.");
    }
  }

  private void tooLarge(String name) throws TraceFormatException {
    if (!log.again("sidecar_file_too_large")) {
      log.damage(
          "sidecar_file_too_large",
          -1,
          -1,
          name + " is larger than " + (MAX_BYTES >> 20) + " MiB",
          "What is beyond was not read.");
    }
  }
}

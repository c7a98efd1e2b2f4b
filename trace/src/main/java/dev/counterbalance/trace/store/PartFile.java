package dev.counterbalance.trace.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is written beside its target and renamed over it when it is whole. A killed process
 * leaves at most the part, which the next one removes; an interrupted one removes it itself.
 */
final class PartFile {
  private static final String MARK = ".part-";

  private final Path path;
  private final Thread hook;

  private PartFile(Path path) {
    this.path = path;
    hook = new Thread(this::deleteFiles);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  static PartFile beside(Path target) {
    Path absolute = target.toAbsolutePath();
    Path folder = absolute.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new StoreException(
          target + ": its folder does not exist. Make it first, or give another -o.");
    }
    if (!Files.isWritable(folder)) {
      throw new StoreException(
          target + ": its folder cannot be written. Give another place with -o.");
    }
    removeLeftovers(folder, absolute.getFileName().toString());
    return new PartFile(
        absolute.resolveSibling(
            absolute.getFileName() + MARK + ProcessHandle.current().pid() + ".duckdb"));
  }

  Path path() {
    return path;
  }

  /** Puts the file in a place that must be free: whoever came first there stays. */
  void publishAs(Path target) {
    try {
      Files.createLink(target.toAbsolutePath(), path);
    } catch (FileAlreadyExistsException e) {
      throw new StoreException(
          target
              + ": appeared while this import ran, and was left as it is. Import again to add to it.",
          e);
    } catch (IOException | UnsupportedOperationException e) {
      moveTo(target);
      return;
    }
    delete();
  }

  void moveTo(Path target) {
    try {
      Files.move(path, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      Files.deleteIfExists(wal(path));
    } catch (IOException e) {
      throw new StoreException(target + ": cannot be put in place: " + e.getMessage(), e);
    } finally {
      delete();
    }
  }

  void delete() {
    deleteFiles();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook runs or has run.
    }
  }

  private void deleteFiles() {
    deleteQuietly(path);
    deleteQuietly(wal(path));
  }

  private static Path wal(Path path) {
    return path.resolveSibling(path.getFileName() + ".wal");
  }

  private static void removeLeftovers(Path folder, String name) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String other = file.getFileName().toString();
        if (other.startsWith(name + MARK)
            && !ownerLives(other.substring(name.length() + MARK.length()))) {
          deleteQuietly(file);
        }
      }
    } catch (IOException e) {
      throw new StoreException(folder + ": cannot be listed: " + e.getMessage(), e);
    }
  }

  private static boolean ownerLives(String rest) {
    int end = 0;
    while (end < rest.length() && Character.isDigit(rest.charAt(end))) {
      end++;
    }
    try {
      return ProcessHandle.of(Long.parseLong(rest.substring(0, end))).isPresent();
    } catch (NumberFormatException e) {
      return true;
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      if (!Files.isDirectory(file)) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Left for the next import, which tries again.
    }
  }
}

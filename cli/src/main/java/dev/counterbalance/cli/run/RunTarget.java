package dev.counterbalance.cli.run;

import dev.counterbalance.analysis.query.Entries;
import dev.counterbalance.trace.store.TraceCopy;
import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.trace.store.TraceStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The store that runs go to. A new one appears with its first run; each run after that is one
 * transaction, so that a killed command leaves whole runs only, and the next one goes on from
 * there.
 */
public final class RunTarget implements AutoCloseable {
  private static final int MEMORY_MB = 800;

  private final Path file;
  private TraceStore store;
  private boolean published;
  private boolean prepared;

  private RunTarget(Path file, TraceStore store, boolean published) {
    this.file = file;
    this.store = store;
    this.published = published;
  }

  /**
   * Opens the store, or begins a new one.
   *
   * @param file null for one in memory that nobody keeps
   */
  public static RunTarget open(Path file) {
    if (file == null) {
      return new RunTarget(null, TraceStore.inMemory(MEMORY_MB), true);
    }
    boolean exists = Files.exists(file);
    return new RunTarget(
        file, exists ? TraceStore.openReadWrite(file) : TraceStore.create(file), exists);
  }

  /** The store as it is now; another one after the first {@link #take}. */
  public TraceStore store() {
    return store;
  }

  /** Copies a run into the store, in the place of an earlier one if there is one. */
  TraceRef take(TraceCopy from, TraceRef run, Optional<TraceRef> replaced, boolean events) {
    if (!prepared) {
      Entries.install(store);
      prepared = true;
    }
    TraceRef taken = store.take(from, run, replaced, events);
    if (!published) {
      store.checkpoint();
      store.publish();
      published = true;
      store = TraceStore.openReadWrite(file);
    }
    return taken;
  }

  /** Puts the runs since the first into the file's tables; they are safe in its log before. */
  void finish() {
    store.checkpoint();
  }

  @Override
  public void close() {
    store.close();
  }
}

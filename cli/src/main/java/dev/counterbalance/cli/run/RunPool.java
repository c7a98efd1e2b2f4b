package dev.counterbalance.cli.run;

import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.whatif.run.Engine;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries out runs on several threads. Runs reach the store in the order of the plan, whatever
 * their number of threads, so that the store is the same for any. Short runs are made some at a
 * time.
 */
public final class RunPool {
  private static final int SCRATCH_MB = 1600;
  private static final int LEAST_SCRATCH_MB = 256;

  /** So many events are made at a time, about, but no more runs than that. */
  private static final long EVENTS_TOGETHER = 200_000;

  private static final int RUNS_TOGETHER = 32;

  private final Engine engine;
  private final RunTarget target;
  private final RunProgress progress;
  private final Object turn = new Object();
  private List<PlannedRun> runs = List.of();
  private TraceRef[] taken = {};
  private int next;
  private long mostEvents = EVENTS_TOGETHER;
  private int done;
  private int failedAt = Integer.MAX_VALUE;
  private Throwable failure;

  /**
   * Makes a pool.
   *
   * @param engine carries out each run
   * @param target where they go
   */
  public RunPool(Engine engine, RunTarget target, RunProgress progress) {
    this.engine = engine;
    this.target = target;
    this.progress = progress;
  }

  /**
   * Carries out those runs of a plan that are due. If one fails, those before it are in the store
   * and those after it are not.
   *
   * @return where each run of the plan is in the store, in its order
   */
  public List<TraceRef> run(List<PlannedRun> plan, int jobs) {
    runs = plan.stream().filter(PlannedRun::isDue).toList();
    taken = new TraceRef[runs.size()];
    int threads = Math.max(1, Math.min(jobs, runs.size()));
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads && !runs.isEmpty(); i++) {
      Thread worker = new Thread(() -> work(threads), "run-" + i);
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
    try {
      for (Thread worker : workers) {
        worker.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while runs were made", e);
    }
    rethrow();
    if (!runs.isEmpty()) {
      target.finish();
    }
    List<TraceRef> traces = new ArrayList<>();
    int n = 0;
    for (PlannedRun run : plan) {
      traces.add(run.isDue() ? taken[n++] : run.stored().orElseThrow());
    }
    return traces;
  }

  private void work(int threads) {
    int first = 0;
    try (RunWorker worker =
        new RunWorker(engine, Math.max(LEAST_SCRATCH_MB, SCRATCH_MB / threads))) {
      int end = first;
      while (true) {
        synchronized (turn) {
          first = next;
          end = first + together(threads);
          next = end;
        }
        if (first == end || !work(worker, first, end)) {
          return;
        }
      }
    } catch (RunWorker.Failed e) {
      failed(first + e.place, e.getCause());
    } catch (RuntimeException | Error e) {
      failed(first, e);
    }
  }

  /** How many runs to make next: as many as are short enough, and every thread has its part. */
  private int together(int threads) {
    int left = Math.max(0, runs.size() - next);
    int part = (left + threads - 1) / threads;
    long most = Math.min(Math.min(part, RUNS_TOGETHER), Math.max(1, EVENTS_TOGETHER / mostEvents));
    int together = 0;
    while (together < most && warmupNs(next + together) == warmupNs(next)) {
      together++;
    }
    return together;
  }

  private long warmupNs(int run) {
    return runs.get(run).spec().warmupNs();
  }

  /** Makes runs and puts them into the store; false if one before them failed. */
  private boolean work(RunWorker worker, int first, int end) {
    List<RunWorker.Done> made;
    RunWorker.Failed failed = null;
    RunWorker.Started started = (place, nowNs) -> progress.started(first + place, nowNs);
    try {
      made = worker.run(runs.subList(first, end), started);
    } catch (RunWorker.Failed e) {
      failed = e;
      List<PlannedRun> before = runs.subList(first, first + e.place);
      made = before.isEmpty() ? List.of() : worker.run(before, started);
    }
    for (int i = 0; i < made.size(); i++) {
      if (!takeInTurn(first + i, made.get(i))) {
        return false;
      }
      progress.finished(first + i, made.get(i).result().endNs());
    }
    if (failed != null) {
      throw failed;
    }
    return true;
  }

  /** Waits until every run before this one is in the store; false if one of them failed. */
  private boolean takeInTurn(int run, RunWorker.Done made) {
    synchronized (turn) {
      while (done < run && failedAt > run) {
        try {
          turn.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted while a run waited for its turn", e);
        }
      }
      if (failedAt <= run) {
        return false;
      }
      PlannedRun planned = runs.get(run);
      taken[run] =
          target.take(made.scratch(), made.trace(), planned.stored(), planned.keepEvents());
      done++;
      mostEvents = done == 1 ? events(made) : Math.max(mostEvents, events(made));
      turn.notifyAll();
      return true;
    }
  }

  private static long events(RunWorker.Done made) {
    return Math.max(1, made.result().events());
  }

  private void failed(int run, Throwable e) {
    synchronized (turn) {
      next = runs.size();
      if (run < failedAt) {
        failedAt = run;
        failure = e;
      }
      turn.notifyAll();
    }
  }

  private void rethrow() {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }
}

package dev.counterbalance.cli.run;

import dev.counterbalance.trace.store.TraceRef;
import dev.counterbalance.whatif.run.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Carries out runs on several threads. Runs reach the store in the order of the plan, whatever
 * their number of threads, so that the store is the same for any.
 */
public final class RunPool {
  private static final int SCRATCH_MB = 1600;
  private static final int LEAST_SCRATCH_MB = 256;

  private final Engine engine;
  private final RunTarget target;
  private final RunProgress progress;
  private final AtomicInteger next = new AtomicInteger();
  private final Object turn = new Object();
  private List<PlannedRun> runs = List.of();
  private TraceRef[] taken = {};
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
    List<TraceRef> traces = new ArrayList<>();
    int n = 0;
    for (PlannedRun run : plan) {
      traces.add(run.isDue() ? taken[n++] : run.stored().orElseThrow());
    }
    return traces;
  }

  private void work(int threads) {
    int index = -1;
    try (RunWorker worker =
        new RunWorker(engine, Math.max(LEAST_SCRATCH_MB, SCRATCH_MB / threads))) {
      for (index = next.getAndIncrement(); index < runs.size(); index = next.getAndIncrement()) {
        int run = index;
        RunWorker.Done made = worker.run(runs.get(run), nowNs -> progress.started(run, nowNs));
        if (!takeInTurn(run, made)) {
          return;
        }
        progress.finished(run, made.result().endNs());
      }
    } catch (RuntimeException | Error e) {
      failed(Math.max(index, 0), e);
    }
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
      taken[run] = target.take(made.scratch(), made.trace(), runs.get(run).stored());
      done++;
      turn.notifyAll();
      return true;
    }
  }

  private void failed(int run, Throwable e) {
    next.set(runs.size());
    synchronized (turn) {
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

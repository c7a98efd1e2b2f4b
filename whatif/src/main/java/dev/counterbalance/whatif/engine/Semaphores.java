package dev.counterbalance.whatif.engine;

import dev.counterbalance.whatif.workload.Workload;
import java.util.Arrays;

/** Tokens and waiting tasks of each semaphore; waiters are served in the order they came. */
final class Semaphores {
  private final long[] tokens;
  private final int[] head;
  private final int[] tail;
  private final int[] next;

  Semaphores(Workload workload) {
    int count = workload.semaphores();
    tokens = new long[count];
    head = new int[count];
    tail = new int[count];
    next = new int[workload.tasks()];
    Arrays.fill(head, -1);
    for (int i = 0; i < count; i++) {
      tokens[i] = workload.initialTokens(i);
    }
  }

  /** Takes a token; false if there is none, and the task waits from now on. */
  boolean take(int semaphore, int task) {
    if (tokens[semaphore] > 0) {
      tokens[semaphore]--;
      return true;
    }
    next[task] = -1;
    if (head[semaphore] < 0) {
      head[semaphore] = task;
    } else {
      next[tail[semaphore]] = task;
    }
    tail[semaphore] = task;
    return false;
  }

  /** Gives a token; the task that gets it and is to be woken, or -1 if it is kept. */
  int give(int semaphore) {
    int task = waiter(semaphore);
    if (task < 0) {
      tokens[semaphore]++;
    }
    return task;
  }

  /** Takes the first waiter out, or -1. */
  int waiter(int semaphore) {
    int task = head[semaphore];
    if (task >= 0) {
      head[semaphore] = next[task];
    }
    return task;
  }
}

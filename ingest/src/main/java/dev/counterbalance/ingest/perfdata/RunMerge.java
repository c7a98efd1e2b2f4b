package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.io.CpuStats;
import dev.counterbalance.ingest.io.ProgressMeter;
import java.io.IOException;

/**
 * The second pass: delivers the records of all runs in order of time, then file position. A binary
 * heap holds the runs; the run in front goes on as long as it stays in front, without touching the
 * heap.
 */
final class RunMerge {
  private static final int LARGEST_BUFFER = 128 * 1024;
  private static final int SMALLEST_BUFFER = 16 * 1024;
  private static final int ALL_BUFFERS = 64 << 20;

  private final RunCursor[] heap;
  private int count;
  private final int[] runsLeft;
  private final CpuStats cpus;
  private final Delivery delivery;

  RunMerge(Recording recording, Survey survey, Delivery delivery, ProgressMeter progress)
      throws IOException {
    this.delivery = delivery;
    this.cpus = survey.cpus;
    RunIndex runs = survey.runs;
    heap = new RunCursor[runs.runs()];
    int highest = -1;
    for (int run = 0; run < runs.runs(); run++) {
      highest = Math.max(highest, runs.cpu(run));
    }
    runsLeft = new int[highest + 1];
    Locator locator = new Locator(recording, false);
    int buffer = ALL_BUFFERS / Math.max(1, runs.runs());
    buffer = Math.max(SMALLEST_BUFFER, Math.min(LARGEST_BUFFER, buffer));
    for (int run = 0; run < runs.runs(); run++) {
      RunCursor cursor = new RunCursor(runs, run, recording.records, locator, progress, buffer);
      if (cursor.next()) {
        heap[count++] = cursor;
        if (cursor.cpu >= 0) {
          runsLeft[cursor.cpu]++;
        }
      }
    }
    for (int i = count / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  void run() throws IOException {
    while (count > 0) {
      RunCursor front = heap[0];
      RunCursor second = secondSmallest();
      boolean more = second == null ? runAlone(front) : runUntil(front, second);
      if (!more) {
        if (front.cpu >= 0 && --runsLeft[front.cpu] == 0 && cpus.tailLost(front.cpu) > 0) {
          delivery.lossBegin(front.timeNs, front.cpu);
        }
        heap[0] = heap[--count];
        heap[count] = null;
      }
      siftDown(0);
    }
  }

  private boolean runAlone(RunCursor front) throws IOException {
    while (step(front)) {
      // goes on to the run's end
    }
    return false;
  }

  private boolean runUntil(RunCursor front, RunCursor second) throws IOException {
    long limitNs = second.timeNs;
    do {
      if (!step(front)) {
        return false;
      }
    } while (front.timeNs < limitNs || (front.timeNs == limitNs && front.offset < second.offset));
    return true;
  }

  /** Delivers the record at hand and moves on. */
  private boolean step(RunCursor cursor) throws IOException {
    long timeNs = cursor.timeNs;
    if (cursor.type == RecordType.SAMPLE) {
      delivery.sample(
          cursor.bytes, cursor.pos, cursor.size, cursor.attr, timeNs, cursor.cpu, cursor.offset);
    } else {
      delivery.other(cursor.bytes, cursor.pos, cursor.type, cursor.size, timeNs, cursor.cpu);
    }
    if (!cursor.next()) {
      return false;
    }
    if (cursor.type == RecordType.LOST) {
      delivery.lossBegin(timeNs, cursor.cpu);
    }
    return true;
  }

  private RunCursor secondSmallest() {
    if (count < 2) {
      return null;
    }
    return count == 2 || before(heap[1], heap[2]) ? heap[1] : heap[2];
  }

  private void siftDown(int from) {
    int at = from;
    RunCursor moved = heap[at];
    while (true) {
      int child = 2 * at + 1;
      if (child >= count) {
        break;
      }
      if (child + 1 < count && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], moved)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moved;
  }

  private static boolean before(RunCursor a, RunCursor b) {
    return a.timeNs < b.timeNs || (a.timeNs == b.timeNs && a.offset < b.offset);
  }
}

package dev.counterbalance.whatif.engine;

import java.util.Arrays;

/**
 * What happens next: each source (a CPU's burst, a CPU's tick, a task's timer, ...) has at most one
 * pending time. Ties go to the lower source id, which makes the order total. A heap of ids with
 * their places, so that a time can be moved or withdrawn; four children a node.
 */
final class EventQueue {
  private static final int FANOUT_BITS = 2;

  private final long[] times;
  private final int[] places;
  private int[] heap = new int[64];
  private int size;

  EventQueue(int sources) {
    times = new long[sources];
    places = new int[sources];
    Arrays.fill(places, -1);
  }

  /** Time of the first event, Long.MAX_VALUE if there is none. */
  long firstTime() {
    return size == 0 ? Long.MAX_VALUE : times[heap[0]];
  }

  /** Takes the first event out and gives its source. */
  int poll() {
    int source = heap[0];
    removeAt(0);
    places[source] = -1;
    return source;
  }

  boolean isPending(int source) {
    return places[source] >= 0;
  }

  /** Sets or moves the time of a source. */
  void set(int source, long time) {
    int place = places[source];
    if (place >= 0) {
      long old = times[source];
      times[source] = time;
      if (time < old) {
        up(place, source);
      } else if (time > old) {
        down(place, source);
      }
      return;
    }
    times[source] = time;
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    up(size++, source);
  }

  /** Withdraws the pending event of a source, if there is one. */
  void cancel(int source) {
    int place = places[source];
    if (place >= 0) {
      removeAt(place);
      places[source] = -1;
    }
  }

  private void removeAt(int place) {
    int last = heap[--size];
    if (place < size) {
      if (place > 0 && before(last, heap[(place - 1) >> FANOUT_BITS])) {
        up(place, last);
      } else {
        down(place, last);
      }
    }
  }

  private boolean before(int a, int b) {
    return times[a] < times[b] || (times[a] == times[b] && a < b);
  }

  private void up(int start, int source) {
    int place = start;
    while (place > 0) {
      int above = (place - 1) >> FANOUT_BITS;
      int other = heap[above];
      if (!before(source, other)) {
        break;
      }
      heap[place] = other;
      places[other] = place;
      place = above;
    }
    heap[place] = source;
    places[source] = place;
  }

  private void down(int start, int source) {
    int place = start;
    while (true) {
      int child = (place << FANOUT_BITS) + 1;
      if (child >= size) {
        break;
      }
      int end = Math.min(child + (1 << FANOUT_BITS), size);
      int best = child;
      for (int i = child + 1; i < end; i++) {
        if (before(heap[i], heap[best])) {
          best = i;
        }
      }
      int other = heap[best];
      if (!before(other, source)) {
        break;
      }
      heap[place] = other;
      places[other] = place;
      place = best;
    }
    heap[place] = source;
    places[source] = place;
  }
}

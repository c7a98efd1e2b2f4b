package dev.counterbalance.whatif.engine;

import java.util.Arrays;

/**
 * Waiting tasks ordered by key, equal keys in order of insertion: what the kernel's red-black tree
 * of a runqueue gives. The places of tasks are shared by all heaps of a run, as a task waits in one
 * at most.
 */
final class TaskHeap {
  /** Keys and places of every task of a run. */
  static final class Places {
    final long[] keys;
    final long[] orders;
    final int[] places;
    long inserted;

    Places(int tasks) {
      keys = new long[tasks];
      orders = new long[tasks];
      places = new int[tasks];
      Arrays.fill(places, -1);
    }
  }

  private final Places shared;
  private int[] heap = new int[8];
  private int size;

  TaskHeap(Places shared) {
    this.shared = shared;
  }

  int size() {
    return size;
  }

  /** The first task, or -1. */
  int first() {
    return size == 0 ? -1 : heap[0];
  }

  /** Key of the first task; the heap must not be empty. */
  long firstKey() {
    return shared.keys[heap[0]];
  }

  /** The key that a task was added with last. */
  long key(int task) {
    return shared.keys[task];
  }

  /** The task at a place of the heap, 0 to size - 1, in no order but the first. */
  int at(int place) {
    return heap[place];
  }

  boolean before(int a, int b) {
    long x = shared.keys[a];
    long y = shared.keys[b];
    // Vruntimes may wrap: the kernel compares their difference.
    long difference = x - y;
    return difference < 0 || (difference == 0 && shared.orders[a] < shared.orders[b]);
  }

  void add(int task, long key) {
    shared.keys[task] = key;
    shared.orders[task] = shared.inserted++;
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    up(size++, task);
  }

  void remove(int task) {
    int place = shared.places[task];
    int end = heap[--size];
    if (place < size) {
      if (place > 0 && before(end, heap[(place - 1) >> 1])) {
        up(place, end);
      } else {
        down(place, end);
      }
    }
    shared.places[task] = -1;
  }

  private void up(int start, int task) {
    int place = start;
    while (place > 0) {
      int above = (place - 1) >> 1;
      int other = heap[above];
      if (!before(task, other)) {
        break;
      }
      heap[place] = other;
      shared.places[other] = place;
      place = above;
    }
    heap[place] = task;
    shared.places[task] = place;
  }

  private void down(int start, int task) {
    int place = start;
    while (true) {
      int child = 2 * place + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && before(heap[child + 1], heap[child])) {
        child++;
      }
      int other = heap[child];
      if (!before(other, task)) {
        break;
      }
      heap[place] = other;
      shared.places[other] = place;
      place = child;
    }
    heap[place] = task;
    shared.places[task] = place;
  }
}

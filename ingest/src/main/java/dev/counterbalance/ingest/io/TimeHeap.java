package dev.counterbalance.ingest.io;

import java.util.Arrays;

/**
 * A binary heap of (time, number) pairs for merging sorted inputs: the number names the input and
 * breaks ties. Holds primitives only. The input in front goes on without touching the heap as long
 * as {@link #staysFirst} says so.
 */
public final class TimeHeap {
  private long[] times = new long[16];
  private int[] numbers = new int[16];
  private int count;

  /** The pair behind the front one. */
  private long secondTime;

  private int secondNumber;

  public boolean isEmpty() {
    return count == 0;
  }

  /** Adds an input whose next item is of that time. */
  public void add(long time, int number) {
    if (count == times.length) {
      times = Arrays.copyOf(times, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    int at = count++;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (!isBefore(time, number, times[parent], numbers[parent])) {
        break;
      }
      times[at] = times[parent];
      numbers[at] = numbers[parent];
      at = parent;
    }
    times[at] = time;
    numbers[at] = number;
    findSecond();
  }

  /** The input whose next item is the earliest. */
  public int first() {
    return numbers[0];
  }

  /** True if the front input remains in front with a next item of that time. */
  public boolean staysFirst(long time) {
    return count == 1 || time < secondTime || (time == secondTime && numbers[0] < secondNumber);
  }

  /** The front input's next item is of that time. */
  public void replaceFirst(long time) {
    siftDown(time, numbers[0]);
    findSecond();
  }

  /** The front input has ended. */
  public void removeFirst() {
    count--;
    if (count > 0) {
      siftDown(times[count], numbers[count]);
      findSecond();
    }
  }

  private void siftDown(long time, int number) {
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= count) {
        break;
      }
      if (child + 1 < count
          && isBefore(times[child + 1], numbers[child + 1], times[child], numbers[child])) {
        child++;
      }
      if (!isBefore(times[child], numbers[child], time, number)) {
        break;
      }
      times[at] = times[child];
      numbers[at] = numbers[child];
      at = child;
    }
    times[at] = time;
    numbers[at] = number;
  }

  private void findSecond() {
    if (count < 2) {
      return;
    }
    int second = count == 2 || isBefore(times[1], numbers[1], times[2], numbers[2]) ? 1 : 2;
    secondTime = times[second];
    secondNumber = numbers[second];
  }

  private static boolean isBefore(long time, int number, long otherTime, int otherNumber) {
    return time < otherTime || (time == otherTime && number < otherNumber);
  }
}

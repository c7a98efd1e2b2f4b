package dev.counterbalance.ingest.io;

/** Sorts pairs of longs held in two arrays, by the first and then the second. */
public final class PairSort {
  private PairSort() {}

  /** Sorts the first count pairs; takes as much memory again while it runs. */
  public static void sort(long[] first, long[] second, int count) {
    long[] a = first;
    long[] b = second;
    long[] c = new long[count];
    long[] d = new long[count];
    for (int width = 1; width > 0 && width < count; width *= 2) {
      for (int low = 0; low < count; low += 2 * width) {
        int middle = Math.min(low + width, count);
        merge(a, b, c, d, low, middle, Math.min(middle + width, count));
      }
      long[] swap = a;
      a = c;
      c = swap;
      swap = b;
      b = d;
      d = swap;
    }
    if (a != first) {
      System.arraycopy(a, 0, first, 0, count);
      System.arraycopy(b, 0, second, 0, count);
    }
  }

  private static void merge(
      long[] a, long[] b, long[] toA, long[] toB, int low, int middle, int high) {
    int left = low;
    int right = middle;
    for (int i = low; i < high; i++) {
      boolean takeLeft =
          right >= high
              || (left < middle
                  && (a[left] < a[right] || (a[left] == a[right] && b[left] <= b[right])));
      int from = takeLeft ? left++ : right++;
      toA[i] = a[from];
      toB[i] = b[from];
    }
  }
}

package dev.counterbalance.ingest.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeHeapTest {

  @Test
  void mergesSortedInputs() {
    Random random = new Random(20261207);
    for (int round = 0; round < 200; round++) {
      long[][] inputs = new long[random.nextInt(20)][];
      List<String> expected = new ArrayList<>();
      TimeHeap heap = new TimeHeap();
      int[] next = new int[inputs.length];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = random.longs(1 + random.nextInt(10), 0, 30).sorted().toArray();
        heap.add(inputs[i][0], i);
        for (long time : inputs[i]) {
          expected.add(String.format("%02d %02d", time, i));
        }
      }
      expected.sort(null);
      List<String> merged = new ArrayList<>();
      while (!heap.isEmpty()) {
        int i = heap.first();
        boolean more;
        do {
          merged.add(String.format("%02d %02d", inputs[i][next[i]], i));
          more = ++next[i] < inputs[i].length;
        } while (more && heap.staysFirst(inputs[i][next[i]]));
        if (more) {
          heap.replaceFirst(inputs[i][next[i]]);
        } else {
          heap.removeFirst();
        }
      }
      assertThat(merged).as(Arrays.deepToString(inputs)).isEqualTo(expected);
    }
  }
}

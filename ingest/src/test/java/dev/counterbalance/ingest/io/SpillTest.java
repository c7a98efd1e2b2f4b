package dev.counterbalance.ingest.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.TraceInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpillTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 1000, 4096, 10_001})
  void sortsPairs(int count) {
    Random random = new Random(count);
    long[] first = new long[count];
    long[] second = new long[count];
    String[] expected = new String[count];
    for (int i = 0; i < count; i++) {
      first[i] = random.nextInt(50);
      second[i] = random.nextInt(1000);
      expected[i] = String.format("%04d %04d", first[i], second[i]);
    }
    Arrays.sort(expected);
    PairSort.sort(first, second, count);
    for (int i = 0; i < count; i++) {
      assertThat(String.format("%04d %04d", first[i], second[i])).isEqualTo(expected[i]);
    }
  }

  @Test
  void keepsPairsInTheirOrder() throws IOException {
    try (TempSpill spill = new TempSpill()) {
      for (int part = 0; part < 3; part++) {
        long[] first = new long[10_000];
        long[] second = new long[10_000];
        for (int i = 0; i < first.length; i++) {
          first[i] = part * 10_000L + i;
          second[i] = -first[i];
        }
        assertThat(spill.append(first, second, first.length)).isEqualTo(part * 10_000L);
      }
      TempSpill.Reader reader = spill.reader(9_000, 12_000);
      for (long expected = 9_000; expected < 21_000; expected++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.first()).isEqualTo(expected);
        assertThat(reader.second()).isEqualTo(-expected);
      }
      assertThat(reader.next()).isFalse();
    }
  }

  @Test
  void readsPiecesAcrossPages() throws IOException {
    byte[] bytes = new byte[300_000];
    new Random(1).nextBytes(bytes);
    try (TraceInput in = TraceInput.ofStream(new ByteArrayInputStream(bytes), "x")) {
      PageCache pages = new PageCache(in);
      Random random = new Random(2);
      for (int i = 0; i < 2000; i++) {
        int at = random.nextInt(bytes.length);
        int length = 1 + random.nextInt(Math.min(70_000, bytes.length - at));
        int index = pages.at(at, length);
        assertThat(Arrays.mismatch(pages.bytes(), index, index + length, bytes, at, at + length))
            .isEqualTo(-1);
      }
      assertThat(pages.at(bytes.length - 3, 4)).isEqualTo(-1);
    }
  }

  @Test
  void escapesJson() {
    assertThat(new Json().string("a\"", "\\\n\u007f\ud800é").number("n", -1).end())
        .isEqualTo("{\"a\\\"\":\"\\\\\\u000a\\u007f\\ud800é\",\"n\":-1}");
  }
}

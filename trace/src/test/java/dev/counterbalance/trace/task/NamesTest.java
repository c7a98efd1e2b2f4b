package dev.counterbalance.trace.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NamesTest {
  private final Names names = new Names();

  @Test
  void aCommIsItsBytesUpToTheFirstNul() {
    assertThat(names.text(comm("bash"))).isEqualTo("bash");
    assertThat(names.text(comm("kworker/u16:3-e"))).isEqualTo("kworker/u16:3-e");
    assertThat(comm("bash\0garbage")).isEqualTo(comm("bash"));
    assertThat(comm("exactly8\0rest")).isEqualTo(comm("exactly8"));
    assertThat(names.text(comm("exactly8"))).isEqualTo("exactly8");
    assertThat(comm("")).isEqualTo(Names.UNKNOWN);
    assertThat(comm("\0x")).isEqualTo(Names.UNKNOWN);
  }

  @Test
  void bytesAndTextMeetInOneId() {
    byte[] bytes = "swapper/0".getBytes(StandardCharsets.US_ASCII);
    assertThat(names.of(bytes, 0, bytes.length)).isEqualTo(comm("swapper/0"));
    assertThat(names.of("swapper/0")).isEqualTo(comm("swapper/0"));
  }

  @Test
  void bytesThatAreNoUtf8AreKeptApart() {
    int a = names.of(new byte[] {'a', (byte) 0xff}, 0, 2);
    int b = names.of(new byte[] {'a', (byte) 0xfe}, 0, 2);
    assertThat(a).isNotEqualTo(b);
    assertThat(names.text(a)).isEqualTo("a\u00ff");
  }

  @Test
  void thousandsOfNamesKeepTheirIds() {
    int[] ids = new int[20_000];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = comm("task-" + i);
    }
    for (int i = 0; i < ids.length; i++) {
      assertThat(comm("task-" + i)).isEqualTo(ids[i]);
      assertThat(names.text(ids[i])).isEqualTo("task-" + i);
    }
    assertThat(names.size()).isEqualTo(ids.length);
  }

  private int comm(String text) {
    byte[] bytes = new byte[16];
    byte[] given = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(given, 0, bytes, 0, given.length);
    long low = word(bytes, 0);
    long high = word(bytes, 8);
    long masked = Names.untilNul(low);
    boolean ended = masked != low || (low >>> 56) == 0;
    return names.ofComm(masked, ended ? 0 : Names.untilNul(high));
  }

  private static long word(byte[] bytes, int offset) {
    long word = 0;
    for (int i = 0; i < 8; i++) {
      word |= (bytes[offset + i] & 0xffL) << (8 * i);
    }
    return word;
  }
}

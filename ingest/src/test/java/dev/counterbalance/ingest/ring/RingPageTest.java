package dev.counterbalance.ingest.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.RingBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingPageTest {
  private static final int SIZE = 4096;
  private static final byte[] EVENT = {7, 7, 1, 2, 3, 4, 5, 6};

  private static RingBuilder builder() {
    return new RingBuilder(false, 8, SIZE);
  }

  private static List<String> walk(RingBuilder builder) {
    return walk(builder, new RingPage(PageLayout.ofLong(false, 8)));
  }

  /** Times and lengths of the events of one page, and whether it is broken. */
  private static List<String> walk(RingBuilder builder, RingPage page) {
    byte[] bytes = builder.toBytes();
    List<String> events = new ArrayList<>();
    assertThat(page.open(bytes, 0, SIZE)).isTrue();
    while (page.next()) {
      events.add(page.time + ":" + page.length);
    }
    if (page.isBroken()) {
      events.add("broken");
    }
    return events;
  }

  @ParameterizedTest
  @CsvSource({"false,8", "false,4", "true,8", "true,4"})
  void walksInEitherByteOrder(boolean bigEndian, int longSize) {
    RingBuilder builder =
        new RingBuilder(bigEndian, longSize, SIZE)
            .page(1000, 12)
            .event(5, EVENT)
            .longEvent(6, Arrays.copyOf(EVENT, 117))
            .extend(1L << 40)
            .event(7, EVENT);
    RingPage page = new RingPage(PageLayout.ofLong(bigEndian, longSize));
    assertThat(walk(builder, page))
        .containsExactly("1005:8", "1011:120", (1018 + (1L << 40)) + ":8");
    assertThat(page.lost()).isEqualTo(12);
    assertThat(page.type()).isEqualTo(0x707);
  }

  @Test
  void absoluteStampSetsTheTime() {
    assertThat(walk(builder().page(5).absolute(123_456_789_000L).event(9, EVENT)))
        .containsExactly("123456789009:8");
  }

  @Test
  void absoluteStampKeepsTheTopBits() {
    long top = 3L << 59;
    assertThat(walk(builder().page(top + 5).absolute(top + 100).event(1, EVENT)))
        .containsExactly((top + 101) + ":8");
    // The 59 bits went round: the carry goes to the top bits.
    long before = (2L << 59) - 10;
    long after = (2L << 59) + 20;
    assertThat(walk(builder().page(before).absolute(after).event(0, EVENT)))
        .containsExactly(after + ":8");
  }

  @Test
  void paddingPasses() {
    assertThat(walk(builder().page(10).padding(3, 20).event(1, EVENT).paddingToEnd(40)))
        .containsExactly("14:8");
    assertThat(walk(builder().page(10).event(1, EVENT).paddingToEnd(0))).containsExactly("11:8");
  }

  @Test
  void lossWithoutCount() {
    RingPage page = new RingPage(PageLayout.ofLong(false, 8));
    walk(builder().page(10, -1).event(1, EVENT), page);
    assertThat(page.lost()).isEqualTo(-1);
    walk(builder().page(10).event(1, EVENT), page);
    assertThat(page.lost()).isZero();
  }

  @Test
  void emptyPageHasNoEvents() {
    assertThat(walk(builder().page(10))).isEmpty();
  }

  @Test
  void eventsBeyondThePageAreBroken() {
    assertThat(walk(builder().page(10).event(1, EVENT).word(28, 1))).contains("broken");
    assertThat(walk(builder().page(10).word(30, 1))).containsExactly("broken");
    RingBuilder tooLong = builder().page(10).event(1, EVENT).word(0, 1).word(0, 1 << 20);
    assertThat(walk(tooLong)).containsExactly("11:8", "broken");
  }

  @Test
  void headersThatCannotBeRight() {
    RingPage page = new RingPage(PageLayout.ofLong(false, 8));
    byte[] bytes = builder().page(10).event(1, EVENT).toBytes();
    bytes[9] = 0x7f; // more data than a page has
    assertThat(page.open(bytes, 0, SIZE)).isFalse();
    bytes[9] = 0;
    bytes[14] = 1; // a bit that is never set
    assertThat(page.open(bytes, 0, SIZE)).isFalse();
    bytes[14] = 0;
    assertThat(page.open(bytes, 0, SIZE)).isTrue();
    bytes[7] = (byte) 0x80; // before the clock began
    assertThat(page.open(bytes, 0, SIZE)).isFalse();
  }

  @Test
  void clockRateScalesWithoutOverflow() {
    ClockRate rate = new ClockRate(1L << 31, 32);
    assertThat(rate.ns(1000)).isEqualTo(500);
    assertThat(rate.ns(1L << 62)).isEqualTo(1L << 61);
    assertThat(new ClockRate(3, 0).ns(Long.MAX_VALUE / 2)).isEqualTo(Long.MAX_VALUE);
    assertThat(new ClockRate(0xffffffffL, 1).ns(1L << 62)).isEqualTo(Long.MAX_VALUE);
  }
}

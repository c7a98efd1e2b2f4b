package dev.counterbalance.ingest.tracedat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceDatBuilder;
import dev.counterbalance.ingest.TraceFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be read is refused with a sentence; what is cut is read as far as it goes. */
class RefusalTest {

  private static TraceDatBuilder small(TraceDatBuilder b) {
    return b.cpu(
        0,
        b.ring()
            .page(1000)
            .event(0, b.switchEvent(7, 1, 0))
            .page(2000)
            .event(0, b.switchEvent(0, 1, 7))
            .page(3000)
            .event(0, b.switchEvent(7, 1, 0)));
  }

  private static void refuses(byte[] file, String sentence) {
    assertThatThrownBy(() -> Reading.read(file))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith("test.data: " + sentence);
  }

  @ParameterizedTest
  @ValueSource(strings = {"counter", "uptime"})
  void clocksThatCountNoTime(String clock) {
    refuses(
        small(TraceDatBuilder.v6().clock(clock)).file(),
        "counts by the clock " + clock + ", which");
    refuses(
        small(TraceDatBuilder.v7("none").clock(clock)).file(),
        "counts by the clock " + clock + ", which");
  }

  @Test
  void cyclesOfUnknownRate() {
    refuses(
        small(TraceDatBuilder.v7("none").clock("x86-tsc")).file(), "counts time in cycles (clock");
  }

  @Test
  void latencyText() {
    refuses(
        small(TraceDatBuilder.v6().tag("latency  ")).file(), "holds the text of a latency tracer");
  }

  @Test
  void oldEventHeaders() {
    refuses(
        small(TraceDatBuilder.v6().headerEvent("\ttype        :    2 bits\n")).file(),
        "was recorded by Linux 2.6.30 or older");
  }

  @Test
  void otherVersionsAndCompressions() {
    byte[] file = small(TraceDatBuilder.v6()).file();
    file[10] = '5';
    refuses(file, "at offset 0xa: is a trace.dat of version 5, expected version 6 or 7.");
    byte[] packed = small(TraceDatBuilder.v7("none")).file();
    System.arraycopy("lzma".getBytes(StandardCharsets.US_ASCII), 0, packed, 18, 4);
    refuses(packed, "is compressed with lzma, which is not read");
  }

  @Test
  void nothingAboutTheScheduler() {
    TraceDatBuilder b = new TraceDatBuilder(7, "zlib", false, 8);
    String text =
        EventTexts.format("thermal_temperature", 44, EventTexts.field("int id", 8, 4), "\"\"");
    b.format("thermal", text);
    byte[] event = b.bytes().u16(44).u16(0).u32(7).u32(1).toBytes();
    byte[] print = b.bytes().u16(5).u16(0).u32(7).u64(1).toBytes();
    b.cpu(0, b.ring().page(10).event(1, event).event(2, print));
    refuses(b.file(), "holds no scheduler events, only ftrace:print, thermal:thermal_temperature.");
  }

  @Test
  void noEventsAtAll() {
    TraceDatBuilder b = TraceDatBuilder.v6();
    refuses(b.cpu(0, b.ring().page(10)).file(), "holds no events at all");
  }

  @Test
  void cutWithinTheData() throws IOException {
    byte[] file = small(TraceDatBuilder.v6()).file();
    TextSink sink = Reading.read(Arrays.copyOf(file, file.length - 4100));
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.problemCodes()).containsExactly("truncated", "partial_page");
    assertThat(sink.problems.get(0).text())
        .isEqualTo("the file ends within the data of CPU 0: 4100 bytes of 12288 are missing");
    assertThat(sink.problems.get(0).firstOffset()).isEqualTo(file.length - 4100);
    assertThatThrownBy(
            () ->
                Reading.read(
                    Arrays.copyOf(file, file.length - 4100), options -> options.withStrict(true)))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("the file ends within the data of CPU 0");
  }

  @Test
  void cutBeforeTheData() {
    byte[] file = small(TraceDatBuilder.v6()).file();
    refuses(Arrays.copyOf(file, 2000), "at offset 0x");
    byte[] seven = small(TraceDatBuilder.v7("zstd")).file();
    refuses(Arrays.copyOf(seven, seven.length - 100), "at offset 0x");
  }
}

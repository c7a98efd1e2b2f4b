package dev.counterbalance.ingest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.trace.event.TraceInfo;
import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A file that is cut by its writer while it is read is no trace. */
class ShrinkingInputTest {
  @TempDir Path folder;

  static Stream<Arguments> recordings() throws IOException {
    Path samples = Path.of(System.getProperty("repo.root", ".."), "sample-traces");
    StringBuilder text = new StringBuilder("# tracer: nop\n");
    for (int i = 0; i < 100_000; i++) {
      text.append(
          String.format(
              "          <idle>-0       [000] d..2. %d.%06d: sched_switch: prev_comm=swapper/0"
                  + " prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7"
                  + " next_prio=120%n",
              100 + i / 1000, i % 1000));
    }
    return Stream.of(
        Arguments.of("perf.data", Files.readAllBytes(samples.resolve("mixed_k612/perf.data"))),
        Arguments.of("pipe", Reading.sample()),
        Arguments.of("text", text.toString().getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("recordings")
  void isRefused(String kind, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve("trace"), content);
    TextSink sink =
        new TextSink(new Names()) {
          @Override
          public void begin(TraceInfo info) {
            super.begin(info);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
              channel.truncate(content.length / 3);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    try (TraceInput in = TraceInput.ofFile(file)) {
      assertThatThrownBy(() -> Importers.load().read(in, ImportOptions.of(sink.names), sink))
          .isInstanceOf(TraceFormatException.class)
          .hasMessageContaining("the file became shorter while it was read");
    }
  }
}

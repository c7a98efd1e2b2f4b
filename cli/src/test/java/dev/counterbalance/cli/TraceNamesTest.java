package dev.counterbalance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceNamesTest {
  @ParameterizedTest
  @CsvSource({
    "perf.data, perf",
    "/tmp/run 1/perf.data, perf",
    "trace.dat, trace",
    "ftrace.txt.gz, ftrace",
    "v6.1.data, v6.1",
    "perf, perf",
    ".hidden, .hidden",
    "dir/, dir",
    "-, stdin"
  })
  void comeFromTheFile(String input, String name) {
    assertThat(TraceNames.of(input)).isEqualTo(name);
  }
}

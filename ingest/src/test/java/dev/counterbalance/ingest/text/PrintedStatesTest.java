package dev.counterbalance.ingest.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** States as kernels that no header names printed them; values as met in real traces. */
class PrintedStatesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // state/prev/next of each switch; what it means
        "0/5/6 1/5/6 2/5/6 256/5/6 128/5/0 16/5/6 32/5/6 8/5/6 64/5/6; R S D R+ I X Z t P",
        "0/0/5 1/5/0 4096/5/6 2/5/0 64/5/0 130/5/0 1026/6/0; R S R+ D X D I",
        "0/0/5 1/5/0 1024/5/6 64/5/0 130/5/0; R S R+ X D",
        "1/5/0 2048/5/6 0/0/1; S R+ R",
        "0/0/5 1/5/0 512/5/6 2/5/0; R S R+ D",
        "0/0/5 1/5/0 64/5/0 2/5/0; R S X D",
        "0/0/5 4096/5/6 8/5/0 5/5/0 6/5/0 1/5/0 2/5/0 3/5/0; R R+ I X Z S D T",
        "1/0/5 256/7/0 64/6/0 2/5/6 256/5/6 1/5/6; R I Z S R+ R",
        "R/0/5 S/5/0 R+/5/6 D|K/5/6 D|N/5/6 x/5/6 W/5/6 q/5/6 0x2/5/6; R S R+ D I X I ? D",
        "t/5/0 S|T/5/6 D|T/5/6 S/5/6; I X Z S",
        "t/5/0 S|T/5/6 I/5/6; t X I",
        "(S)/5/6 (R)/5/6 (D)/5/6; S R D",
      })
  void readsAs(String printed, String meant) {
    PrintedStates states = new PrintedStates();
    List<byte[]> texts = new ArrayList<>();
    List<Integer> next = new ArrayList<>();
    for (String one : printed.split(" ", -1)) {
      String[] parts = one.split("/", -1);
      byte[] text = Ascii.of(parts[0]);
      states.learn(text, 0, text.length, Integer.parseInt(parts[1]));
      texts.add(text);
      next.add(Integer.valueOf(parts[2]));
    }
    states.decide();
    List<String> read = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      byte[] text = texts.get(i);
      long raw = states.raw(text, 0, text.length, next.get(i), 0);
      read.add(states.prevState().text(raw));
    }
    assertThat(String.join(" ", read)).isEqualTo(meant);
  }

  /** A number that means one state is stored as it was recorded; else as the modern one. */
  @ParameterizedTest
  @CsvSource({
    "1024 1 2 130 64, 1024 1 2 130 64",
    "4096 1 8 5, 4096 1 8 5",
    "0 1 2 256, 0 1 2 256",
    "1024 1 S, 256 1 1",
  })
  void keepsNumbers(String printed, String stored) {
    PrintedStates states = new PrintedStates();
    List<byte[]> texts = new ArrayList<>();
    for (String one : printed.split(" ", -1)) {
      texts.add(Ascii.of(one));
      states.learn(Ascii.of(one), 0, one.length(), 5);
    }
    states.decide();
    List<String> raw = new ArrayList<>();
    for (byte[] text : texts) {
      raw.add(Long.toString(states.raw(text, 0, text.length, 6, 0)));
    }
    assertThat(String.join(" ", raw)).isEqualTo(stored);
  }
}

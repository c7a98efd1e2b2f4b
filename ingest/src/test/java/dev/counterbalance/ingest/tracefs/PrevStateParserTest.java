package dev.counterbalance.ingest.tracefs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.trace.kernel.PrevState;
import org.junit.jupiter.api.Test;

/** The encodings that kernels have had, as their print formats wrote them. */
class PrevStateParserTest {
  private static final String HEAD = "\"prev_state=%s ==> next_comm=%s\", REC->prev_comm, ";
  private static final String OLD_LETTERS =
      "{ 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" },"
          + " { 64, \"x\" }, { 128, \"%s\" }";

  @Test
  void before34() {
    String format =
        HEAD
            + "REC->prev_state ? __print_flags(REC->prev_state, \"|\", "
            + OLD_LETTERS.formatted("W")
            + ") : \"R\", REC->next_comm";
    PrevState state = PrevStateParser.parse(format);
    assertThat(state.text(0)).isEqualTo("R");
    assertThat(state.text(128)).isEqualTo("W");
    assertThat(state.text(512)).isEqualTo("R");
  }

  @Test
  void kernel310() {
    String format =
        HEAD
            + "REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), \"|\", "
            + OLD_LETTERS.formatted("K")
            + ", { 256, \"W\" }, { 512, \"P\" }) : \"R\", REC->prev_state & 1024 ? \"+\" : \"\"";
    PrevState state = PrevStateParser.parse(format);
    assertThat(state.text(1024)).isEqualTo("R+");
    assertThat(state.text(0x82)).isEqualTo("D|K");
    assertThat(state.text(512)).isEqualTo("P");
  }

  @Test
  void kernel414AndLater() {
    String all = "(0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040)";
    String max = "((" + all + " + 1) << 1)";
    String format =
        HEAD
            + "(REC->prev_state & ("
            + max
            + " - 1)) ? __print_flags(REC->prev_state & ("
            + max
            + " - 1), \"|\", { 0x0001, \"S\" }, { 0x0002, \"D\" }, { 0x0010, \"X\" },"
            + " { 0x0080, \"I\" }) : \"R\", REC->prev_state & "
            + max
            + " ? \"+\" : \"\", REC->next_comm";
    PrevState state = PrevStateParser.parse(format);
    assertThat(state.text(0x100)).isEqualTo("R+");
    assertThat(state.text(0x80)).isEqualTo("I");
    assertThat(state.isRunnable(0x100)).isTrue();
    assertThat(state.isRunnable(0x200)).isFalse();
  }

  @Test
  void numbersOnlyGiveNothing() {
    assertThat(PrevStateParser.parse("\"prev_state=%ld\", REC->prev_state")).isNull();
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> PrevStateParser.parse("__print_flags(REC->prev_state, \"|\")"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PrevStateParser.parse("__print_flags(x, { TASK_DEAD, \"S\" })"))
        .isInstanceOf(IllegalArgumentException.class);
    String deep = "(".repeat(10_000);
    assertThatThrownBy(() -> PrevStateParser.parse("__print_flags(x, {" + deep))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void foldsConstants() {
    assertThat(new ConstantExpression("((0x7f + 1) << 1) - 1 ? x", 0).value()).isEqualTo(255);
    assertThat(new ConstantExpression("1 | 2 & 6 << 1", 0).value()).isEqualTo(1);
    assertThat(new ConstantExpression("0x10UL + ~0 + 1", 0).value()).isEqualTo(16);
    assertThat(new ConstantExpression("-(2 - 5)", 0).value()).isEqualTo(3);
  }
}

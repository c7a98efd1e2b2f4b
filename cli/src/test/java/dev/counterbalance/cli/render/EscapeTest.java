package dev.counterbalance.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EscapeTest {
  @Test
  void textShowsWhatCouldMoveACursor() {
    assertThat(Escape.text("a\u001b[2Jb\rc\nd\te\u0000\u007f\u009b1m"))
        .isEqualTo("a\\x1b[2Jb\\rc\\nd\\te\\x00\\x7f\\x9b1m");
  }

  @Test
  void textShowsWhatReordersOrHides() {
    assertThat(Escape.text("x\u202egnp.exe\u200b\u2066\ufeff\u2028"))
        .isEqualTo("x\\u202egnp.exe\\u200b\\u2066\\ufeff\\u2028");
    assertThat(Escape.text("tag\udb40\udc41")).isEqualTo("tag\\U000e0041");
    assertThat(Escape.text("half\ud83d")).isEqualTo("half\\ud83d");
  }

  @Test
  void textKeepsReadableNames() {
    assertThat(Escape.text("kworker/3:1H-ü名\uD83D\uDE00")).isEqualTo("kworker/3:1H-ü名\uD83D\uDE00");
    assertThat(Escape.text("broken\ufffdname")).isEqualTo("broken\ufffdname");
  }

  @Test
  void asciiTerminalsGetAsciiOnly() {
    assertThat(Escape.text("ü名", false)).isEqualTo("\\xfc\\u540d");
  }

  @Test
  void nothingUnsafeComesThroughWhateverGoesIn() {
    SplittableRandom random = new SplittableRandom(42);
    for (int round = 0; round < 2000; round++) {
      StringBuilder name = new StringBuilder();
      for (int i = 0; i < 20; i++) {
        name.append((char) random.nextInt(round % 2 == 0 ? 0x100 : 0x10000));
      }
      assertThat(Escape.text(name.toString(), false)).matches("[ -~]*");
      assertThat(Escape.text(name.toString(), true))
          .doesNotMatch("(?s).*[\\p{Cntrl}\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069].*");
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = ';',
      value = {
        "=cmd|'/C calc'!A0;'=cmd|'/C calc'!A0",
        "+1;'+1",
        "-x;'-x",
        "@SUM(A1);'@SUM(A1)",
        "a=b;a=b",
        "a,b;\"a,b\"",
        "say \"hi\";\"say \"\"hi\"\"\"",
        "=\"x\";\"'=\"\"x\"\"\"",
        "plain;plain"
      })
  void csvTextIsNeitherFormulaNorTwoCells(String raw, String cell) {
    assertThat(Escape.csvText(raw)).isEqualTo(cell);
  }

  @Test
  void csvKeepsEmptyTextApartFromNull() {
    assertThat(Escape.csvText("")).isEqualTo("\"\"");
  }

  @Test
  void csvTextStaysOnItsLine() {
    assertThat(Escape.csvText("two\nlines\u001b")).isEqualTo("two\\nlines\\x1b");
    assertThat(Escape.csvText("\t=1")).isEqualTo("\\t=1");
  }

  @Test
  void markdownIsNeitherMarkupNorHtmlNorAnotherCell() {
    assertThat(Escape.markdown("a|b `c` *d* <script>alert(1)</script> &\n"))
        .isEqualTo("a\\|b \\`c\\` \\*d\\* &lt;script&gt;alert(1)&lt;/script&gt; &amp;\\\\n");
    assertThat(Escape.markdown("[x](http://y)")).isEqualTo("\\[x\\](http://y)");
  }
}

package dev.counterbalance.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.cli.render.Bars.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class BarsTest {
  @Test
  void partsShareTheWidth() {
    List<Part> parts = List.of(new Part(3, '█', '#'), new Part(1, '░', '.'));
    assertThat(Bars.of(parts, 8, true)).isEqualTo("██████░░");
    assertThat(Bars.of(parts, 8, false)).isEqualTo("######..");
  }

  @Test
  void roundingNeverChangesTheWidth() {
    for (int width = 1; width < 50; width++) {
      List<Part> parts =
          List.of(new Part(1, 'a', 'a'), new Part(1, 'b', 'b'), new Part(1, 'c', 'c'));
      assertThat(Bars.of(parts, width, false)).hasSize(width);
    }
  }

  @Test
  void nothingIsBlank() {
    assertThat(Bars.of(List.of(new Part(0, 'a', 'a')), 3, false)).isEqualTo("   ");
  }
}

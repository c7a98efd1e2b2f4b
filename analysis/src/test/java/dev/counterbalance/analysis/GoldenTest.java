package dev.counterbalance.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Entries against rows computed by hand. A folder has one {@code store.sql}; each CSV beside it
 * names its call in the first line and shows the arithmetic in further lines with {@code #}.
 */
class GoldenTest {
  private static Path root() {
    try {
      return Path.of(Objects.requireNonNull(GoldenTest.class.getResource("/golden")).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<String> cases() throws IOException {
    try (Stream<Path> files = Files.walk(root())) {
      return files
          .filter(f -> f.toString().endsWith(".csv"))
          .map(f -> root().relativize(f).toString())
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rowsAreThoseComputedByHand(String file) throws IOException, SQLException {
    List<String> lines = Files.readAllLines(root().resolve(file));
    String call = lines.get(0).substring(2);
    List<String> expected = lines.stream().filter(line -> !line.startsWith("#")).toList();
    try (Connection connection = TestStore.golden(file.substring(0, file.indexOf('/')))) {
      List<String> actual = TestStore.csv(connection, "SELECT * FROM " + call);
      if (call.contains("ORDER BY") || isOrdered(call)) {
        assertThat(actual).isEqualTo(expected);
      } else {
        assertThat(actual.get(0)).isEqualTo(expected.get(0));
        assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  private static boolean isOrdered(String call) {
    String name = call.substring(0, call.indexOf('('));
    return Catalogue.load().describe(name).orElseThrow().body().contains("\nORDER BY");
  }

  @Test
  void everyEntryHasACase() throws IOException {
    Set<String> tested = new TreeSet<>();
    for (String file : cases()) {
      String call = Files.readAllLines(root().resolve(file)).get(0).substring(2);
      tested.add(call.substring(0, call.indexOf('(')));
    }
    assertThat(tested)
        .containsExactlyElementsOf(
            Catalogue.load().list().stream()
                .filter(CatalogueEntry::hasView)
                .map(CatalogueEntry::name)
                .toList());
  }
}

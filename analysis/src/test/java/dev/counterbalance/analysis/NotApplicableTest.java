package dev.counterbalance.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotApplicableTest {
  private static final Catalogue CATALOGUE = Catalogue.load();

  private static void events(Connection connection, int trace, String... names)
      throws SQLException {
    for (String name : names) {
      TestStore.execute(
          connection,
          "INSERT INTO _trace_fact VALUES (%d, 'event', '%s', 0)".formatted(trace, name));
    }
  }

  @Test
  void saysWhatIsMissingAndWhatIsThere() throws SQLException {
    try (Connection connection = TestStore.empty()) {
      events(connection, 1, "sched:sched_switch", "sched:sched_wakeup_new", "irq:softirq_entry");
      events(connection, 2, "sched:sched_switch", "sched:sched_waking");
      events(connection, 3, "sched:sched_wakeup");
      NotApplicable answer = CATALOGUE.check(connection, "latency", 1).orElseThrow();
      assertThat(answer.message())
          .isEqualTo(
              "not applicable: needs sched_waking or sched_wakeup,"
                  + " this trace has sched_wakeup_new");
      assertThat(answer.present())
          .containsExactly("sched_switch", "sched_wakeup_new", "softirq_entry");
      assertThat(CATALOGUE.check(connection, "latency", 2)).isEmpty();
      assertThat(CATALOGUE.check(connection, "cpu_time", 3).orElseThrow().message())
          .isEqualTo("not applicable: needs sched_switch, this trace has sched_wakeup");
      assertThat(CATALOGUE.check(connection, "latency", 4)).as("says nothing").isEmpty();
    }
  }

  @Test
  void theClosestNameIsTheMostSimilarOne() {
    assertThat(
            NotApplicable.closest(
                List.of("sched_waking"), List.of("sched_switch", "sched_wakeup", "sched_waking2")))
        .isEqualTo("sched_waking2");
    assertThat(NotApplicable.closest(List.of("sched_waking"), List.of())).isEmpty();
  }

  @Test
  void unknownEntryIsRefused() throws SQLException {
    try (Connection connection = TestStore.empty()) {
      assertThatThrownBy(() -> CATALOGUE.check(connection, "latencies", 1))
          .hasMessage("no such catalogue entry: name=latencies");
    }
  }
}

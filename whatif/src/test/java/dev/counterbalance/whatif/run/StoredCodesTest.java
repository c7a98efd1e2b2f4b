package dev.counterbalance.whatif.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.store.ColumnSpec;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.Reason;
import dev.counterbalance.whatif.workload.Policy;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The schema knows words that the rules define: they must be the same, in the same order. */
class StoredCodesTest {
  @Test
  void reasonsAreStoredByTheirPlace() {
    assertThat(words("reason"))
        .isEqualTo(Arrays.stream(Reason.values()).map(Reason::code).toList());
  }

  @Test
  void idleTypesAreStoredByTheirPlace() {
    assertThat(words("idle_type"))
        .isEqualTo(Arrays.stream(IdleType.values()).map(type -> type.text).toList());
  }

  /** kernel-rules 2.1. */
  @Test
  void weightsAreTheKernels() {
    assertThat(Policy.NORMAL.weight(-20)).isEqualTo(88761);
    assertThat(Policy.NORMAL.weight(-15)).isEqualTo(29154);
    assertThat(Policy.BATCH.weight(0)).isEqualTo(1024);
    assertThat(Policy.NORMAL.weight(19)).isEqualTo(15);
    assertThat(Policy.IDLE.weight(-20)).isEqualTo(3);
  }

  private static List<String> words(String column) {
    ColumnSpec spec =
        Tables.BALANCE_DECISION.columns().get(Tables.BALANCE_DECISION.indexOf(column));
    return spec.codes();
  }
}

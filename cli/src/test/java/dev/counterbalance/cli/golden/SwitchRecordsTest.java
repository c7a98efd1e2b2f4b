package dev.counterbalance.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.counterbalance.trace.store.TraceStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Switches that come without priorities are stored without. */
class SwitchRecordsTest {
  @TempDir Path folder;

  @Test
  void prioritiesAreUnknown() throws Exception {
    Path recording =
        Path.of(System.getProperty("corpus", ""))
            .resolve("kernels/variants/switchevents.perf.data");
    assumeTrue(Files.exists(recording), "skipped: give the large recordings with -Dcorpus=DIR");
    try (TraceStore store = Recordings.importInto(folder.resolve("s.duckdb"), recording);
        Statement sql = store.connection().createStatement();
        ResultSet row =
            sql.executeQuery(
                "SELECT count(*), count(end_prio), count(next_prio) FROM sched_slice"
                    + " WHERE end_kind = 'switch'")) {
      row.next();
      assertThat(row.getLong(1)).isEqualTo(2218);
      assertThat(row.getLong(2)).isZero();
      assertThat(row.getLong(3)).isZero();
    }
  }
}

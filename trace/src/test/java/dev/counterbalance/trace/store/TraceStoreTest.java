package dev.counterbalance.trace.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceStoreTest {
  @TempDir Path folder;

  @Test
  void aStoreAppearsOnlyWhenPublished() throws Exception {
    Path file = folder.resolve("new.duckdb");
    try (TraceStore store = TraceStore.create(file)) {
      add(store, "one", 3);
      assertThat(file).doesNotExist();
    }
    assertThat(files()).isEmpty();

    try (TraceStore store = TraceStore.create(file)) {
      add(store, "one", 3);
      store.publish();
    }
    assertThat(files()).containsExactly(file);
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      assertThat(store.traces()).extracting(TraceRef::name).containsExactly("one");
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isEqualTo(3);
    }
  }

  @Test
  void everyBatchArrivesInOrderWithItsNulls() throws Exception {
    int rows = Column.ROWS * 2 + 17;
    Path file = folder.resolve("big.duckdb");
    try (TraceStore store = TraceStore.create(file)) {
      try (TraceImport trace = store.beginImport("t", false)) {
        TableWriter slices = trace.table(Tables.SCHED_SLICE);
        for (int i = 0; i < rows; i++) {
          slices.longs("ts").add(i * 7L);
          slices.longs("dur").add(i % 5 == 0 ? Column.NULL_LONG : i);
          slices.ints("cpu").add(i % 3);
          slices.ints("utid").add(i);
          slices.shorts("priority").add(i % 2 == 0 ? Column.NULL_SHORT : 120);
          slices.ints("end_state").add(i % 7 == 0 ? Column.NULL_INT : 1);
          slices.shorts("end_prio").add(120);
          slices.ints("next_utid").add(1);
          slices.shorts("next_prio").add(-1);
          slices.bytes("end_kind").add(i % 4);
          slices.bytes("censored").add(i % 2 == 1);
          slices.endRow();
        }
        trace.commit();
      }
      store.publish();
    }
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      assertThat(count(store, "SELECT count(*) FROM sched_slice WHERE trace_id = 1"))
          .isEqualTo(rows);
      assertThat(
              count(
                  store,
                  "SELECT count(*) FROM sched_slice WHERE ts = utid::BIGINT * 7 AND cpu = utid % 3"
                      + " AND dur IS NOT DISTINCT FROM CASE WHEN utid % 5 = 0 THEN NULL ELSE utid"
                      + " END AND (priority IS NULL) = (utid % 2 = 0) AND next_prio = -1"
                      + " AND (end_state IS NULL) = (utid % 7 = 0) AND censored = (utid % 2 = 1)"
                      + " AND end_kind = ['switch','lost','mismatch','end'][utid % 4 + 1]"))
          .isEqualTo(rows);
    }
  }

  @Test
  void anImportThatDoesNotCommitLeavesTheStoreAsItWas() throws Exception {
    Path file = store("a");
    try (TraceStore store = TraceStore.openReadWrite(file)) {
      try (TraceImport trace = store.beginImport("a", true)) {
        fill(trace, 99);
        trace.finish();
      }
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isEqualTo(3);
    }
    try (TraceStore store = TraceStore.openReadWrite(file)) {
      assertThat(store.traces()).extracting(TraceRef::name).containsExactly("a");
    }
  }

  @Test
  void aTakenNameIsRefusedUnlessReplaced() throws Exception {
    Path file = store("a");
    try (TraceStore store = TraceStore.openReadWrite(file)) {
      assertThatThrownBy(() -> store.beginImport("a", false))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("holds a trace named 'a'")
          .hasMessageContaining("--replace")
          .hasMessageContaining("-o");
      String before = store.traces().get(0).uuid();
      try (TraceImport trace = store.beginImport("a", true)) {
        fill(trace, 5);
        trace.commit();
      }
      assertThat(store.traces()).singleElement().matches(t -> !t.uuid().equals(before));
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isEqualTo(5);
    }
  }

  @Test
  void tracesAreRenamedRemovedMergedAndCompacted() throws Exception {
    Path file = store("a");
    Path other = folder.resolve("other.duckdb");
    try (TraceStore store = TraceStore.create(other)) {
      add(store, "a", 7);
      add(store, "b", 11);
      store.publish();
    }
    TraceStore.Reach reach = new TraceStore.Reach(java.util.Map.of("other", other), false, false);
    try (TraceStore store = TraceStore.open(file, TraceStore.Access.READ_WRITE, reach)) {
      assertThat(store.merge("other")).extracting(TraceRef::name).containsExactly("a-2", "b");
      assertThat(store.merge("other")).isEmpty();
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isEqualTo(21);
      store.rename(store.trace("a-2").orElseThrow(), "c");
      TraceRef taken = store.trace("b").orElseThrow();
      assertThatThrownBy(() -> store.rename(taken, "c")).isInstanceOf(StoreException.class);
      store.remove(taken);
      assertThat(store.traces()).extracting(TraceRef::name).containsExactly("a", "c");
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isEqualTo(10);
    }
    try (TraceStore store = TraceStore.openForCompaction(file)) {
      store.compact();
    }
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isEqualTo(10);
      assertThat(count(store, "SELECT count(*) FROM sched_slice")).isZero();
    }
    assertThat(files()).containsExactlyInAnyOrder(file, other);
  }

  @Test
  void whatIsNotAStoreIsRefusedWithASentence() throws Exception {
    Path text = Files.writeString(folder.resolve("x.duckdb"), "not a database at all");
    assertThatThrownBy(() -> TraceStore.openReadOnly(text)).hasMessageContaining("is not a store");
    assertThatThrownBy(() -> TraceStore.openReadOnly(folder))
        .hasMessageContaining("is a directory");
    assertThatThrownBy(() -> TraceStore.openReadOnly(folder.resolve("none")))
        .hasMessageContaining("no such store");
    Path foreign = folder.resolve("foreign.duckdb");
    try (var c = java.sql.DriverManager.getConnection("jdbc:duckdb:" + foreign);
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE t (i INTEGER)");
    }
    assertThatThrownBy(() -> TraceStore.openReadOnly(foreign))
        .hasMessageContaining("not a store of Counterbalance");
    Path newer = store("n");
    try (var c = java.sql.DriverManager.getConnection("jdbc:duckdb:" + newer);
        Statement s = c.createStatement()) {
      s.execute("UPDATE store_info SET schema_version = 999");
    }
    assertThatThrownBy(() -> TraceStore.openReadOnly(newer))
        .hasMessageContaining("schema version 999");
  }

  @Test
  void sqlReachesNothingButTheStore() throws Exception {
    Path file = store("a");
    Path secret = Files.writeString(folder.resolve("secret.csv"), "a,b\n1,2\n");
    try (TraceStore store = TraceStore.openReadOnly(file);
        Statement sql = store.connection().createStatement()) {
      for (String attempt :
          List.of(
              "SELECT * FROM '" + secret + "'",
              "SELECT * FROM read_csv('" + secret + "')",
              "SELECT * FROM glob('" + folder + "/*')",
              "COPY cpu_idle TO '" + folder.resolve("out.csv") + "'",
              "ATTACH '" + folder.resolve("z.duckdb") + "'",
              "INSTALL httpfs",
              "LOAD httpfs",
              "SET enable_external_access = true",
              "SET memory_limit = '100GB'",
              "INSERT INTO cpu_idle VALUES (1, 1, 1, 1)")) {
        assertThatThrownBy(() -> sql.execute(attempt)).as(attempt).isInstanceOf(SQLException.class);
      }
    }
    assertThat(folder.resolve("out.csv")).doesNotExist();
  }

  @Test
  void filesHaveTheOldestStorageVersionThatReadersKnow() throws Exception {
    Path file = store("a");
    byte[] head = java.util.Arrays.copyOf(Files.readAllBytes(file), 4096);
    // The version number of DuckDB 1.0's storage is 64; it stands after checksum and magic.
    assertThat(new String(head, 8, 4, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("DUCK");
    assertThat(head[12]).isEqualTo((byte) 64);
  }

  @Test
  void ofTwoNewStoresInOnePlaceTheFirstStays() throws Exception {
    Path file = folder.resolve("race.duckdb");
    try (TraceStore first = TraceStore.create(file)) {
      add(first, "first", 3);
      Path second = folder.resolve("elsewhere.duckdb");
      try (TraceStore other = TraceStore.create(second)) {
        add(other, "second", 4);
        other.publish();
      }
      Files.move(second, file);
      assertThatThrownBy(first::publish)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("appeared while this import ran");
    }
    try (TraceStore store = TraceStore.openReadOnly(file)) {
      assertThat(store.traces()).extracting(TraceRef::name).containsExactly("second");
    }
    assertThat(files()).containsExactly(file);
  }

  @Test
  void leftoversOfAKilledImportAreRemovedByTheNext() throws Exception {
    Path file = folder.resolve("k.duckdb");
    Path dead = Files.writeString(folder.resolve("k.duckdb.part-999999999.duckdb"), "x");
    Path deadWal = Files.writeString(folder.resolve("k.duckdb.part-999999999.duckdb.wal"), "x");
    try (TraceStore store = TraceStore.create(file)) {
      assertThat(store.traces()).isEmpty();
    }
    assertThat(dead).doesNotExist();
    assertThat(deadWal).doesNotExist();
  }

  @Test
  void aTraceIsTakenFromMemoryWhole() throws Exception {
    Path file = store("old");
    try (TraceStore memory = TraceStore.inMemory(100);
        TraceStore store = TraceStore.openReadWrite(file)) {
      add(memory, "other", 1);
      add(memory, "run", Column.ROWS + 5);
      try (TraceImport more = memory.beginAppend(memory.trace("run").orElseThrow())) {
        TableWriter domain = more.table(Tables.SCHED_DOMAIN);
        domain.ints("cpu").add(2);
        domain.ints("level").add(0);
        domain.texts("name").add("MC");
        domain.texts("span").add("1100");
        domain.texts("flags").add(null);
        domain.ints("imbalance_pct").add(125);
        domain.ints("min_interval").add(1);
        domain.ints("max_interval").add(Column.NULL_INT);
        domain.texts("source").add("derived");
        domain.endRow();
        more.commit();
      }
      TraceRef run = memory.trace("run").orElseThrow();
      TraceRef taken;
      try (TraceCopy copy = new TraceCopy(memory)) {
        taken = store.take(copy, run, store.trace("old"), true);
      }
      assertThat(store.traces()).containsExactly(taken);
      assertThat(taken).isEqualTo(new TraceRef(1, "run", run.uuid()));
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isEqualTo(Column.ROWS + 5);
      assertThat(
              count(
                  store,
                  "SELECT count(*) FROM sched_domain WHERE trace_id = 1 AND cpu = 2 AND name = 'MC'"
                      + " AND span = '1100'::BIT AND flags IS NULL AND max_interval IS NULL"))
          .isEqualTo(1);
    }
  }

  @Test
  void aClearedStoreTakesTheNextTrace() throws Exception {
    try (TraceStore memory = TraceStore.inMemory(100)) {
      add(memory, "one", 3);
      memory.clear();
      assertThat(memory.traces()).isEmpty();
      add(memory, "two", 4);
      assertThat(memory.traces()).extracting(TraceRef::traceId).containsExactly(1);
      assertThat(count(memory, "SELECT count(*) FROM cpu_idle")).isEqualTo(4);
    }
  }

  @Test
  void aTraceWithoutItsEventsSaysSo() throws Exception {
    try (TraceStore memory = TraceStore.inMemory(100);
        TraceStore store = TraceStore.create(folder.resolve("few.duckdb"))) {
      add(memory, "kept", 3);
      add(memory, "dropped", 4);
      try (Statement sql = memory.connection().createStatement()) {
        sql.execute("INSERT INTO _trace_fact VALUES (2, 'event', 'sched:sched_switch', 0)");
        sql.execute("INSERT INTO _trace_fact VALUES (2, 'HZ', '250', 0)");
        sql.execute("INSERT INTO run_metric VALUES (2, 'x.y', 'machine', NULL, 7, '')");
      }
      try (TraceCopy copy = new TraceCopy(memory)) {
        for (String name : List.of("kept", "dropped")) {
          TraceRef trace = memory.trace(name).orElseThrow();
          store.take(copy, trace, Optional.empty(), name.equals("kept"));
        }
      }
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isEqualTo(3);
      assertThat(count(store, "SELECT value FROM run_metric WHERE trace_id = 2")).isEqualTo(7);
      assertThat(
              count(
                  store,
                  "SELECT count(*) FROM trace_fact WHERE trace_id = 2 AND ((key = 'event' AND value"
                      + " = 'none') OR key = 'HZ')"))
          .isEqualTo(2);
      assertThat(count(store, "SELECT count(*) FROM trace_fact")).isEqualTo(2);
    }
  }

  @Test
  void aTraceWithoutFactsLosesItsEventsToo() throws Exception {
    try (TraceStore memory = TraceStore.inMemory(100);
        TraceStore store = TraceStore.create(folder.resolve("none.duckdb"))) {
      add(memory, "run", 2);
      try (TraceCopy copy = new TraceCopy(memory)) {
        store.take(copy, memory.traces().get(0), Optional.empty(), false);
      }
      assertThat(count(store, "SELECT count(*) FROM cpu_idle")).isZero();
      assertThat(count(store, "SELECT count(*) FROM trace_fact WHERE value = 'none'")).isEqualTo(1);
    }
  }

  @Test
  void tracesShareATransaction() throws Exception {
    int many = Column.ROWS - 2;
    try (TraceStore memory = TraceStore.inMemory(100)) {
      try (TraceImport trace = memory.beginImport("one", false)) {
        fill(trace, 3);
        trace.next("two");
        fill(trace, many);
        trace.next("three");
        trace.next("four");
        fill(trace, 1);
        trace.commit();
      }
      assertThat(memory.traces())
          .extracting(t -> t.traceId() + t.name())
          .containsExactly("1one", "2two", "4four");
      assertThat(memory.traces()).extracting(TraceRef::uuid).doesNotHaveDuplicates();
      assertThat(idle(memory, 1)).isEqualTo(3);
      assertThat(idle(memory, 2)).isEqualTo(many);
      assertThat(idle(memory, 4)).isEqualTo(1);
      try (TraceImport more = memory.beginAppend(memory.traces().get(2))) {
        idle(more, 5);
        more.turnTo(memory.traces().get(0));
        idle(more, 7);
        more.commit();
      }
      assertThat(idle(memory, 1)).isEqualTo(3 + 7);
      assertThat(idle(memory, 2)).isEqualTo(many);
      assertThat(idle(memory, 4)).isEqualTo(1 + 5);
    }
  }

  private static long idle(TraceStore store, int traceId) throws SQLException {
    return count(
        store,
        "SELECT count(*) FROM cpu_idle JOIN trace USING (trace_id) WHERE trace_id = " + traceId);
  }

  @Test
  void aStoreInMemoryReachesNoFile() throws Exception {
    try (TraceStore memory = TraceStore.inMemory(100);
        Statement sql = memory.connection().createStatement()) {
      for (String attempt :
          List.of(
              "COPY cpu_idle TO '" + folder.resolve("out.csv") + "'",
              "ATTACH '" + folder.resolve("z.duckdb") + "'",
              "SET memory_limit = '100GB'")) {
        assertThatThrownBy(() -> sql.execute(attempt)).as(attempt).isInstanceOf(SQLException.class);
      }
    }
    assertThat(files()).isEmpty();
  }

  private List<Path> files() throws java.io.IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  private Path store(String name) {
    Path file = folder.resolve(name + ".store.duckdb");
    try (TraceStore store = TraceStore.create(file)) {
      add(store, name, 3);
      store.publish();
    }
    return file;
  }

  private static void add(TraceStore store, String name, int rows) {
    try (TraceImport trace = store.beginImport(name, false)) {
      fill(trace, rows);
      trace.commit();
    }
  }

  private static void fill(TraceImport trace, int rows) {
    TableWriter row = trace.table(Tables.TRACE);
    for (ColumnSpec column : Tables.TRACE.columns()) {
      String name = column.name();
      switch (column.type()) {
        case VARCHAR ->
            row.texts(name)
                .add(
                    name.equals("name") ? trace.name() : name.equals("uuid") ? trace.uuid() : null);
        case CODE -> row.bytes(name).add(0);
        case BIGINT -> row.longs(name).add(Column.NULL_LONG);
        default -> row.ints(name).add(Column.NULL_INT);
      }
    }
    row.endRow();
    idle(trace, rows);
  }

  private static void idle(TraceImport trace, int rows) {
    TableWriter idle = trace.table(Tables.CPU_IDLE);
    for (int i = 0; i < rows; i++) {
      idle.longs("ts").add(i);
      idle.ints("cpu").add(0);
      idle.ints("state").add(-1);
      idle.endRow();
    }
  }

  private static long count(TraceStore store, String sql) throws SQLException {
    try (Statement statement = store.connection().createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}

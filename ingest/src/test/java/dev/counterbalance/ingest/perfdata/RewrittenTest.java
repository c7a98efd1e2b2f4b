package dev.counterbalance.ingest.perfdata;

import static dev.counterbalance.ingest.EventTexts.bigEndianSwitch;
import static dev.counterbalance.ingest.EventTexts.switchEvent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.EventTexts;
import dev.counterbalance.ingest.ImportOptions;
import dev.counterbalance.ingest.Importers;
import dev.counterbalance.ingest.LeBytes;
import dev.counterbalance.ingest.PerfDataBuilder;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.task.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs that are rewritten first: compressed, big-endian, directories. */
class RewrittenTest {
  private static final int ROUND = 68;
  private static final byte[] ARCH = new LeBytes().headerString("x86_64").toBytes();

  private static PerfDataBuilder builder() {
    return events(new PerfDataBuilder());
  }

  private static PerfDataBuilder events(PerfDataBuilder builder) {
    return builder
        .event("sched", EventTexts.SWITCH, EventTexts.SWITCH_ID)
        .event("sched", EventTexts.WAKING, EventTexts.WAKING_ID);
  }

  /** Some records of every kind that is read. */
  private static PerfDataBuilder filled(PerfDataBuilder builder) {
    builder.idIndex(-1).comm(0, 7, 0, "seven", false);
    for (int i = 0; i < 40; i++) {
      int cpu = i % 2;
      builder
          .sample(0, cpu, 7, 1000 + i * 10, switchEvent(7, i % 3, 1))
          .sample(1, cpu, 7, 1001 + i * 10, EventTexts.waking(7, 9, 1, 0))
          .comm(cpu, 8, 1002 + i * 10, "name" + i, true)
          .fork(cpu, 20 + i, 7, 1003 + i * 10)
          .exit(cpu, 20 + i, 1004 + i * 10)
          .lost(cpu, 7, 1005 + i * 10, 3)
          .record(ROUND, 0, new byte[0]);
    }
    return builder.lostSamples(0, 0, 130);
  }

  private static void same(TextSink actual, TextSink expected) {
    assertThat(actual.texts).isEqualTo(expected.texts).isNotEmpty();
    assertThat(actual.others).isEqualTo(expected.others).isNotEmpty();
    assertThat(actual.problemCodes()).isEqualTo(expected.problemCodes());
    assertThat(actual.lostEvents).isEqualTo(expected.lostEvents);
  }

  @ParameterizedTest
  @ValueSource(ints = {81, 83})
  void compressedRecordsReadAsPlainOnes(int type) throws IOException {
    TextSink plain = Reading.read(filled(builder()).file());
    for (int chunk : new int[] {1, 7, 8, 61, 1000, 60000}) {
      same(Reading.read(filled(builder()).compress(0, chunk, type).file()), plain);
      same(Reading.read(filled(builder()).compress(0, chunk, type).pipe()), plain);
    }
    byte[] announced = filled(builder()).compress(0, 61, type).feature(27, new byte[20]).file();
    same(Reading.read(announced), plain);
  }

  @Test
  void plainRecordsBetweenHalvesOfACompressedOneTakeEffectInTheirOrder() throws IOException {
    byte[] first = builder().sample(0, 0, 7, 1000, switchEvent(7, 0, 1)).records();
    PerfDataBuilder builder = builder();
    builder.compressed(Arrays.copyOf(first, 20), 81);
    builder.sample(0, 1, 7, 900, switchEvent(7, 1, 1));
    builder.compressed(Arrays.copyOfRange(first, 20, first.length), 81);
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).hasSize(2);
    assertThat(sink.texts.get(0)).startsWith("900 1 7 ");
    assertThat(sink.problems).isEmpty();
  }

  @Test
  void whatWasInflatedBeforeDamageIsKept() throws IOException {
    PerfDataBuilder builder = builder();
    for (int i = 0; i < 10; i++) {
      byte[] one = builder().sample(0, 0, 7, 1000 + i, switchEvent(7, 1, 0)).records();
      if (i == 5) {
        builder.record(81, 0, new byte[] {7, 7, 7, 7, 7, 7, 7, 7, 7});
      }
      builder.compressed(one, 81);
    }
    byte[] file = builder.file();
    TextSink sink = Reading.read(file);
    assertThat(sink.texts).hasSize(5);
    assertThat(sink.problemCodes()).containsExactly("bad_compressed_record", "events_not_inflated");
    Problem problem = sink.problems.get(0);
    assertThat(problem.count()).isEqualTo(6);
    int at = (int) problem.firstOffset();
    assertThat(file[at]).as("the type at the told place").isEqualTo((byte) 81);
    assertThat(file[at + 8]).isEqualTo((byte) 7);
  }

  @Test
  void aNewStreamAfterDamageIsRead() throws IOException {
    byte[] one = builder().sample(0, 0, 7, 1000, switchEvent(7, 1, 0)).records();
    byte[] two = builder().sample(0, 0, 7, 2000, switchEvent(7, 1, 0)).records();
    byte[] fresh = new PerfDataBuilder().compressed(two, 81).records();
    PerfDataBuilder builder = builder().compressed(Arrays.copyOf(one, 30), 81);
    builder.record(81, 0, new byte[] {7, 7, 7, 7}).loose(fresh);
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.texts.get(0)).startsWith("2000 ");
    assertThat(sink.problemCodes()).contains("bad_compressed_record");
  }

  @Test
  void aRecordOfNoSizeEndsTheCompressedStream() throws IOException {
    byte[] one = builder().sample(0, 0, 7, 1000, switchEvent(7, 1, 0)).records();
    PerfDataBuilder builder = builder().compressed(one, 81).compressed(new byte[100], 81);
    builder.compressed(one, 81).sample(0, 1, 7, 3000, switchEvent(7, 1, 0));
    TextSink sink = Reading.read(builder.file());
    assertThat(sink.texts).hasSize(2);
    assertThat(sink.problemCodes()).containsExactly("bad_record_size");
  }

  @Test
  void aCutCompressedStreamIsTold() throws IOException {
    byte[] one = builder().sample(0, 0, 7, 1000, switchEvent(7, 1, 0)).records();
    PerfDataBuilder builder = builder().compressed(one, 81).compressed(Arrays.copyOf(one, 50), 81);
    assertThat(Reading.read(builder.pipe()).problemCodes()).containsExactly("truncated");
    byte[] pipe = builder().compressed(one, 81).compressed(one, 81).pipe();
    TextSink sink = Reading.read(Arrays.copyOf(pipe, pipe.length - 3));
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.problemCodes()).containsExactly("truncated");
  }

  @Test
  void bigEndianReadsAsLittleEndian() throws IOException {
    TextSink plain = Reading.read(filled(builder()).file());
    same(Reading.read(filled(events(new PerfDataBuilder().bigEndian())).file()), plain);
    same(Reading.read(filled(events(new PerfDataBuilder().bigEndian())).pipe()), plain);
    for (int chunk : new int[] {61, 60000}) {
      for (int type : new int[] {81, 83}) {
        PerfDataBuilder big = filled(events(new PerfDataBuilder().bigEndian()));
        same(Reading.read(big.compress(0, chunk, type).file()), plain);
        same(Reading.read(big.pipe()), plain);
      }
    }
  }

  @Test
  void bigEndianEventsReadAsLittleEndianOnes() throws IOException {
    TextSink plain = Reading.read(builder().sample(0, 0, 7, 1000, switchEvent(7, 1, 9)).file());
    PerfDataBuilder big = events(new PerfDataBuilder().bigEndian().bigPayload());
    TextSink sink = Reading.read(big.sample(0, 0, 7, 1000, bigEndianSwitch(7, 1, 9)).file());
    assertThat(sink.texts).isEqualTo(plain.texts).hasSize(1);
    assertThat(sink.problems).isEmpty();
    long byRawType = PerfDataBuilder.USUAL & ~PerfDataBuilder.IDENTIFIER;
    big = events(new PerfDataBuilder().bigEndian().bigPayload().sampleType(byRawType));
    sink = Reading.read(big.sample(0, 0, 7, 1000, bigEndianSwitch(7, 1, 9)).file());
    assertThat(sink.texts).isEqualTo(plain.texts);
  }

  @Test
  void theVariablePartsOfBigEndianSamplesAreSwapped() throws IOException {
    long type = PerfDataBuilder.USUAL | PerfDataBuilder.READ | PerfDataBuilder.CALLCHAIN;
    for (long format : new long[] {0, 3, 4, 16 | 4, 8 | 4, 8 | 4 | 3 | 16}) {
      PerfDataBuilder big = events(new PerfDataBuilder().bigEndian());
      big.sampleType(type).readFormat(format);
      LeBytes variable = new LeBytes(true);
      int times = Long.bitCount(format & 3);
      int each = 1 + Long.bitCount(format & 20);
      boolean group = (format & 8) != 0;
      if (group) {
        variable.u64(2);
      }
      for (int i = 0; i < times + each * (group ? 2 : 1); i++) {
        variable.u64(77);
      }
      variable.u64(3).u64(1).u64(2).u64(3);
      big.sampleWithId(big.id(0, 1), 1, 7, 1000, variable.toBytes(), switchEvent(7, 1, 9));
      TextSink sink = Reading.read(big.file());
      assertThat(sink.texts).hasSize(1);
      assertThat(sink.problems).isEmpty();
    }
  }

  @Test
  void aBitmapOf32BitWordsIsRead() throws IOException {
    byte[] arch = new LeBytes(true).headerString("ppc").toBytes();
    byte[] host = new LeBytes(true).headerString("old").toBytes();
    PerfDataBuilder big = events(new PerfDataBuilder().bigEndian().halfWords());
    big.sample(0, 0, 7, 1000, switchEvent(7, 1, 9));
    TextSink sink = Reading.read(big.feature(3, host).feature(6, arch).file());
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.info.arch).isEqualTo("ppc");
  }

  @Test
  void versionOneIsReadInBothOrders() throws IOException {
    for (boolean big : new boolean[] {false, true}) {
      PerfDataBuilder builder = new PerfDataBuilder();
      builder = events((big ? builder.bigEndian() : builder).attrSize(64).magic("PERFFILE"));
      builder.sample(0, 0, 7, 1000, switchEvent(7, 1, 9));
      assertThat(Reading.read(builder.file()).texts).hasSize(1);
      assertThat(Reading.read(builder.pipe()).texts).hasSize(1);
    }
  }

  @Test
  void anAttrLargerThanKnownIsRead() throws IOException {
    PerfDataBuilder builder = builder().attrSize(200).clock(1);
    TextSink sink = Reading.read(builder.sample(0, 0, 7, 1000, switchEvent(7, 1, 9)).file());
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.info.clock).isEqualTo("monotonic");
  }

  private static TextSink readPath(Path path) throws IOException {
    TextSink sink = new TextSink(new Names());
    try (TraceInput in = Importers.open(path.toString())) {
      Importers.load().read(in, ImportOptions.of(sink.names), sink);
    }
    return sink;
  }

  @Test
  void aDirectoryIsOneRecording(@TempDir Path folder) throws IOException {
    byte[] one = builder().sample(0, 0, 7, 1000, switchEvent(7, 1, 0)).records();
    byte[] two = builder().sample(0, 1, 8, 900, switchEvent(8, 1, 0)).records();
    byte[] main = builder().idIndex(-1).feature(24, new LeBytes().u64(1).toBytes()).file();
    Files.write(folder.resolve("data"), main);
    Files.write(folder.resolve("data.0"), one);
    Files.write(folder.resolve("data.10"), builder().compressed(two, 81).records());
    Files.write(folder.resolve("data.9"), builder().compressed(two, 83).records());
    Files.write(folder.resolve("data.old"), new byte[100]);
    TextSink sink = readPath(folder);
    assertThat(sink.texts).hasSize(3);
    assertThat(sink.problems).isEmpty();
    Files.write(folder.resolve("data.9"), Arrays.copyOf(one, 30));
    sink = readPath(folder);
    assertThat(sink.texts).hasSize(2);
    assertThat(sink.problemCodes()).isEqualTo(List.of("truncated"));
    assertThat(sink.problems.get(0).firstOffset()).isEqualTo(-1);
  }

  @Test
  void theCpusOfACutFileAreUnknownFromThere(@TempDir Path folder) throws IOException {
    PerfDataBuilder zero = builder();
    PerfDataBuilder one = builder();
    for (int i = 0; i < 10; i++) {
      zero.sample(0, 0, 7, 1000 + i, switchEvent(7, 1, 0));
      one.sample(0, 1, 8, 1000 + i, switchEvent(8, 1, 0));
    }
    byte[] plain = one.records();
    byte[] main = builder().idIndex(-1).feature(24, new LeBytes().u64(1).toBytes()).file();
    Files.write(folder.resolve("data"), main);
    Files.write(folder.resolve("data.0"), zero.records());
    Files.write(folder.resolve("data.1"), Arrays.copyOf(plain, plain.length / 2 + 10));
    TextSink sink = readPath(folder);
    assertThat(sink.others)
        .contains("loss begin 1004 cpu=1", "loss end 1009 cpu=1 lost=-1 tid=-1 cut");
    byte[] damaged =
        builder().compressed(Arrays.copyOf(plain, plain.length / 2 + 10), 81).records();
    Files.write(folder.resolve("data.1"), damaged);
    assertThat(readPath(folder).others).contains("loss begin 1004 cpu=1");
    Files.write(folder.resolve("data.1"), plain);
    assertThat(readPath(folder).others).noneMatch(text -> text.startsWith("loss"));
  }

  @Test
  void aDirectoryWithoutAMainFileIsNone(@TempDir Path folder) throws IOException {
    PerfDataImporter importer = new PerfDataImporter();
    assertThat(importer.sniff(folder)).isZero();
    Files.write(folder.resolve("data"), ARCH);
    assertThat(importer.sniff(folder)).isZero();
    Files.write(folder.resolve("data"), builder().file());
    assertThat(importer.sniff(folder)).isPositive();
    Files.writeString(folder.resolve("bundle.json"), "{}");
    assertThat(importer.sniff(folder)).isZero();
  }
}

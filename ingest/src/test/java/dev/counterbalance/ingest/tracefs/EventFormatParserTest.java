package dev.counterbalance.ingest.tracefs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.EventTexts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventFormatParserTest {

  private static Field field(String line) {
    String text = EventTexts.format("e", 1, "\tfield:" + line + "\n", "\"\"");
    EventFormat format = EventFormatParser.parse("sched", text, false);
    return format.fields().get(format.fields().size() - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pid_t pid;offset:24;size:4;signed:1;           | pid      | NUMBER   | true  | 1",
        "unsigned long x;offset:24;size:8;signed:0;     | x        | NUMBER   | false | 1",
        "char comm[16];offset:8;size:16;signed:1;       | comm     | TEXT     | true  | 16",
        "char comm[TASK_COMM_LEN];offset:8;size:16;     | comm     | TEXT     | true  | 16",
        "__data_loc char[] name;offset:8;size:4;        | name     | DATA_LOC | false | 1",
        "__rel_loc char[] name;offset:8;size:4;         | name     | REL_LOC  | false | 1",
        "void * fn;offset:8;size:8;signed:0;            | fn       | NUMBER   | false | 1",
        "long x[4];offset:8;size:32;signed:1;           | x        | ARRAY    | true  | 4",
        "enum foo e;offset:8;size:4;signed:0;           | e        | NUMBER   | false | 1",
        "char __attribute__((user)) * p;offset:8;size:8;| char     | NUMBER   | false | 1",
        "u8 mac[6];offset:8;size:6;signed:0;            | mac      | ARRAY    | false | 6",
        "bool group_dead;offset:8;size:1;signed:0;      | group_dead | NUMBER | false | 1",
      })
  void readsDeclarations(String line, String name, Field.Kind kind, boolean signed, int elements) {
    Field field = field(line);
    assertThat(field.kind()).isEqualTo(kind);
    assertThat(field.signed()).isEqualTo(signed);
    assertThat(field.elements()).isEqualTo(elements);
    if (!line.contains("__attribute__")) {
      assertThat(field.name()).isEqualTo(name);
    }
  }

  @Test
  void takesTheTypesSignWhereTheFormatHasNone() {
    assertThat(field("int prio;offset:8;size:4;").signed()).isTrue();
    assertThat(field("u64 delay;offset:8;size:8;").signed()).isFalse();
    assertThat(field("unsigned int x;offset:8;size:4;").signed()).isFalse();
  }

  @Test
  void readsByTheSizeAndNotByTheType() {
    Field state = field("long prev_state;offset:8;size:4;signed:1;");
    byte[] bytes = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, 9, 9, 9, 9};
    assertThat(Payload.number(bytes, 0, Payload.number(state))).isEqualTo(-1);
    assertThat(Payload.end(Payload.number(state))).isEqualTo(12);
  }

  @Test
  void keepsOffsetsOfKernelsWithPadding() {
    String text =
        """
        name: sched_stat_wait
        ID: 61
        format:
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
        \tfield:int common_padding;\toffset:8;\tsize:4;\tsigned:1;

        \tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:1;
        \tfield:pid_t pid;\toffset:28;\tsize:4;\tsigned:1;
        """;
    EventFormat format = EventFormatParser.parse("sched", text, false);
    assertThat(format.field("comm").offset()).isEqualTo(12);
    assertThat(format.field("pid").offset()).isEqualTo(28);
    assertThat(format.field("common_padding").isCommon()).isTrue();
    assertThat(format.field("none")).isNull();
    assertThat(format.printFormat()).isEmpty();
  }

  @Test
  void refusesTextsWithoutNameOrSize() {
    assertThatThrownBy(() -> EventFormatParser.parse("s", "ID: 5\n", false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EventFormatParser.parse("s", "name: a\nID: x\n", false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> field("int x;offset:8;")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> field("int x;offset:65530;size:8;"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.counterbalance.ingest.tracefs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.LeBytes;
import dev.counterbalance.trace.task.Names;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadTest {
  private final Names names = new Names();

  private static Field field(Field.Kind kind, String type, int offset, int size) {
    return new Field("f", type, offset, size, true, kind, 1, false);
  }

  private String name(byte[] bytes, Field field) {
    return names.text(Payload.name(bytes, 0, bytes.length, Payload.text(field), names));
  }

  @ParameterizedTest
  @CsvSource({
    "1,true,-1",
    "1,false,255",
    "2,true,-1",
    "2,false,65535",
    "4,true,-1",
    "4,false,4294967295",
    "8,true,-1"
  })
  void readsEveryWidth(int size, boolean signed, long expected) {
    Field field = new Field("f", "x", 3, size, signed, Field.Kind.NUMBER, 1, false);
    byte[] bytes = new LeBytes().zeros(3).u64(-1).u64(-1).toBytes();
    assertThat(Payload.number(bytes, 0, Payload.number(field))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1,true,-127",
    "1,false,129",
    "2,true,-32510",
    "2,false,33026",
    "4,true,-2130574588",
    "4,false,2164392708",
    "8,true,-9150748177064392952"
  })
  void readsEveryWidthOfBigEndianMachines(int size, boolean signed, long expected) {
    Field field = new Field("f", "x", 3, size, signed, Field.Kind.NUMBER, 1, true);
    byte[] bytes = {0, 0, 0, (byte) 0x81, 2, 3, 4, 5, 6, 7, 8};
    assertThat(Payload.number(bytes, 0, Payload.number(field))).isEqualTo(expected);
    assertThat(Payload.end(Payload.number(field))).isEqualTo(3 + size);
  }

  @Test
  void readsDynamicNamesOfBigEndianMachines() {
    Field dataLoc = new Field("f", "__data_loc char[]", 0, 4, false, Field.Kind.DATA_LOC, 1, true);
    byte[] bytes = new LeBytes().u8(0).u8(5).u8(0).u8(6).u16(0).text("four").u8(0).toBytes();
    assertThat(name(bytes, dataLoc)).isEqualTo("four");
    assertThat(Payload.end(Payload.text(dataLoc))).isEqualTo(4);
  }

  @Test
  void readsFixedNames() {
    Field comm = field(Field.Kind.TEXT, "char", 2, 16);
    assertThat(name(new LeBytes().zeros(2).text("short", 16).toBytes(), comm)).isEqualTo("short");
    assertThat(name(new LeBytes().zeros(2).text("eightchr\0garbage").toBytes(), comm))
        .isEqualTo("eightchr");
    assertThat(name(new LeBytes().zeros(2).text("seven77\0garbage!").toBytes(), comm))
        .isEqualTo("seven77");
    assertThat(name(new LeBytes().zeros(2).text("fifteen letters", 16).toBytes(), comm))
        .isEqualTo("fifteen letters");
    assertThat(name(new byte[18], comm)).isNull();
    Field small = field(Field.Kind.TEXT, "char", 0, 6);
    assertThat(name(new LeBytes().text("sixsix").toBytes(), small)).isEqualTo("sixsix");
  }

  @Test
  void readsDynamicNames() {
    Field dataLoc = field(Field.Kind.DATA_LOC, "__data_loc char[]", 4, 4);
    Field relLoc = field(Field.Kind.REL_LOC, "__rel_loc char[]", 4, 4);
    byte[] absolute = new LeBytes().u32(0).u32((5 << 16) | 10).u16(0).text("four").u8(0).toBytes();
    byte[] relative = new LeBytes().u32(0).u32((5 << 16) | 2).u16(0).text("four").u8(0).toBytes();
    assertThat(name(absolute, dataLoc)).isEqualTo("four");
    assertThat(name(relative, relLoc)).isEqualTo("four");
    byte[] longer =
        new LeBytes().u32(0).u32((30 << 16) | 8).text("/a/path/that/is/long", 30).toBytes();
    assertThat(name(longer, dataLoc)).isEqualTo("/a/path/that/is/long");
    byte[] outside = new LeBytes().u32(0).u32(0xffffffffL).toBytes();
    assertThat(name(outside, dataLoc)).isNull();
    assertThat(name(new LeBytes().u64(0).toBytes(), dataLoc)).isNull();
  }

  @Test
  void writesAnyEventAsJson() {
    EventFormat format =
        new EventFormat(
            "x",
            "y",
            1,
            List.of(
                new Field("common_type", "u16", 0, 2, false, Field.Kind.NUMBER, 1, false),
                new Field("big", "u64", 2, 8, false, Field.Kind.NUMBER, 1, false),
                new Field("list", "s16", 10, 4, true, Field.Kind.ARRAY, 2, false),
                new Field("text", "__data_loc char[]", 14, 4, false, Field.Kind.DATA_LOC, 1, false),
                new Field("beyond", "u64", 100, 8, false, Field.Kind.NUMBER, 1, false)),
            "");
    byte[] bytes =
        new LeBytes().u16(1).u64(-1).u16(-2).u16(3).u32((4 << 16) | 18).text("a\tb\0").toBytes();
    assertThat(ArgsJson.of(format, bytes, 0, bytes.length))
        .isEqualTo("{\"big\":18446744073709551615,\"list\":[-2,3],\"text\":\"a\\u0009b\"}");
  }
}

package dev.counterbalance.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableWritersTest {
  private static final List<Column> COLUMNS =
      List.of(
          Column.of("cpu", Kind.NUMBER),
          Column.of("name", Kind.TEXT),
          Column.of("share", Kind.NUMBER),
          Column.of("censored", Kind.TEXT));

  private static String write(Format format, boolean unicode) throws IOException {
    StringWriter out = new StringWriter();
    TableWriter writer = format.writer(out, unicode);
    writer.begin(COLUMNS);
    writer.row(0, "init", 12.5, true);
    writer.row(-11, "=cmd\u001b[31m|\"x\"\n<script>", null, false);
    writer.row(3, null, 1e-7, null);
    writer.end();
    return out.toString();
  }

  @Test
  void textIsAligned() throws IOException {
    assertThat(write(Format.TEXT, true))
        .isEqualTo(
            """
            cpu  name                            share  censored
            ---  --------------------------  ---------  --------
              0  init                             12.5  true
            -11  =cmd\\x1b[31m|"x"\\n<script>       NULL  false
              3  NULL                        0.0000001  NULL
            """);
  }

  @Test
  void csvQuotesAndDefusesTextOnly() throws IOException {
    assertThat(write(Format.CSV, true))
        .isEqualTo(
            """
            cpu,name,share,censored
            0,init,12.5,true
            -11,"'=cmd\\x1b[31m|""x""\\n<script>",,false
            3,,0.0000001,
            """);
  }

  @Test
  void markdownKeepsItsColumns() throws IOException {
    assertThat(write(Format.MARKDOWN, true))
        .isEqualTo(
            """
            | cpu | name | share | censored |
            |---:|---|---:|---|
            | 0 | init | 12.5 | true |
            | -11 | =cmd\\\\x1b\\[31m\\|"x"\\\\n&lt;script&gt; | NULL | false |
            | 3 | NULL | 0.0000001 | NULL |
            """);
  }

  @Test
  void jsonIsAnArrayOfObjects() throws IOException {
    assertThat(write(Format.JSON, true))
        .isEqualTo(
            """
            [
            {"cpu": 0, "name": "init", "share": 12.5, "censored": true},
            {"cpu": -11, "name": "=cmd\\u001B[31m|\\"x\\"\\n<script>", "share": null, "censored": false},
            {"cpu": 3, "name": null, "share": 0.0000001, "censored": null}
            ]
            """);
  }

  @Test
  void jsonLosesNothingAndShowsNothingHarmful() throws IOException {
    String hostile = "\u202egnp\u009b\u007f\u2028 ü \uD83D\uDE00 \\ \"";
    StringWriter out = new StringWriter();
    TableWriter writer = Format.JSON.writer(out, true);
    writer.begin(List.of(Column.of("name", Kind.TEXT)));
    writer.row(hostile);
    writer.row(Double.NaN);
    writer.end();
    assertThat(out.toString()).doesNotMatch("(?s).*[\\u202e\\u009b\\u007f\\u2028].*");
    try (JsonParser parser = new JsonFactory().createParser(out.toString())) {
      while (parser.nextToken() != null && !"name".equals(parser.currentName())) {
        // On to the member.
      }
      assertThat(parser.nextTextValue()).isEqualTo(hostile);
    }
  }

  @Test
  void jsonWithoutRowsIsAnEmptyArray() throws IOException {
    StringWriter out = new StringWriter();
    TableWriter writer = Format.JSON.writer(out, true);
    writer.begin(COLUMNS);
    writer.end();
    assertThat(out.toString()).isEqualTo("[]\n");
  }

  @Test
  void jsonTablesWithLabelsAreOneArray() throws IOException {
    StringWriter out = new StringWriter();
    JsonWriter writer = new JsonWriter(out);
    for (String section : List.of("a", "b")) {
      writer.label("section", section);
      writer.begin(List.of(Column.of("n", Kind.NUMBER)));
      writer.row(1);
      writer.end();
    }
    writer.finish();
    assertThat(out.toString())
        .isEqualTo("[\n{\"section\": \"a\", \"n\": 1},\n{\"section\": \"b\", \"n\": 1}\n]\n");
  }

  @Test
  void textStreamsAfterItHasMeasured() throws IOException {
    StringWriter out = new StringWriter();
    TableWriter writer = Format.TEXT.writer(out, true);
    writer.begin(List.of(Column.of("n", Kind.NUMBER)));
    for (int i = 0; i < 1000; i++) {
      writer.row(7);
    }
    assertThat(out.toString()).hasSize(2 * 1002);
    writer.row(12345);
    writer.end();
    assertThat(out.toString()).endsWith("7\n12345\n");
  }

  @Test
  void wideCharactersTakeTwoColumns() throws IOException {
    StringWriter out = new StringWriter();
    TableWriter writer = Format.TEXT.writer(out, true);
    writer.begin(List.of(Column.of("name", Kind.TEXT), Column.of("n", Kind.NUMBER)));
    writer.row("名前", 1);
    writer.row("ab", 2);
    writer.end();
    assertThat(out.toString()).isEqualTo("name  n\n----  -\n名前  1\nab    2\n");
  }

  @Test
  void peopleSeeUnitsMachinesSeeNumbers() throws IOException {
    StringWriter out = new StringWriter();
    TableWriter writer = new TextWriter(out, false, true).indent("  ");
    writer.begin(
        List.of(
            new Column("dur_ns", "waited", Kind.DURATION),
            new Column("count", "times", Kind.COUNT),
            new Column("idle_pct", "idle", Kind.PERCENT),
            new Column("name", "task", Kind.TEXT)));
    writer.row(1_234_567L, 41203, 12.34, "bash");
    writer.row(null, null, null, null);
    writer.end();
    assertThat(out.toString())
        .isEqualTo(
            """
             waited   times    idle  task
            -------  ------  ------  ----
            1.23 ms  41,203  12.3 %  bash
                  -       -       -  -
            """
                .indent(2));
  }
}

package dev.counterbalance.ingest.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.Head;
import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the text importers claim, and what they refuse. */
class TextClaimTest {
  private static final String FTRACE = "            bash-12      [001] d.h2.    10.000001: ";
  private static final String SWITCH =
      "prev_comm=bash prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0"
          + " next_prio=120";

  private static TextSink read(String text) throws IOException {
    return Reading.read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void linesInAMail() throws IOException {
    String mail =
        "From: someone\nSubject: odd wakeups\n\nHi,\n\nI see this (kernel 6.1):\n\n"
            + "> "
            + FTRACE
            + "sched_switch: "
            + SWITCH
            + "\n"
            + "> "
            + FTRACE
            + "sched_wakeup: comm=bash pid=12 prio=120 target_cpu=001\n\n"
            + "Any idea?\n";
    TextSink sink = read(mail);
    assertThat(sink.eventCount).isEqualTo(2);
    assertThat(sink.problemCodes()).containsExactly("unreadable_line");
    String broken = mail.replace(" [001]", "\n[001]");
    assertThatThrownBy(() -> read(broken))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("no known trace format begins with");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "# tracer: nop\\n#\\n~ holds no events at all. ",
        "# tracer: function\\n  a-1 [000] d..2. 1.000000: do_it <-caller\\n~ calls of functions",
        "# tracer: function_graph\\n 0)   1.2 us  |  foo();\\n~ tracer function_graph",
        "# tracer: nop\\n1 1 115917859834 type: 307\\n~ raw, hex or bin",
        "# tracer: nop\\n  a-1 [000] d..2. 12: sched_x: a=1\\n~ without a unit",
        "cpus=1\\n  a-1   [000]241621240054: sched_x:    a=1\\n~ without a unit",
        "a 1 [000] 0.000000: sched:sched_x: a=1\\n~ --reltime and --deltatime",
        "a 1 1.000000: sched:sched_switch: prev_comm=a\\n~ without the column of the CPU",
        "a 1 [000] 1.000000: cycles: 5\\n~ none of a tracepoint",
        "time cpu task name wait time  sch delay   run time\\n 1.0 [0000] a~ sched timehist",
      })
  void refusesWithASentence(String text, String sentence) {
    String unescaped = text.replace("\\n", "\n");
    assertThatThrownBy(() -> read(unescaped))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith("test.data: ")
        .hasMessageContaining(sentence.strip());
  }

  @Test
  void claimsNothingElse() {
    byte[] random = new byte[Head.LIMIT];
    Random source = new Random(1);
    for (int i = 0; i < 50; i++) {
      source.nextBytes(random);
      unclaimed(random);
    }
    unclaimed(new byte[0]);
    unclaimed(new byte[5000]);
    String line = FTRACE + "sched_switch: " + SWITCH + "\n";
    for (String text :
        List.of(
            "{\"trace\": [\n" + line + "]}",
            "<!DOCTYPE html>\n<html><body>\n" + line + "</body></html>",
            "<html>\n" + line,
            "#include <stdio.h>\nint main(void)\n{\n  int a[3]; a[0] = 1; /* [000] 1.5: x: */\n}\n",
            "Just a text, with a list [1] and a time 10.5: nothing.\n",
            "key = value\n[section]\n12:30 [001] server started: ok\n")) {
      unclaimed(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void unclaimed(byte[] bytes) {
    Head head = new Head(bytes, bytes.length);
    for (TextImporter importer :
        List.of(new FtraceImporter(), new PerfScriptImporter(), new TraceCmdReportImporter())) {
      assertThat(importer.sniff(head)).as(importer.info().name()).isZero();
    }
  }

  @Test
  void anotherImporterReadsTheSameIfAsked() throws IOException {
    String text = FTRACE + "sched_switch: " + SWITCH + "\n";
    for (TextImporter importer :
        List.of(new FtraceImporter(), new PerfScriptImporter(), new TraceCmdReportImporter())) {
      Head head = new Head(text.getBytes(StandardCharsets.UTF_8), text.length());
      assertThat(importer.sniff(head)).isPositive();
    }
    assertThat(read(text).info.format).isEqualTo("ftrace text");
  }
}

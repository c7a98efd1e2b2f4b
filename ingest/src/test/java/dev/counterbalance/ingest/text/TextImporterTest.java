package dev.counterbalance.ingest.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.trace.event.EventContext;
import dev.counterbalance.trace.event.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One shape of line after another. */
class TextImporterTest {
  private static final String FTRACE = "            bash-12      [001] d.h2.    10.000001: ";
  private static final String SWITCH =
      "prev_comm=bash prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0"
          + " next_prio=120";

  private static TextSink read(String text) throws IOException {
    return Reading.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static TextSink readLatin(String text) throws IOException {
    return Reading.read(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String one(String text) throws IOException {
    TextSink sink = read(text);
    assertThat(sink.texts).hasSize(1);
    return sink.texts.get(0);
  }

  private static String onlyArgs(String eventAndArgs) throws IOException {
    return one(FTRACE + eventAndArgs + "\n").substring("10000001000 1 ".length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sched_wakeup: comm=a b=c pid=5 pid=7 prio=120 target_cpu=003",
        "sched_wakeup: comm=a b=c pid=5 pid=7 prio=120 success=1 target_cpu=003",
        "sched_wakeup: a b=c pid=5:7 [120] success=1 CPU:003",
        "sched_wakeup: a b=c pid=5:7 [120] CPU:003",
        "sched_wakeup: task a b=c pid=5:7 [120] success=1 [003]",
        "sched_wakeup:         comm=a b=c pid=5 pid=7 prio=120 target_cpu=3",
        "sched_wakeup: comm=a b=c pid=5 pid=7 prio=120 target_cpu=003 *LLC: 9",
        "sched_wakeup: comm=a b=c pid=5 pid=0x7 prio=0x78 target_cpu=0x3",
      })
  void wakeups(String args) throws IOException {
    assertThat(onlyArgs(args))
        .isEqualTo("12 sched:sched_wakeup: comm=a b=c pid=5 pid=7 prio=120 target_cpu=003");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a ==> b",
        "x:1 [2] S ==> y",
        " next_pid=7",
        "==> next_comm=",
        "(S) [120]",
        "prev_state=R",
        "=",
        "\u00e4\u00f6\u00fc",
        "-12 [000]",
        "a|b+",
      })
  void commsInEveryShapeOfSwitch(String comm) throws IOException {
    String wanted =
        "12 sched:sched_switch: prev_comm="
            + comm
            + " prev_pid=12 prev_prio=120 prev_state=D ==> next_comm="
            + comm
            + " next_pid=13 next_prio=98";
    String keys = " prev_pid=12 prev_prio=120 prev_state=";
    String next = "next_comm=" + comm + " next_pid=13 next_prio=98";
    assertThat(onlyArgs("sched_switch: prev_comm=" + comm + keys + "D ==> " + next))
        .isEqualTo(wanted);
    assertThat(onlyArgs("sched_switch: prev_comm=" + comm + keys + "2 " + next)).isEqualTo(wanted);
    if (comm.startsWith(" ")) {
      return; // shapes without a key pad the name
    }
    String plugin = comm + ":12 [120] D ==> " + comm + ":13 [98]";
    assertThat(onlyArgs("sched_switch: " + plugin)).isEqualTo(wanted);
    String old = "task " + comm + ":12 [120] (D) ==> " + comm + ":13 [98]";
    assertThat(onlyArgs("sched_switch: " + old)).isEqualTo(wanted);
  }

  @Test
  void nameBytesThatAreNoUtf8() throws IOException {
    TextSink sink =
        readLatin(FTRACE + "sched_wakeup: comm=\u00ff\u0080x pid=7 prio=1 target_cpu=0");
    assertThat(sink.texts.get(0)).contains("comm=\u00ff\u0080x pid=7 prio=1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sched_migrate_task: comm=x pid=1 prio=120 orig_cpu=0 dest_cpu=1; 12"
            + " sched:sched_migrate_task: comm=x pid=1 prio=120 orig_cpu=0 dest_cpu=1",
        "sched_migrate_task: task x:1 [120] from: 0  to: 1; 12 sched:sched_migrate_task:"
            + " comm=x pid=1 prio=120 orig_cpu=0 dest_cpu=1",
        "sched_process_fork: comm=a pid=1 child_comm=b child_pid=2; - sched:sched_process_fork:"
            + " comm=a pid=1 child_comm=b child_pid=2",
        "sched_process_fork: parent_comm=a parent_pid=1 child_comm=b c child_pid=2; -"
            + " sched:sched_process_fork: comm=a pid=1 child_comm=b c child_pid=2",
        "sched_process_fork: parent a:1  child b:2; - sched:sched_process_fork: comm=a pid=1"
            + " child_comm=b child_pid=2",
        "sched_process_exec: filename=/a pid=9 b pid=3 old_pid=4; - sched:sched_process_exec:"
            + " filename=/a pid=9 b pid=3 old_pid=4",
        "sched_process_exit: comm=a pid=1 prio=120 group_dead=true; - sched:sched_process_exit:"
            + " comm=a pid=1 prio=120",
        "sched_process_exit: task a:1 [120]; - sched:sched_process_exit: comm=a pid=1 prio=120",
        "sched_process_free: comm=a pid=1 prio=120; - sched:sched_process_free: comm=a pid=1"
            + " prio=120",
        "sched_process_wait: comm=a pid=0 prio=120; 12 sched:sched_process_wait: comm=a pid=0"
            + " prio=120",
        "sched_process_hang: comm=a pid=1; - sched:sched_process_hang: comm=a pid=1",
        "sched_pi_setprio: comm=a pid=1 oldprio=120 newprio=-1; - sched:sched_pi_setprio: comm=a"
            + " pid=1 oldprio=120 newprio=-1",
        "sched_move_numa: pid=1 tgid=2 ngid=3 src_cpu=4 src_nid=5 dst_cpu=6 dst_nid=7; -"
            + " sched:sched_move_numa: 1@4/5 -> -1@6/7",
        "sched_swap_numa: src_pid=1 src_tgid=2 src_ngid=3 src_cpu=4 src_nid=5 dst_pid=8"
            + " dst_tgid=8 dst_ngid=0 dst_cpu=6 dst_nid=7; - sched:sched_swap_numa: 1@4/5 -> 8@6/7",
        "sched_stat_runtime: comm=a pid=1 runtime=5 [ns] vruntime=18446744073709551615 [ns]; 12"
            + " sched:sched_stat_runtime: comm=a pid=1 runtime=5 [ns]"
            + " vruntime=18446744073709551615 [ns]",
        "sched_stat_runtime: comm=a pid=1 runtime=5 [ns]; 12 sched:sched_stat_runtime: comm=a"
            + " pid=1 runtime=5 [ns]",
        "sched_stat_runtime: task: a:1 runtime: 5 [ns], vruntime: 6 [ns]; 12"
            + " sched:sched_stat_runtime: comm=a pid=1 runtime=5 [ns] vruntime=6 [ns]",
        "sched_stat_wait: task: a:1 wait: 5 [ns]; 12 sched:sched_stat_wait: comm=a pid=1 delay=5"
            + " [ns]",
        "sched_stat_iowait: comm=a pid=1 delay=5 [ns]; 12 sched:sched_stat_iowait: comm=a pid=1"
            + " delay=5 [ns]",
        "irq_handler_entry: irq=4 name=a b; - irq:irq_handler_entry: irq=4 name=a b",
        "irq_handler_exit: irq=4 ret=handled; - irq:irq_handler_exit: irq=4",
        "softirq_entry: vec=9 [action=RCU]; - irq:softirq_entry: vec=9 [action=RCU]",
        "softirq_exit: vec=9; - irq:softirq_exit: vec=9 [action=RCU]",
        "cpu_idle: state=4294967295 cpu_id=1; - power:cpu_idle: state=4294967295 cpu_id=1",
        "cpu_frequency: state=800000 cpu_id=1; - power:cpu_frequency: state=800000 cpu_id=1",
        "sched_update_nr_running: cpu=1 change=-1 nr_running=3; - sched_update_nr_running:"
            + " nr_running=3",
        "sched_overutilized: overutilized=1 span=0-3 7; 12 other:sched_overutilized:"
            + " {\"overutilized\":1,\"span\":\"0-3 7\"}",
        "sched_wake_idle_without_ipi: cpu=007; 12 other:sched_wake_idle_without_ipi:"
            + " {\"cpu\":\"007\"}",
        "sched_odd: it is \"so\"; 12 other:sched_odd: {\"args\":\"it is \\\"so\\\"\"}",
      })
  void everyEvent(String printed, String wanted) throws IOException {
    assertThat(onlyArgs(printed)).isEqualTo(wanted);
  }

  @Test
  void fieldsThatDoNotReadAreKeptAsText() throws IOException {
    TextSink sink = read(FTRACE + "sched_switch: prev_comm=bash prev_pid=1\n");
    assertThat(sink.texts.get(0))
        .isEqualTo("10000001000 1 12 other:sched_switch: {\"prev_comm\":\"bash\",\"prev_pid\":1}");
    assertThat(sink.problemCodes()).containsExactly("unreadable_fields");
    assertThat(sink.problems.get(0).firstTsNs()).isEqualTo(10_000_001_000L);
  }

  @Test
  void otherSystemsOnlyOnDemand() throws IOException {
    String text = FTRACE + "tracing_mark_write: B|598|some event\n" + FTRACE + "x: a=1\n";
    TextSink sink = read(text);
    assertThat(sink.texts).isEmpty();
    assertThat(sink.eventCount).isEqualTo(2);
    assertThat(sink.problems).hasSize(1);
    assertThat(sink.problems.get(0).code()).isEqualTo("events_of_other_systems");
    assertThat(sink.problems.get(0).count()).isEqualTo(2);
    TextSink all =
        Reading.read(text.getBytes(StandardCharsets.UTF_8), options -> options.withAllEvents(true));
    assertThat(all.texts)
        .containsExactly(
            "10000001000 1 12 other:tracing_mark_write: {\"args\":\"B|598|some event\"}",
            "10000001000 1 12 other:x: {\"a\":1}");
  }

  @ParameterizedTest
  @CsvSource({
    "d.h2., HARDIRQ",
    "dNH3, HARDIRQ",
    "d.s4.11, SOFTIRQ",
    "dNLh2.11, HARDIRQ",
    "D.z1., NMI",
    "..Z1., NMI",
    "....., TASK",
    "...., TASK",
    "what, UNKNOWN",
  })
  void flagsTellTheContext(String flags, EventContext context) throws IOException {
    String line =
        "  bash-12 [001] "
            + flags
            + " 1.000001: sched_waking: comm=a pid=1 prio=1"
            + " target_cpu=0\n";
    assertThat(read(line).contexts).containsExactly(context);
  }

  @Test
  void withoutFlagsTheContextIsUnknown() throws IOException {
    TextSink sink =
        read("  bash-12 [001] 1.000001: sched_waking: comm=a pid=1 prio=1 target_cpu=0\n");
    assertThat(sink.contexts).containsExactly(EventContext.UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource({
    "1.5, 1500000000",
    "1.000001, 1000001000",
    "0.123456789, 123456789",
    "0.12345678999, 123456789",
    "8999999999.999999999, 8999999999999999999",
  })
  void timesAreExact(String printed, String ns) throws IOException {
    String text = one("a 1 [000] " + printed + ": sched:sched_switch: " + SWITCH);
    assertThat(text).startsWith(ns + " 0 12 ");
  }

  @Test
  void groupsAreTold() throws IOException {
    TextSink sink =
        read(
            "  bash-12    (     11) [001] d..2. 1.000001: sched_switch: "
                + SWITCH
                + "\n"
                + "  bash-12    (     11) [001] d..2. 1.000002: sched_switch: "
                + SWITCH
                + "\n"
                + "  init-1    (-----) [001] d..2. 1.000003: irq_handler_exit: irq=1 ret=0\n");
    assertThat(sink.others)
        .containsExactly(
            "start 1000001000 cpu=1 tid=12", "name 1000001000 11/12 ", "name -1 -1/1 init");
  }

  @Test
  void perfScriptShapes() throws IOException {
    String switched = "sched:sched_switch: " + SWITCH + "\n";
    TextSink sink =
        read(
            "# hostname : host\n# os release : 6.1.0\n# arch : x86_64\n# nrcpus online : 2\n# clockid: boottime (7)\n"
                + "# cmdline : perf sched record\n"
                + "            bash    12 [001]     1.000000001: "
                + switched
                + "bash 11/12 [001] 1.000000002:          1 "
                + switched
                + "\tffffffff892e19d2 [unknown] ([kernel.kallsyms])\n"
                + "\n"
                + " :-1    -1 [001] 1.000000003: sched_switch: "
                + SWITCH
                + "\n"
                + " a -1/-1    [001] 1.000000003: "
                + switched
                + "            bash    12 [001]     1.000000004: cycles:u:  ffff [unknown]\n"
                + "            bash    12 [001]     1.000000005: PERF_RECORD_COMM exec: a b:11/12\n"
                + "            bash    12 [001]     1.000000006: PERF_RECORD_FORK(13:13):(11:12)\n"
                + "            bash    12 [001]     1.000000007: PERF_RECORD_EXIT(13:13):(11:12)\n"
                + "            bash    12 [001]     1.000000008: PERF_RECORD_LOST lost 7\n"
                + "            bash    12 [001]     1.000000009: PERF_RECORD_MMAP2 12/12: [0x5]\n"
                + "            a b    12 [001]     1.000000010: "
                + switched);
    assertThat(sink.info.format).isEqualTo("perf script text");
    assertThat(sink.info.clock).isEqualTo("boot");
    assertThat(sink.info.hostname).isEqualTo("host");
    assertThat(sink.info.osRelease).isEqualTo("6.1.0");
    assertThat(sink.info.cmdline).isEqualTo("perf sched record");
    assertThat(sink.eventCount).isEqualTo(5);
    assertThat(sink.lostEvents).isEqualTo(7);
    assertThat(sink.info.events).containsExactly("sched:sched_switch");
    assertThat(sink.others)
        .containsExactly(
            "start 1000000001 cpu=0 tid=-1 silent",
            "start 1000000001 cpu=1 tid=12",
            "name 1000000001 -1/12 bash",
            "name 1000000002 11/12 bash",
            "loss begin 1000000003 cpu=1",
            "name 1000000005 11/12 a b exec",
            "fork 1000000006 13/13 of 11/12",
            "exit 1000000007 13/13",
            "loss end 1000000008 cpu=1 lost=7 tid=12 LOST",
            "name 1000000010 11/12 a b");
    assertThat(sink.problemCodes())
        .containsExactlyInAnyOrder(
            "callchain_lines", "perf_records", "samples_of_other_events", "lost_events");
  }

  @Test
  void traceCmdShapes() throws IOException {
    TextSink sink =
        read(
            "version = 6\nCPU 0 is empty\ncpus=2\n"
                + "inst1:             bash-12    [001]     1.000000001: sched_switch:         bash:12"
                + " [120] S ==> a:b:3:13 [98]\n"
                + "CPU:1 [81 EVENTS DROPPED]\n"
                + "            bash-12    [001]     1.000000002: (+1) sched_switch:         bash:12"
                + " [120] W ==> swapper/1:0 [120] Latency: 5.0 usecs\n"
                + "inst1: CPU:1 [EVENTS DROPPED]\n"
                + "            bash-12    [001]     1.000000003: irq_handler_exit:      irq=4\n");
    assertThat(sink.info.format).isEqualTo("trace-cmd report text");
    assertThat(sink.texts.get(0)).contains("prev_state=S ==> next_comm=a:b:3 next_pid=13");
    assertThat(sink.texts.get(1)).contains("prev_state=I");
    assertThat(sink.others)
        .containsExactly(
            "start 1000000001 cpu=0 tid=-1 silent",
            "start 1000000001 cpu=1 tid=12",
            "loss begin 1000000001 cpu=1",
            "loss end 1000000002 cpu=1 lost=81 tid=12 LOST",
            "loss begin 1000000002 cpu=1",
            "loss end 1000000003 cpu=1 lost=-1 tid=12 LOST");
    assertThat(sink.lostEvents).isEqualTo(81);
  }

  @Test
  void lossAtTheStartAndTheEnd() throws IOException {
    TextSink sink =
        read(
            "CPU:1 [LOST 3 EVENTS]\n"
                + FTRACE
                + "sched_switch: "
                + SWITCH
                + "\n"
                + "CPU:1 [LOST EVENTS]\nCPU:0 [LOST 4 EVENTS]\n"
                + "  <idle>-0 [002] 11.000000: irq_handler_exit: irq=4 ret=x\n");
    assertThat(sink.others)
        .containsExactly(
            "start 10000001000 cpu=0 tid=-1 silent",
            "start 10000001000 cpu=1 tid=12",
            "start 10000001000 cpu=2 tid=0",
            "loss begin 10000001000 cpu=1",
            "loss begin 10000001000 cpu=0",
            "loss end 10000001000 cpu=1 lost=3 tid=12 LOST",
            "loss begin 10000001000 cpu=1",
            "loss end 11000000000 cpu=0 lost=4 tid=-1 LOST",
            "loss end 11000000000 cpu=1 lost=-1 tid=-1 LOST");
    assertThat(sink.lostEvents).isEqualTo(7);
  }

  @Test
  void latencyFormat() throws IOException {
    TextSink sink =
        read(
            "# tracer: nop\n#\n# nop latency trace v1.1.5 on 6.1.0-57-amd64\n"
                + "# latency: 0 us, #2/2, CPU#0 | (M:desktop VP:0, KP:0, SP:0 HP:0 #P:4)\n"
                + "  <idle>-0         0d..2. 1250136us!: sched_switch: "
                + SWITCH
                + "\n"
                + "longname-12        3..s1. 1250478us : irq_handler_exit: irq=1 ret=x\n");
    assertThat(sink.eventCount).isEqualTo(2);
    assertThat(sink.texts.get(0)).startsWith("1250136000 0 ");
    assertThat(sink.info.osRelease).isEqualTo("6.1.0-57-amd64");
    assertThat(sink.info.cpusOnline).isEqualTo(4);
    assertThat(sink.problemCodes()).containsExactly("names_cut");
  }

  @Test
  void latencyFormatOfTraceCmd() throws IOException {
    TextSink sink =
        read(
            "cpus=4\n    bash-12      1d.h2     1.000001: sched_switch:         "
                + SWITCH
                + "\n  <idle>-0        3.....   1.000002: cpu_idle:             state=1 cpu_id=3\n");
    assertThat(sink.info.format).isEqualTo("trace-cmd report text");
    assertThat(sink.texts)
        .containsExactly(
            "1000001000 1 12 sched:sched_switch: " + SWITCH,
            "1000002000 3 - power:cpu_idle: state=1 cpu_id=3");
  }

  @Test
  void groupsAreToldAgainForTheNextTaskOfATid() throws IOException {
    String exit = "     a-51    (   51) [000] 1.%06d: irq_handler_exit: irq=1 ret=0%n";
    TextSink sink =
        read(
            String.format(Locale.ROOT, exit, 1)
                + "    sh-50    (   50) [000] 1.000002: sched_process_fork: comm=sh pid=50"
                + " child_comm=a child_pid=51\n"
                + String.format(Locale.ROOT, exit, 3)
                + String.format(Locale.ROOT, exit, 4));
    assertThat(sink.others)
        .containsSubsequence(
            "name 1000001000 51/51 ", "name 1000002000 50/50 ", "name 1000003000 51/51 ");
    assertThat(sink.others).noneMatch(text -> text.startsWith("name 1000004000"));
  }

  @Test
  void linesOfTheOldTracerThatDoNotReadAreCounted() throws IOException {
    String front = "  a-1 [000] 1.000001:  ";
    TextSink sink = read(front + "1:120:R ==> 2:120:R\n" + front + "1:120:R ??? 2:120:R\n");
    assertThat(sink.texts).hasSize(1);
    assertThat(sink.problems.get(0).text()).endsWith("as its name says: \"1:120:R ??? 2:120:R\"");
  }

  @Test
  void bufferStartedLater() throws IOException {
    TextSink sink =
        read(
            "# tracer: nop\n"
                + FTRACE
                + "sched_switch: "
                + SWITCH
                + "\n"
                + "##### CPU 2 buffer started ####\n"
                + "  a-5 [002] 11.000000: irq_handler_exit: irq=4 ret=x\n");
    assertThat(sink.others)
        .contains("start 10000001000 cpu=1 tid=12", "start 11000000000 cpu=2 tid=5");
  }

  @Test
  void lineEndsAndOddBytes() throws IOException {
    String line = FTRACE + "sched_switch: " + SWITCH;
    TextSink sink = read("\ufeff" + line + "\r\n\r\n\n" + line + "\\n\\\n" + line);
    assertThat(sink.texts).hasSize(3).allMatch(text -> text.endsWith(" next_prio=120"));
    assertThat(sink.problemCodes()).isEmpty();
    TextSink odd = readLatin(line + "\n\u0000\u0001\"garbage\u00ff\n" + line + "\n" + "x\n");
    assertThat(odd.texts).hasSize(2);
    Problem problem = odd.problems.get(0);
    assertThat(problem.code()).isEqualTo("unreadable_line");
    assertThat(problem.count()).isEqualTo(2);
    assertThat(problem.text()).isEqualTo("line 2 is no event: \"\\x00\\x01\\x22garbage\\xff\"");
    String file = line + "\n\n" + "x";
    assertThatThrownBy(
            () ->
                Reading.read(
                    file.getBytes(StandardCharsets.UTF_8), options -> options.withStrict(true)))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("line 3 is no event");
  }

  @Test
  void linesOfAnyLength() throws IOException {
    String line = FTRACE + "sched_switch: " + SWITCH + "\n";
    for (int length : new int[] {60_000, 70_000, (1 << 20) - 300, 1 << 20, 5_000_000}) {
      TextSink sink = read(line + "x".repeat(length) + "\n" + line);
      assertThat(sink.texts).hasSize(2);
      assertThat(sink.problemCodes())
          .containsExactly(length > Lines.MAX_LINE ? "line_too_long" : "unreadable_line");
    }
  }

  @Test
  void linesAcrossBuffers() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 30_000; i++) {
      text.append(
          String.format(
              Locale.ROOT,
              "a%s-12 [001] %d.%06d: cpu_idle: state=%d cpu_id=1\n",
              "x".repeat(i % 15),
              i / 1000,
              i % 1000,
              i));
    }
    TextSink sink = read(text.toString());
    assertThat(sink.texts).hasSize(30_000);
    for (int i = 0; i < 30_000; i++) {
      assertThat(sink.texts.get(i)).endsWith("state=" + i + " cpu_id=1");
    }
  }

  @Test
  void shuffledLinesGiveTheSameTrace() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      lines.add(
          String.format(
              Locale.ROOT,
              "a-%d [%03d] %d.%06d: sched_waking: comm=a pid=%d prio=1 target_cpu=0\n",
              i,
              i % 7,
              i / 1000,
              i % 1000,
              i));
    }
    TextSink ordered = read(String.join("", lines));
    Collections.shuffle(lines, new Random(20261207));
    TextSink shuffled = read(String.join("", lines));
    assertThat(shuffled.texts).isEqualTo(ordered.texts);
    assertThat(shuffled.problemCodes()).containsExactly("out_of_order");
    assertThat(shuffled.info.startNs).isZero();
    assertThat(ordered.problemCodes()).isEmpty();
  }
}

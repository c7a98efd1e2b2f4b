package dev.counterbalance.ingest.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.ingest.Reading;
import dev.counterbalance.ingest.TextSink;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that were reported against other tools; each folder's expected.json has the answer. */
class BugCasesTest {
  private static final Pattern SWITCH =
      Pattern.compile(
          "(\\d+) (\\d+) (-?\\d+) sched:sched_switch: prev_comm=(.*) prev_pid=(\\d+)"
              + " prev_prio=(-?\\d+) prev_state=(\\S+) ==> next_comm=(.*) next_pid=(\\d+)"
              + " next_prio=(-?\\d+)");
  private static final Pattern WAKEUP =
      Pattern.compile(
          "(\\d+) (\\d+) (-?\\d+) sched:sched_wakeup(?:_new)?: comm=(.*) pid=(\\d+) prio=(\\d+)"
              + " target_cpu=(\\d+)");

  static String file(String name) {
    try (InputStream stream = BugCasesTest.class.getResourceAsStream("/bugs/" + name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TextSink read(String name) throws IOException {
    TextSink sink = Reading.read(file(name).getBytes(StandardCharsets.UTF_8));
    assertThat(sink.ended).isTrue();
    assertThat(sink.problemCodes()).doesNotContain("unreadable_fields", "unreadable_line");
    return sink;
  }

  /** The numbers of a list in expected.json. */
  private static List<Double> numbers(String json, String key) {
    Matcher list = Pattern.compile("\"" + key + "\": \\[([^\\]]*)\\]").matcher(json);
    assertThat(list.find()).isTrue();
    List<Double> result = new ArrayList<>();
    for (String part : list.group(1).split(",", -1)) {
      result.add(Double.valueOf(part.strip()));
    }
    return result;
  }

  private static List<String> matches(TextSink sink, Pattern pattern, String format) {
    List<String> result = new ArrayList<>();
    for (String text : sink.texts) {
      Matcher matcher = pattern.matcher(text);
      if (matcher.matches()) {
        result.add(matcher.replaceAll(format));
      }
    }
    return result;
  }

  private static double ns(String seconds) {
    return Math.round(Double.parseDouble(seconds) * 1e9);
  }

  /** Times from a wakeup of a task to its next switch-in, in us. */
  private static List<Double> latencies(TextSink sink, int tid) {
    List<Double> result = new ArrayList<>();
    long woken = -1;
    for (String text : sink.texts) {
      Matcher wakeup = WAKEUP.matcher(text);
      Matcher change = SWITCH.matcher(text);
      if (wakeup.matches() && Integer.parseInt(wakeup.group(5)) == tid) {
        woken = Long.parseLong(wakeup.group(1));
      } else if (change.matches() && Integer.parseInt(change.group(9)) == tid && woken >= 0) {
        result.add((Long.parseLong(change.group(1)) - woken) / 1e3);
        woken = -1;
      }
    }
    return result;
  }

  @ParameterizedTest
  @CsvSource({
    "01-idle-slot/in.txt, 501",
    "02-unsorted/in.txt, 701",
    "04-comm-spaces/ftrace.txt, 903",
    "04-comm-spaces/perfscript.txt, 903",
    "05-comm-dash-digits/in.txt, 2941",
    "06-old-shapes/a-trace-cmd-plugin.txt, 602",
    "06-old-shapes/b-2.6.31.txt, 602",
    "06-old-shapes/c-2.6.3x-sched_switch-tracer.txt, 602",
    "06-old-shapes/d-perf-script-short.txt, 602",
    "07-wakeup-success/new-kernel.txt, 702",
    "07-wakeup-success/old-kernel.txt, 702",
  })
  void wakeupLatency(String name, int tid) throws IOException {
    String json = file(name.substring(0, name.indexOf('/')) + "/expected.json");
    assertThat(latencies(read(name), tid)).isEqualTo(numbers(json, Integer.toString(tid)));
  }

  @Test
  void case01And02SayHowManyWereOutOfOrder() throws IOException {
    TextSink idle = read("01-idle-slot/in.txt");
    assertThat(idle.problems.get(0).text()).isEqualTo("2 events were out of order");
    assertThat(idle.others)
        .containsExactly("start 10000090000 cpu=0 tid=0", "start 10000090000 cpu=1 tid=0");
    TextSink panel = read("02-unsorted/in.txt");
    assertThat(panel.problems.get(0).text()).isEqualTo("1 events were out of order");
    assertThat(panel.info.startNs).isEqualTo(20_000_860_000L);
    assertThat(panel.endNs).isEqualTo(29_100_353_000L);
  }

  @Test
  void case03LostEvents() throws IOException {
    TextSink sink = read("03-lost-events/in.txt");
    String json = file("03-lost-events/expected.json");
    List<Double> between = numbers(json, "between");
    long from = Math.round(between.get(0) * 1e9);
    long to = Math.round(between.get(1) * 1e9);
    assertThat(sink.others)
        .contains("loss begin " + from + " cpu=1", "loss end " + to + " cpu=1 lost=214 tid=0 LOST");
    assertThat(sink.lostEvents).isEqualTo(214);
    assertThat(sink.eventCount).isEqualTo(8);
    assertThat(sink.problemCodes()).containsExactly("lost_events");
  }

  @Test
  void case04CommsWithBlanks() throws IOException {
    TextSink ftrace = read("04-comm-spaces/ftrace.txt");
    assertThat(matches(ftrace, SWITCH, "$4-$5>$8-$9"))
        .containsExactly(
            "dd_worker thr-901>CPU 3/KVM-902",
            "swapper/11-0>Signal Catcher-903",
            "CPU 3/KVM-902>dd_worker thr-901");
    assertThat(matches(ftrace, WAKEUP, "$3:$4-$5")).containsExactly("902:Signal Catcher-903");
    TextSink script = read("04-comm-spaces/perfscript.txt");
    assertThat(matches(script, WAKEUP, "$3:$4-$5")).containsExactly("902:Signal Catcher-903");
    assertThat(script.others).contains("name 40000200000 900/902 CPU 3/KVM");
    assertThat(ftrace.info.cpusOnline).isEqualTo(12);
  }

  @Test
  void case05CommsWithDashesAndDigits() throws IOException {
    TextSink sink = read("05-comm-dash-digits/in.txt");
    assertThat(matches(sink, SWITCH, "$4 $5"))
        .containsExactly("f2fs_gc-254:40 474", "vhost-2920 2941", "[kw/1:2-ev] 88");
    assertThat(matches(sink, WAKEUP, "$3")).containsExactly("474");
  }

  @ParameterizedTest
  @CsvSource({
    "a-trace-cmd-plugin.txt",
    "b-2.6.31.txt",
    "c-2.6.3x-sched_switch-tracer.txt",
    "d-perf-script-short.txt"
  })
  void case06OldShapesGiveTheSameRows(String name) throws IOException {
    TextSink sink = read("06-old-shapes/" + name);
    assertThat(matches(sink, WAKEUP, "$1 $5 $6 $7")).containsExactly("60000100000 602 120 001");
    assertThat(matches(sink, SWITCH, "$1 $2 $5 $7 $9"))
        .containsExactly("60000140000 1 0 R 602", "60000500000 1 602 S 0");
    assertThat(sink.others).anyMatch(text -> text.startsWith("start 60000100000 cpu=1 tid=0"));
    // d's line names the woken task as its own, though the CPU idled.
    assertThat(matches(sink, WAKEUP, "$3")).containsExactly(name.startsWith("d") ? "-1" : "601");
  }

  @Test
  void case07FailedWakeupsAreNone() throws IOException {
    TextSink sink = read("07-wakeup-success/old-kernel.txt");
    assertThat(matches(sink, WAKEUP, "$1")).containsExactly("70000200000");
    assertThat(sink.problemCodes()).containsExactly("wakeup_without_success");
    assertThat(sink.eventCount).isEqualTo(3);
  }

  @Test
  void case08FlagColumns() throws IOException {
    TextSink sink = read("08-flag-columns/in.txt");
    String json = file("08-flag-columns/expected.json");
    assertThat(matches(sink, WAKEUP, "$1").stream().map(Double::valueOf))
        .isEqualTo(
            numbers(json, "times").stream()
                .map(time -> ns(time.toString()))
                .collect(Collectors.toList()));
    assertThat(matches(sink, WAKEUP, "$2 $5")).containsOnly("0 71").hasSize(7);
  }

  @Test
  void case09StatesAsNumbers() throws IOException {
    TextSink sink = read("09-prev-state/raw.txt");
    String json = file("09-prev-state/expected.json");
    Matcher wanted =
        Pattern.compile("\"[0-9.]+\",\\s+\"([0-9]+)\\.([0-9]+)\",\\s+\"(\\S+)\"").matcher(json);
    List<String> expected = new ArrayList<>();
    while (wanted.find()) {
      expected.add(wanted.group(1) + wanted.group(2) + "000 " + wanted.group(3));
    }
    assertThat(expected).hasSize(32);
    assertThat(matches(sink, SWITCH, "$1 $7")).isEqualTo(expected);
  }

  @Test
  void case09StatesAsLetters() throws IOException {
    TextSink sink = read("09-prev-state/text.txt");
    assertThat(matches(sink, SWITCH, "$7"))
        .containsExactly(
            "R", "R+", "S", "D", "D", "D", "T", "t", "X", "Z", "X", "I", "P", "Z", "X", "D");
    assertThat(sink.problemCodes()).isEmpty();
    String index = "# kernel 4.14.62\n" + file("09-prev-state/text.txt");
    TextSink told = Reading.read(index.getBytes(StandardCharsets.UTF_8));
    assertThat(matches(told, SWITCH, "$7").get(7)).isEqualTo("I");
  }

  @Test
  void case10EachCpuHasItsOwnWindow() throws IOException {
    TextSink sink = read("10-cpu-windows/in.txt");
    assertThat(sink.others)
        .containsExactly("start 100000000000 cpu=0 tid=0", "start 100005200000 cpu=1 tid=0");
    assertThat(sink.problemCodes()).containsExactly("overwritten_events");
    assertThat(sink.info.facts).containsEntry("entries_written", "900");
  }

  @Test
  void cases11And12AndSo() throws IOException {
    assertThat(read("11-inferred-migration/in.txt").texts)
        .contains(
            "110000450000 0 0 sched:sched_migrate_task: comm=t pid=21 prio=120 orig_cpu=1"
                + " dest_cpu=0");
    TextSink open = read("12-open-at-end/in.txt");
    assertThat(open.endNs).isEqualTo(130_000_010_000L);
    assertThat(open.eventCount).isEqualTo(5);
    assertThat(matches(read("13-rename/in.txt"), SWITCH, "$4"))
        .containsExactly("swapper/0", "make", "swapper/0", "cc1 -O2", "swapper/0");
    TextSink reuse = read("14-pid-reuse/in.txt");
    assertThat(reuse.texts)
        .contains(
            "150000000000 0 - sched:sched_process_fork: comm=sh pid=50 child_comm=sh child_pid=51",
            "150001000000 1 - sched:sched_process_exit: comm=one pid=51 prio=120",
            "150001100000 0 - sched:sched_process_free: comm=one pid=51 prio=120");
    assertThat(reuse.eventCount).isEqualTo(10);
  }

  @Test
  void case15PlaceholdersAreNoNames() throws IOException {
    TextSink sink = read("15-unknown-comm/in.txt");
    assertThat(matches(sink, SWITCH, "$4-$5>$8-$9"))
        .containsExactly("-61>logd-62", "logd-62>-61", "netd-61>swapper/1-0");
    assertThat(sink.others).noneMatch(text -> text.contains("<"));
  }

  @ParameterizedTest
  @CsvSource({"ftrace.txt", "trace-cmd.txt"})
  void case16SilentCpusAreAnnounced(String name) throws IOException {
    TextSink sink = read("16-sparse-cpus/" + name);
    assertThat(sink.info.cpusOnline).isEqualTo(4);
    assertThat(sink.others)
        .containsExactly(
            "start 170000000000 cpu=0 tid=0",
            "start 170000000000 cpu=1 tid=-1 silent",
            "start 170000000000 cpu=2 tid=-1 silent",
            "start 170000000000 cpu=3 tid=0");
  }

  @Test
  void cases20To23() throws IOException {
    TextSink waits = read("20-work-waits-while-idle/in.txt");
    assertThat(waits.eventCount).isEqualTo(10);
    assertThat(waits.others)
        .contains("start 180000000000 cpu=0 tid=-1 silent", "start 180000000000 cpu=3 tid=81");
    TextSink first = read("21-no-first-sched-in/in.txt");
    assertThat(first.others).containsExactly("start 190000231000 cpu=0 tid=91");
    TextSink node = read("23-node-left-idle/in.txt");
    assertThat(node.eventCount).isEqualTo(416);
    assertThat(node.texts).hasSize(416).noneMatch(text -> text.contains("migrate"));
  }
}

package dev.counterbalance.whatif.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of rules, and what is refused. */
class RulesTest {
  private static final Path FOLDER = Path.of("src/test/resources/dev/counterbalance/whatif/rules");

  private static final Rules RULES = Rules.load();

  static Stream<String> ids() {
    return RULES.list().stream().map(RuleSpec::id);
  }

  /**
   * Each rule's resolved switches against a file: editing a parent shows what else it changes.
   * {@code -Dgolden.update=true} writes the files anew.
   */
  @ParameterizedTest
  @MethodSource("ids")
  void resolvedSwitchesAreTheGoldenOnes(String id) throws IOException {
    StringBuilder actual = new StringBuilder();
    resolve(id)
        .switches()
        .asMap()
        .forEach((name, value) -> actual.append(name).append('=').append(value).append('\n'));
    Path golden = FOLDER.resolve(id + ".txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, actual);
    }
    assertThat(actual.toString()).isEqualTo(Files.readString(golden));
  }

  @Test
  void rulesAreThoseOfTheDesign() {
    assertThat(ids())
        .containsExactly(
            "v2.6.36",
            "nikhil-p1",
            "nikhil-rfc-v1",
            "nikhil-rfc-v2",
            "group-weight",
            "prefer-utilization",
            "prefer-utilization-plain",
            "newidle-utilization",
            "v2.6.37",
            "v2.6.38",
            "no-balance",
            "random-placement",
            "global-fifo",
            "static-split",
            "processor-sharing");
    assertThat(RULES.list().stream().filter(RuleSpec::isOracle).map(RuleSpec::id))
        .containsExactlyInAnyOrder(
            "global-fifo", "static-split", "processor-sharing", "no-balance", "random-placement");
  }

  @ParameterizedTest
  @CsvSource({
    "nikhil-p1, v2.6.36, imb_needs_nr2",
    "nikhil-rfc-v1, v2.6.36, idle_never_hot imb_needs_nr2 prefer_sibling_drop",
    "nikhil-rfc-v2, nikhil-rfc-v1, prefer_sibling_drop",
    "group-weight, nikhil-rfc-v1, pick_requires_nr_gt_weight",
    "prefer-utilization, nikhil-rfc-v1, force_avg_load_zero force_when_underused",
    "prefer-utilization-plain, v2.6.36, force_avg_load_zero force_when_underused",
    "newidle-utilization, v2.6.36,"
        + " force_avg_load_zero force_when_underused rearm_avg_idle_on_pull",
    "v2.6.37, v2.6.36, force_avg_load_zero force_when_underused idle_cpu_diff_test idle_never_hot"
        + " imb_needs_nr2 newidle_counts_failure prefer_sibling_drop",
    "v2.6.38, v2.6.37, tick_lag_unsigned",
  })
  void ruleFlipsWhatItsRowSaysAndNothingElse(String id, String parent, String flips) {
    Map<String, String> own = resolve(id).switches().asMap();
    Map<String, String> parents = resolve(parent).switches().asMap();
    TreeSet<String> differ = new TreeSet<>(own.keySet());
    differ.addAll(parents.keySet());
    differ.removeIf(name -> own.getOrDefault(name, "").equals(parents.get(name)));
    assertThat(RULES.get(id).parent()).isEqualTo(parent);
    assertThat(String.join(" ", differ)).isEqualTo(flips);
  }

  @Test
  void switchKnowsWhichRuleSetIt() {
    SwitchSpec drop = named("prefer_sibling_drop");
    assertThat(RULES.origin(RULES.get("group-weight"), drop)).isEqualTo(RULES.get("nikhil-rfc-v1"));
    assertThat(RULES.origin(RULES.get("v2.6.38"), drop)).isEqualTo(RULES.get("v2.6.37"));
    assertThat(RULES.origin(RULES.get("newidle-utilization"), drop)).isNull();
  }

  private static SwitchSpec named(String name) {
    return RULES.switches().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void everyRuleSaysWhatItIs() {
    for (RuleSpec rule : RULES.list()) {
      assertThat(List.of(rule.title(), rule.models(), rule.leavesOut(), rule.source()))
          .as(rule.id())
          .noneMatch(String::isBlank);
      assertThat(resolve(rule.id()).oracle()).isEqualTo(rule.isOracle() ? rule.id() : null);
      assertThat(resolve(rule.id()).newBalancer() == null).isEqualTo(rule.isOracle());
    }
  }

  // Kernel-rules 2.2: factor 1, 2, 2, 3, 3, 4 for 1, 2, 3, 4, 7 and 8 CPUs and more.
  @ParameterizedTest
  @CsvSource({
    "1, 6000000, 750000, 1000000",
    "2, 12000000, 1500000, 2000000",
    "3, 12000000, 1500000, 2000000",
    "4, 18000000, 2250000, 3000000",
    "7, 18000000, 2250000, 3000000",
    "8, 24000000, 3000000, 4000000",
    "256, 24000000, 3000000, 4000000",
  })
  void queueTunablesGrowWithTheMachine(int cpus, long latency, long granularity, long wakeup) {
    ResolvedRule rule = RULES.resolve("v2.6.36", List.of(), cpus);
    assertThat(rule.tunables().get("sched_latency")).isEqualTo(latency);
    assertThat(rule.tunables().get("min_granularity")).isEqualTo(granularity);
    assertThat(rule.tunables().get("wakeup_granularity")).isEqualTo(wakeup);
    assertThat(rule.tunables().get("migration_cost")).isEqualTo(500_000);
  }

  @Test
  void valueOfTheUserIsTheEffectiveOne() {
    ResolvedRule rule =
        resolve(
            "v2.6.36",
            "sched_latency_ns=10000000",
            "min_granularity=4ms",
            "CONFIG_HZ=1000",
            "nohz=off",
            "smtThroughput[2]=0.6",
            "migration_cost=-1",
            "imbalance_pct[MC]=117",
            "imbalance_pct[CPU]=125",
            "balanceCostNs[MC]=2us");
    Map<String, Long> tunables = rule.tunables().asMap();
    assertThat(tunables)
        .containsEntry("sched_latency", 10_000_000L)
        .containsEntry("min_granularity", 4_000_000L)
        .containsEntry("wakeup_granularity", 3_000_000L)
        .containsEntry("HZ", 1000L)
        .containsEntry("nohz", 0L)
        .containsEntry("smtThroughput[2]", 600_000L)
        .containsEntry("migration_cost", -1L)
        .containsEntry("balanceCostNs[MC]", 2_000L)
        .containsEntry("balanceCostNs[CPU]", 0L)
        .doesNotContainKey("imbalance_pct[MC]");
    assertThat(rule.levels()).isEqualTo(Map.of("imbalance_pct[MC]", 117L));
    assertThat(rule.switches().asMap()).doesNotContainKey("nohz_policy");
    assertThat(rule.changes())
        .as("what equals the rule is no change")
        .doesNotContainKey("imbalance_pct[CPU]");
  }

  // 1178 / (1024 * n), kernel-rules 11.4: 0.575, 0.383, 0.288.
  @Test
  void threadsOfACoreShareWhatItCanDo() {
    Map<String, Long> tunables = resolve("v2.6.36").tunables().asMap();
    assertThat(tunables)
        .containsEntry("smtThroughput[1]", 1_000_000L)
        .containsEntry("smtThroughput[2]", 575_195L)
        .containsEntry("smtThroughput[3]", 383_463L)
        .containsEntry("smtThroughput[4]", 287_597L);
  }

  @Test
  void textTellsRulesApart() {
    List<String> texts = new ArrayList<>();
    ids().forEach(id -> texts.add(resolve(id).text()));
    texts.add(resolve("v2.6.36", "HZ=1000").text());
    texts.add(resolve("v2.6.36", "imbalance_pct[MC]=117").text());
    texts.add(resolve("v2.6.36", "idle_never_hot=on").text());
    texts.add(RULES.resolve("v2.6.36", List.of(), 16).text());
    assertThat(texts).doesNotHaveDuplicates();
    assertThat(resolve("v2.6.36", "CONFIG_HZ=1000", "idle_never_hot=on").text())
        .isEqualTo(resolve("v2.6.36", "idle_never_hot=on", "HZ=1000").text());
    assertThat(resolve("v2.6.36", "HZ=250").text()).isEqualTo(resolve("v2.6.36").text());
    assertThat(resolve("v2.6.36", "HZ=1000", "CONFIG_PREEMPT=n").name())
        .isEqualTo("v2.6.36+HZ=1000+preemptKernel=off");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v2.6.35 | HZ=100 | There is no rule 'v2.6.35'; did you mean v2.6.36, v2.6.37 or v2.6.38?",
        "v2.6.36 | imb_need_nr2=on | There is no switch or tunable 'imb_need_nr2'; did you mean"
            + " imb_needs_nr2, ",
        "v2.6.36 | imb_needs_nr2=yes | must be one of off, on: imb_needs_nr2=yes",
        "v2.6.36 | wake_policy=6.1 | must be 2.6.36: wake_policy=6.1",
        "v2.6.36 | prefer_sibling_drop=nr_gt_1 | must be one of always, examined_empty,"
            + " local_spare_v2, local_has_capacity: prefer_sibling_drop=nr_gt_1",
        "v2.6.36 | force_avg_load_zero=on | v2.6.36 does not read force_avg_load_zero: it is read"
            + " where force_when_underused is not never.",
        "no-balance | imb_needs_nr2=on | no-balance does not read imb_needs_nr2: it is read with"
            + " lb_algorithm=group-capacity-2.6.",
        "global-fifo | tick_lag_unsigned=off | global-fifo does not read tick_lag_unsigned: it is"
            + " read with pick_policy=cfs-2.6.",
        "global-fifo | sched_latency=1ms | global-fifo does not read sched_latency: it is read by"
            + " CFS queues.",
        "static-split | imbalance_pct[MC]=117 | static-split does not read imbalance_pct[MC]: it is"
            + " read by sched domains.",
        "v2.6.36 | HZ=200 | must be one of 100, 250, 300, 1000: HZ=200",
        "v2.6.36 | sched_latency=2s | must be between 1 and 1000000000 ns: sched_latency=2s",
        "v2.6.36 | sched_latency=fast | must be a number of ns, or with ns, us, ms or s:"
            + " sched_latency=fast",
        "v2.6.36 | sched_latency=0.5 | must be between 1 and 1000000000 ns: sched_latency=0.5",
        "v2.6.36 | sched_latency=1.5 | must be a whole number: sched_latency=1.5",
        "v2.6.36 | preemptKernel=maybe | must be on or off: preemptKernel=maybe",
        "v2.6.36 | smtThroughput[2]=1.5 | must be between 0.000001 and 1: smtThroughput[2]=1.5",
        "v2.6.36 | smtThroughput=0.5 | must be one of smtThroughput[1], smtThroughput[2],",
        "v2.6.36 | imbalance_pct[DIE]=117 | must be one of imbalance_pct[SMT],"
            + " imbalance_pct[MC], imbalance_pct[CPU], imbalance_pct[NODE], imbalance_pct[ALLNODES]:"
            + " imbalance_pct[DIE]",
        "v2.6.36 | HZ | must be NAME=VALUE: HZ",
        "v2.6.36 | HZ= | must be NAME=VALUE: HZ=",
        "v2.6.36 | HZ=1000 CONFIG_HZ=250 | is set twice: CONFIG_HZ",
      })
  void refusesWithASentence(String id, String settings, String message) {
    assertThatThrownBy(() -> resolve(id, settings.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void conditionOnATunableCounts() {
    assertThatThrownBy(() -> resolve("v2.6.36", "nohz=off", "nohz_policy=2.6.36"))
        .hasMessage(
            "v2.6.36 does not read nohz_policy: it is read by load balancing, with nohz=on.");
  }

  @Test
  void switchBecomesReadableWithTheOneItDependsOn() {
    assertThat(
            resolve("v2.6.36", "force_avg_load_zero=on", "force_when_underused=newidle_only")
                .switches()
                .on("force_avg_load_zero"))
        .isTrue();
  }

  private static ResolvedRule resolve(String id, String... settings) {
    return RULES.resolve(id, List.of(settings), 4);
  }
}

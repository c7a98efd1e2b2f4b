package dev.counterbalance.whatif.rules;

import static dev.counterbalance.whatif.rules.Vectors.ask;
import static dev.counterbalance.whatif.rules.Vectors.balancer;
import static dev.counterbalance.whatif.rules.Vectors.situations;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.DomainFixture;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.domain.SchedGroup;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.Reason;
import dev.counterbalance.whatif.rule.Selection;
import dev.counterbalance.whatif.rules.Vectors.Answer;
import dev.counterbalance.whatif.rules.Vectors.Situation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors of kernel-rules 2.16 and the table of 3.8; figures are theirs. */
class GroupCapacity26Test {
  static List<Arguments> table() throws IOException {
    List<Arguments> cells = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    GroupCapacity26Test.class.getResourceAsStream("vectors.txt")),
                StandardCharsets.UTF_8))) {
      List<String[]> rows =
          lines.lines().filter(l -> !l.startsWith("#")).map(l -> l.split(" +")).toList();
      for (String[] row : rows.subList(1, rows.size())) {
        for (int i = 2; i < row.length; i++) {
          cells.add(Arguments.of(row[0], row[1], rows.get(0)[i], row[i]));
        }
      }
    }
    return cells;
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @MethodSource("table")
  void answersAsTheTableOfTheThreadSays(String name, String pass, String rule, String expected) {
    assertThat(ask(balancer(rule), situations().get(name), idle(pass)).text()).isEqualTo(expected);
  }

  private static IdleType idle(String text) {
    for (IdleType idle : IdleType.values()) {
      if (idle.text.equals(text.toLowerCase(Locale.ROOT))) {
        return idle;
      }
    }
    throw new IllegalArgumentException("must be idle, busy or newidle: " + text);
  }

  @Test
  void stuckQuadIsBalancedBecauseTheHeavyTaskOutweighsTwoQueues() {
    for (IdleType idle : List.of(IdleType.IDLE, IdleType.NEWLY_IDLE)) {
      Selection said = ask(balancer("v2.6.36"), situations().get("T2-1"), idle).selection();
      assertThat(said.reason).isEqualTo(Reason.LOCAL_GE_BUSIEST);
      assertThat(said.looked).hasToString("{2-3}");
      assertThat(said.localLoad).isEqualTo(14577);
      assertThat(said.busiestLoad).isEqualTo(2048);
      assertThat(said.busiestNr).isEqualTo(4);
      assertThat(said.busiestCapacity).isEqualTo(1);
      assertThat(said.localNr).isEqualTo(1);
      assertThat(said.groupImbalanced).isFalse();
    }
  }

  @Test
  void pushTowardsTheStuckQuadComesFromTheHeavyGroup() {
    Selection said =
        ask(balancer("v2.6.36"), situations().get("T2-2"), IdleType.NOT_IDLE).selection();
    assertThat(said.busiest).hasToString("{0-1}");
    assertThat(said.localLoad).isEqualTo(1536);
    assertThat(said.busiestLoad).isEqualTo(15089);
    assertThat(said.averageLoad).isEqualTo(8312);
    assertThat(said.groupImbalanced).isFalse();
    assertThat(said.reason).isNull();
  }

  @Test
  void oneNormalTaskBesideIdlePolicyTasksIsAnImbalanceWithin() {
    Situation at = situations().get("T2-3");
    Selection plain = ask(balancer("v2.6.36"), at, IdleType.NOT_IDLE).selection();
    assertThat(plain.busiest).hasToString("{0-3}");
    assertThat(plain.busiestLoad).isEqualTo(258);
    assertThat(plain.localLoad).isEqualTo(3);
    assertThat(plain.averageLoad).isEqualTo(67);
    assertThat(plain.groupImbalanced).isTrue();

    Selection patched = ask(balancer("nikhil-p1"), at, IdleType.NOT_IDLE).selection();
    assertThat(patched.groupImbalanced).isFalse();
    assertThat(patched.busiest).hasToString("{0-3}");
  }

  @Test
  void oneNormalTaskAloneOutweighsIdlePolicyTasks() {
    Selection said = ask(balancer("v2.6.36"), situations().get("T2-4"), IdleType.IDLE).selection();
    assertThat(said.reason).isEqualTo(Reason.LOCAL_GE_BUSIEST);
    assertThat(said.localLoad).isEqualTo(256);
    assertThat(said.looked).hasToString("{4-7}");
    assertThat(said.busiestLoad).isEqualTo(4);
  }

  @Test
  void hyperThreadedSocketsCountTwoCores() {
    Selection said = ask(balancer("v2.6.36"), situations().get("T2-5"), IdleType.IDLE).selection();
    assertThat(said.localLoad).isEqualTo(445);
    assertThat(said.busiestLoad).isEqualTo(1335);
    assertThat(said.averageLoad).isEqualTo(890);
    assertThat(said.busiestCapacity).isEqualTo(1);
    Selection first =
        ask(balancer("nikhil-rfc-v1"), situations().get("T2-5"), IdleType.IDLE).selection();
    assertThat(first.busiestCapacity).isEqualTo(2);
  }

  @Test
  void idleCpuTestOf2637SaysWhyTwoAgainstOneIsBalanced() {
    Selection said = ask(balancer("v2.6.37"), situations().get("T2-11"), IdleType.IDLE).selection();
    assertThat(said.reason).isEqualTo(Reason.IDLE_DIFF);
    assertThat(said.localLoad).isEqualTo(256);
    assertThat(said.busiestLoad).isEqualTo(512);
    assertThat(said.averageLoad).isEqualTo(384);
    Selection newidle =
        ask(balancer("v2.6.37"), situations().get("T2-11"), IdleType.NEWLY_IDLE).selection();
    assertThat(newidle.busiest).as("a newidle pass compares by imbalance_pct").isNotNull();
  }

  // T2-10 and beside it: one line a queue, nice values of CPU 0 and CPU 1, newly idle CPU 1.
  @ParameterizedTest
  @CsvSource({
    "MC, 0 0, '', NEWLY_IDLE, 1024@0",
    "MC, -15 0, '', NEWLY_IDLE, 15089@0",
    "MC, 0 0, 0, NOT_IDLE, 1024@0",
    "SMT, 0 0, '', NEWLY_IDLE, 1024@0",
  })
  void pairsOfCpusShareTasks(
      String level, String first, String second, IdleType idle, String expected) {
    SchedDomains domains =
        level.equals("SMT") ? DomainFixture.hyperThreaded() : DomainFixture.quad();
    FakeView view = new FakeView(domains);
    fill(view, 0, first);
    fill(view, 1, second);
    Situation at = new Situation(domains, view, 1, 0);
    assertThat(at.domain().name).isEqualTo(level);
    assertThat(ask(balancer("v2.6.36"), at, idle).text()).isEqualTo(expected);
  }

  private static void fill(FakeView view, int cpu, String nices) {
    boolean first = true;
    for (String nice : nices.isEmpty() ? new String[0] : nices.split(" ")) {
      if (first) {
        view.on(cpu).runs(Integer.parseInt(nice));
      } else {
        view.on(cpu).queues(Integer.parseInt(nice));
      }
      first = false;
    }
  }

  @ParameterizedTest
  @CsvSource({"v2.6.36", "nikhil-p1", "v2.6.37"})
  void twoHeavyTasksOnOneCpuAreAnImbalanceWithinForAll(String rule) {
    SchedDomains domains = DomainFixture.quadSockets(2);
    FakeView view = new FakeView(domains);
    view.on(0).runs(-10).queues(-10);
    for (int cpu = 1; cpu < 4; cpu++) {
      view.on(cpu).runs(19);
    }
    for (int cpu = 4; cpu < 8; cpu++) {
      view.on(cpu).runs(0);
    }
    Answer answer = ask(balancer(rule), new Situation(domains, view, 4, 1), IdleType.NOT_IDLE);
    assertThat(answer.selection().busiestLoad).isEqualTo(4785);
    assertThat(answer.selection().averageLoad).isEqualTo(2904);
    assertThat(answer.selection().groupImbalanced).isTrue();
    assertThat(answer.text()).isEqualTo("7520@0");
  }

  @Test
  void tasksTooHeavyToMoveTakeTheirQueueOutOfConsideration() {
    SchedDomains domains = DomainFixture.quadSockets(4);
    FakeView view = new FakeView(domains);
    view.on(0).runs(0).queues(0);
    for (int cpu = 4; cpu < 8; cpu++) {
      view.on(cpu).runs(10);
    }
    for (int cpu : new int[] {1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15}) {
      view.on(cpu).idlePolicy(0);
    }
    Situation at = new Situation(domains, view, 4, 1);
    Answer first = ask(balancer("v2.6.36"), at, IdleType.NOT_IDLE);
    assertThat(first.selection().localLoad).isEqualTo(110);
    assertThat(first.selection().busiestLoad).isEqualTo(514);
    assertThat(first.selection().averageLoad).isEqualTo(157);
    assertThat(first.selection().groupImbalanced).isTrue();
    assertThat(first.text()).isEqualTo("188@0");

    CpuSet others = domains.active().copy();
    others.remove(0);
    Selection again = ask(balancer("v2.6.36"), at, IdleType.NOT_IDLE, others).selection();
    assertThat(again.reason).isEqualTo(Reason.LOCAL_GE_BUSIEST);
    assertThat(again.looked).hasToString("{8-11}");
    assertThat(again.busiestLoad).isEqualTo(3);

    Answer merged = ask(balancer("v2.6.37"), at, IdleType.NOT_IDLE);
    assertThat(merged.text()).isEqualTo("188@0");
    Selection mergedAgain = ask(balancer("v2.6.37"), at, IdleType.NOT_IDLE, others).selection();
    assertThat(mergedAgain.reason).isEqualTo(Reason.NO_BUSIEST);
  }

  // T2-1 with switches of no rule: the average computed is 33250 / 4 = 8312 > 2048, so that one
  // task of 1024 is moved: 2048 - 14577 + 512, unsigned, is no less than 1024.
  @ParameterizedTest
  @CsvSource({
    "any_idle_type, off, IDLE, 1024@2",
    "any_idle_type, on, NOT_IDLE, 3072@2",
    "idle_and_newidle, on, IDLE, 3072@2",
    "idle_and_newidle, on, NEWLY_IDLE, 3072@2",
    "idle_and_newidle, on, NOT_IDLE, -",
    "newidle_only, on, IDLE, -",
    "newidle_only, off, NEWLY_IDLE, 1024@2",
  })
  void forcingDependsOnThePass(String force, String zero, IdleType idle, String expected) {
    LoadBalancer balancer =
        balancer("v2.6.36", "force_when_underused=" + force, "force_avg_load_zero=" + zero);
    assertThat(ask(balancer, situations().get("T2-1"), idle).text()).isEqualTo(expected);
  }

  @Test
  void onlyTheFirstIdleCpuOfTheLocalGroupBalances() {
    Situation from1 = situations().get("T2-4");
    LoadBalancer balancer = balancer("v2.6.36");
    CpuSet all = from1.domains().active();
    assertThat(balancer.balancer(from1.view(), from1.domain(), all)).isEqualTo(1);
    Situation from2 = new Situation(from1.domains(), from1.view(), 2, 1);
    Selection said = ask(balancer, from2, IdleType.IDLE).selection();
    assertThat(said.reason).isEqualTo(Reason.NOT_BALANCER);
    assertThat(said.looked).isNull();
    assertThat(ask(balancer, from2, IdleType.NEWLY_IDLE).selection().reason)
        .as("newidle passes are anybody's")
        .isEqualTo(Reason.LOCAL_GE_BUSIEST);
    Situation busy = new Situation(from1.domains(), from1.view(), 5, 1);
    assertThat(balancer.balancer(busy.view(), busy.domain(), all)).isEqualTo(4);
    assertThat(ask(balancer, busy, IdleType.NOT_IDLE).selection().reason)
        .isEqualTo(Reason.NOT_BALANCER);
  }

  @Test
  void historyMakesTheLocalGroupHeavierAndOthersLighter() {
    // Busy passes of the CPU level read cpu_load[1]: the lower one counts of CPU 0 (0, not 2048),
    // the higher one of CPU 4 (2048, not 1024).
    SchedDomains domains = DomainFixture.quadSockets(2);
    FakeView view = new FakeView(domains);
    view.on(0).runs(0).queues(0).history(0, 999).history(1, 0);
    view.on(4).runs(0).history(0, 999).history(1, 2048);
    for (int cpu = 5; cpu < 8; cpu++) {
      view.on(cpu).runs(0);
    }
    Selection said =
        ask(balancer("v2.6.36"), new Situation(domains, view, 4, 1), IdleType.NOT_IDLE).selection();
    assertThat(said.localLoad).isEqualTo((2048 + 3 * 1024) / 4);
    assertThat(said.busiestLoad).isZero();
    assertThat(said.reason).isEqualTo(Reason.NO_BUSIEST);
    assertThat(said.looked).hasToString("{0-3}");
  }

  @Test
  void gatesSayWhatTheyCompared() {
    // MC pair, CPU 1 busy with 1024, CPU 0 with 820 + 423 = 1243: 124300 <= 125 * 1024 = 128000.
    SchedDomains pair = DomainFixture.quad();
    FakeView view = new FakeView(pair);
    view.on(0).runs(1).queues(4);
    view.on(1).runs(0);
    Selection within =
        ask(balancer("v2.6.36"), new Situation(pair, view, 1, 0), IdleType.NOT_IDLE).selection();
    assertThat(within.reason).isEqualTo(Reason.WITHIN_PCT);
    assertThat(within.averageLoad).isEqualTo((1243 + 1024) / 2);

    // Three sockets: the local one 4 * 1024, one with all its tasks on CPU 4, one empty.
    SchedDomains sockets = DomainFixture.quadSockets(3);
    FakeView three = new FakeView(sockets);
    for (int cpu = 0; cpu < 4; cpu++) {
      three.on(cpu).runs(0);
    }
    three.on(4).runs(0).queues(0);
    Selection above =
        ask(balancer("v2.6.36"), new Situation(sockets, three, 0, 1), IdleType.NOT_IDLE)
            .selection();
    assertThat(above.reason).isEqualTo(Reason.LOCAL_GE_BUSIEST);
    three.on(4).queues(0).queues(0).queues(0);
    Selection average =
        ask(balancer("v2.6.36"), new Situation(sockets, three, 0, 1), IdleType.NOT_IDLE)
            .selection();
    // Local 1024, busiest 5 * 256 = 1280, average (4096 + 5120) / 12 = 768.
    assertThat(average.reason).isEqualTo(Reason.LOCAL_GE_AVG);
    assertThat(average.averageLoad).isEqualTo(768);
  }

  @Test
  void slowThreadCountsAsCpuUnlessRealTimeTasksTakeATenthOfIt() {
    // 294 rounds to no CPU, but 294 * 32 > 294 * 29; 266 * 32 = 8512 <= 8526 = 294 * 29.
    SchedDomains domains = DomainFixture.fourThreads();
    FakeView view = new FakeView(domains);
    view.on(0).runs(0);
    Situation at = new Situation(domains, view, 1, 0);
    SchedGroup other = at.domain().groups[3];
    Selection full = ask(balancer("v2.6.36"), at, IdleType.IDLE).selection();
    assertThat(full.reason).isEqualTo(Reason.NO_BUSIEST);
    assertThat(full.busiestCapacity).isEqualTo(1);
    view.groupPower(other, 267);
    assertThat(ask(balancer("v2.6.36"), at, IdleType.IDLE).selection().busiestCapacity)
        .isEqualTo(1);
    view.groupPower(other, 266);
    Selection less = ask(balancer("v2.6.36"), at, IdleType.IDLE).selection();
    assertThat(less.busiest).isSameAs(other);
    assertThat(less.busiestCapacity).isZero();
  }

  @Test
  void queueOfOneHeavyTaskIsPassedOverUnlessItsCpuHasNoCapacity() {
    SchedDomains domains = DomainFixture.hyperThreaded();
    FakeView view = new FakeView(domains);
    view.on(0).runs(0);
    SchedDomain smt = domains.of(1)[0];
    SchedGroup other = smt.groups[1];
    LoadBalancer balancer = balancer("v2.6.36");
    CpuSet all = domains.active();
    assertThat(balancer.busiestQueue(view, smt, other, 1023, IdleType.IDLE, all)).isEqualTo(-1);
    assertThat(balancer.busiestQueue(view, smt, other, 1024, IdleType.IDLE, all)).isZero();
    view.on(0).power(400);
    view.groupPower(other, 400);
    assertThat(balancer.busiestQueue(view, smt, other, 1023, IdleType.IDLE, all)).isZero();
    CpuSet none = all.copy();
    none.remove(0);
    assertThat(balancer.busiestQueue(view, smt, other, 1024, IdleType.IDLE, none)).isEqualTo(-1);
  }

  @Test
  void taskIsHotForAsLongAsMigrationCostSays() {
    SchedDomains domains = DomainFixture.quad();
    FakeView view = new FakeView(domains).now(1_000_000);
    view.on(0).runs(0).queues(0);
    view.on(1).idlePolicy(0);
    view.execStart(1, 500_001).execStart(0, 500_000).execStart(2, 999_999);
    LoadBalancer plain = balancer("v2.6.36");
    assertThat(plain.isHot(view, 0, 3)).isFalse();
    assertThat(plain.isHot(view, 1, 3)).isTrue();
    assertThat(plain.isHot(view, 2, 3)).isTrue();
    assertThat(balancer("v2.6.36", "migration_cost=-1").isHot(view, 0, 3)).isTrue();
    assertThat(balancer("v2.6.36", "migration_cost=0").isHot(view, 1, 3)).isFalse();
    assertThat(balancer("nikhil-rfc-v1").isHot(view, 2, 3)).isFalse();
  }

  @Test
  void buddyIsHotOnlyWhileTheExecutingCpuHasTasks() {
    SchedDomains domains = DomainFixture.quad();
    FakeView view = new FakeView(domains).now(1_000_000_000);
    view.on(0).runs(0).queues(0);
    view.on(1).idlePolicy(1);
    view.buddy(1).buddy(3);
    LoadBalancer plain = balancer("v2.6.36");
    assertThat(plain.isHot(view, 1, 0)).isTrue();
    assertThat(plain.isHot(view, 1, 3)).isFalse();
    assertThat(plain.isHot(view, 0, 0)).isFalse();
    assertThat(plain.isHot(view, 3, 0)).isTrue();
    assertThat(balancer("v2.6.37").isHot(view, 3, 0)).as("asked before the buddies").isFalse();
  }

  @Test
  void callsLeaveNothingBehind() {
    LoadBalancer shared = balancer("prefer-utilization");
    List<Situation> all = List.copyOf(situations().values());
    for (Situation before : all) {
      for (Situation after : all) {
        for (IdleType idle : IdleType.values()) {
          ask(shared, before, idle);
          String fresh = ask(balancer("prefer-utilization"), after, idle).text();
          assertThat(ask(shared, after, idle).text()).isEqualTo(fresh);
        }
      }
    }
  }

  @Test
  void callsLeaveTheViewAlone() {
    for (RuleSpec rule : Rules.load().list()) {
      LoadBalancer balancer = balancer(rule.id());
      for (Situation at : balancer == null ? List.<Situation>of() : situations().values()) {
        int before = at.view().hash();
        CpuSet cpus = at.domains().active().copy();
        for (IdleType idle : IdleType.values()) {
          ask(balancer, at, idle, cpus);
          balancer.balancer(at.view(), at.domain(), cpus);
          balancer.isHot(at.view(), 0, at.cpu());
        }
        assertThat(at.view().hash()).isEqualTo(before);
        assertThat(cpus).isEqualTo(at.domains().active());
      }
    }
  }
}

package dev.counterbalance.whatif.rules;

import static dev.counterbalance.whatif.rules.Vectors.ask;
import static dev.counterbalance.whatif.rules.Vectors.balancer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.whatif.domain.DomainFixture;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.Reason;
import dev.counterbalance.whatif.rule.Selection;
import dev.counterbalance.whatif.rules.Vectors.Answer;
import dev.counterbalance.whatif.rules.Vectors.Situation;
import org.junit.jupiter.api.Test;

/** Where the comparisons of kernel-rules 2.5 to 2.7 turn; the arithmetic stands in each case. */
class GroupCapacity26BoundsTest {
  private final SchedDomains quad = DomainFixture.quad();
  private final SchedDomains sockets = DomainFixture.quadSockets(2);

  @Test
  void exactlyImbalancePctIsWithin() {
    // 5 * 1024 / 4 = 1280 against 1024: 128000 <= 125 * 1024 = 128000; average 1152.
    FakeView view = new FakeView(sockets);
    for (int cpu = 0; cpu < 8; cpu++) {
      view.on(cpu).runs(0);
    }
    view.on(4).queues(0);
    Situation at = new Situation(sockets, view, 0, 1);
    Selection said = ask(balancer("v2.6.36"), at, IdleType.NOT_IDLE).selection();
    assertThat(said.averageLoad).isEqualTo(1152);
    assertThat(said.reason).isEqualTo(Reason.WITHIN_PCT);
  }

  @Test
  void imbalanceWithinIsMoreThanTwoAverageTasks() {
    // Two tasks of 1024: 2048 - 0 is not more than 2 * 1024. 1024 + 1277: 2301 > 2 * 1150.
    assertThat(twoTasksOnCpu0(0).groupImbalanced).isFalse();
    assertThat(twoTasksOnCpu0(-1).groupImbalanced).isTrue();
  }

  private Selection twoTasksOnCpu0(int second) {
    FakeView view = new FakeView(quad);
    view.on(0).runs(0).queues(second);
    Situation at = new Situation(quad, view, 2, 1);
    return ask(balancer("v2.6.36"), at, IdleType.IDLE).selection();
  }

  @Test
  void asManyTasksAsCpusIsNotOverloadedForAnIdleCpuOf2637() {
    // Three against four: 1 idle CPU <= 0 + 1 and 4 tasks <= 4 CPUs. A fifth task: overloaded.
    FakeView view = new FakeView(sockets);
    for (int cpu : new int[] {0, 1, 2, 4, 5, 6, 7}) {
      view.on(cpu).runs(0);
    }
    Situation at = new Situation(sockets, view, 3, 1);
    assertThat(ask(balancer("v2.6.37"), at, IdleType.IDLE).selection().reason)
        .isEqualTo(Reason.IDLE_DIFF);
    view.on(4).queues(0);
    assertThat(ask(balancer("v2.6.37"), at, IdleType.IDLE).group()).isEqualTo("{4-7}");
  }

  @Test
  void smallImbalanceMovesNothingThatOnlyChangesPlaces() {
    // MC pair, CPU 0 {1024, 1024}, CPU 1 busy with 1277. Average 1662; first
    // min(2048 - 1662, 1662 - 1277) = 385 < 1024. 2048 - 1277 + 1024 = 1795 < 2 * 1024. Throughput
    // now 1024 + 1277, then 1024 + 1277: no gain, so 385 stays.
    FakeView view = new FakeView(quad);
    view.on(0).runs(0).queues(0);
    view.on(1).runs(-1);
    Situation at = new Situation(quad, view, 1, 0);
    assertThat(ask(balancer("v2.6.36"), at, IdleType.NOT_IDLE).text()).isEqualTo("385@0");
  }

  @Test
  void smallImbalanceMovesOneTaskWhereThatUsesMorePower() {
    // {0-1} has 1024 + 1277 and 1024, {2-3} 2501 on CPU 2. Averages 1662 and 1250, all 1456; first
    // 206 * 2 = 412 < 3325 / 3 = 1108. 1662 - 1250 + 554 = 966 < 2 * 554. Now
    // 2 * 1108 + 2 * 1250 = 4716; then 2 * (1662 - 554) + 2 * (1250 + 554) = 5824: one task.
    FakeView view = new FakeView(quad);
    view.on(0).runs(0).queues(-1);
    view.on(1).runs(0);
    view.on(2).runs(-4);
    Situation at = new Situation(quad, view, 3, 1);
    Answer answer = ask(balancer("v2.6.36"), at, IdleType.IDLE);
    assertThat(answer.selection().localLoad).isEqualTo(1250);
    assertThat(answer.selection().busiestLoad).isEqualTo(1662);
    assertThat(answer.text()).isEqualTo("1108@0");
  }

  @Test
  void smallImbalanceComparesUnsigned() {
    // The local socket has power 1536 left (capacity 2) and one task of 1991: average 1327; the
    // other four of 1024. Forced with the average computed: 6087 * 1024 / 5632 = 1106 > 1024, so
    // small with 0 to fall back on. 1024 - 1327 + 256 is below zero, which is huge: 1024. Read as
    // signed it would go on: now 6086, then 6058, so 0.
    FakeView view = new FakeView(sockets);
    view.on(1).runs(-3);
    for (int cpu = 4; cpu < 8; cpu++) {
      view.on(cpu).runs(0);
    }
    view.groupPower(sockets.of(0)[1].groups[0], 1536);
    Situation at = new Situation(sockets, view, 0, 1);
    Answer answer =
        ask(
            balancer("v2.6.36", "force_when_underused=any_idle_type", "force_avg_load_zero=off"),
            at,
            IdleType.IDLE);
    assertThat(answer.selection().localLoad).isEqualTo(1327);
    assertThat(answer.selection().averageLoad).isEqualTo(1106);
    assertThat(answer.text()).isEqualTo("1024@4");
  }
}

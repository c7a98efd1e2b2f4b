package dev.counterbalance.whatif.rules;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.DomainFixture;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedDomains;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.Selection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The situations of kernel-rules section 2.16, and a way to ask a rule about them. */
final class Vectors {
  /** A situation: a machine's state, seen by a CPU at one level of its domains. */
  record Situation(SchedDomains domains, FakeView view, int cpu, int level) {
    SchedDomain domain() {
      return domains.of(cpu)[level];
    }
  }

  /** What a rule answered; {@code queue} is -1 if there is none. */
  record Answer(Selection selection, int queue) {
    /** {@code AMOUNT@QUEUE}, or a dash if balanced. */
    String text() {
      return selection.busiest == null ? "-" : selection.amount + "@" + queue;
    }

    String group() {
      return selection.busiest == null ? "none" : selection.busiest.toString();
    }
  }

  private static final Rules RULES = Rules.load();

  private Vectors() {}

  static LoadBalancer balancer(String rule, String... settings) {
    return RULES.resolve(rule, List.of(settings), 4).newBalancer();
  }

  static Answer ask(LoadBalancer balancer, Situation at, IdleType idle) {
    return ask(balancer, at, idle, at.domains().active().copy());
  }

  static Answer ask(LoadBalancer balancer, Situation at, IdleType idle, CpuSet cpus) {
    Selection selection = new Selection();
    balancer.select(at.view(), at.domain(), at.cpu(), idle, cpus, selection);
    int queue = -1;
    if (selection.busiest != null) {
      queue =
          balancer.busiestQueue(
              at.view(), at.domain(), selection.busiest, selection.amount, idle, cpus);
    }
    return new Answer(selection, queue);
  }

  /** The situations of the table in section 3.8. */
  static Map<String, Situation> situations() {
    Map<String, Situation> all = new TreeMap<>();
    all.put("T2-1", stuckQuad());
    all.put("T2-2", beforeStuckQuad());
    all.put("T2-3", oneNormalThreeIdle());
    all.put("T2-4", oneNormalAlone());
    all.put("T2-5", hyperThreads());
    all.put("T2-6", sockets(5, 3, 1));
    all.put("T2-7", sockets(4, 2, 0));
    all.put("T2-11", sockets(5, 2, 1));
    return all;
  }

  private static Situation stuckQuad() {
    SchedDomains domains = DomainFixture.quad();
    FakeView view = new FakeView(domains);
    view.on(1).runs(-15);
    view.on(2).runs(0).queues(0);
    view.on(3).runs(0).queues(0);
    return new Situation(domains, view, 0, 1);
  }

  private static Situation beforeStuckQuad() {
    SchedDomains domains = DomainFixture.quad();
    FakeView view = new FakeView(domains);
    view.on(0).runs(0);
    view.on(1).runs(-15);
    view.on(2).runs(0).queues(0);
    view.on(3).runs(0);
    return new Situation(domains, view, 2, 1);
  }

  private static Situation oneNormalThreeIdle() {
    SchedDomains domains = DomainFixture.quadSockets(4);
    FakeView view = new FakeView(domains);
    view.on(0).runs(0);
    for (int cpu = 1; cpu < 16; cpu++) {
      view.on(cpu).idlePolicy(cpu == 4 ? 1 : 0);
    }
    return new Situation(domains, view, 4, 1);
  }

  private static Situation oneNormalAlone() {
    SchedDomains domains = DomainFixture.quadSockets(4);
    FakeView view = new FakeView(domains);
    view.on(0).runs(0);
    for (int cpu = 4; cpu < 16; cpu++) {
      boolean two = cpu == 4 || cpu == 5 || cpu == 8 || cpu == 12;
      view.on(cpu).idlePolicy(two ? 1 : 0);
    }
    return new Situation(domains, view, 1, 1);
  }

  private static Situation hyperThreads() {
    SchedDomains domains = DomainFixture.hyperThreaded();
    FakeView view = new FakeView(domains);
    for (int cpu : new int[] {0, 1, 2, 4}) {
      view.on(cpu).runs(0);
    }
    return new Situation(domains, view, 5, 2);
  }

  /** Two quad-core sockets with that many nice-0 tasks on the first CPUs of each. */
  private static Situation sockets(int from, int first, int second) {
    SchedDomains domains = DomainFixture.quadSockets(2);
    FakeView view = new FakeView(domains);
    for (int cpu = 0; cpu < first; cpu++) {
      view.on(cpu).runs(0);
    }
    for (int cpu = 4; cpu < 4 + second; cpu++) {
      view.on(cpu).runs(0);
    }
    return new Situation(domains, view, from, 1);
  }
}

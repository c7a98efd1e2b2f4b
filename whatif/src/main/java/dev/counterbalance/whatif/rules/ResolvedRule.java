package dev.counterbalance.whatif.rules;

import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.Switches;
import dev.counterbalance.whatif.rule.Tunables;
import java.util.Map;
import java.util.TreeMap;

/**
 * A rule with all its switches and tunables, as runs use it.
 *
 * @param id of the rule
 * @param switches those that it reads
 * @param tunables all of its generation, also those that an oracle rule does not read
 * @param levels parameters of sched domains that were set, by names such as {@code
 *     imbalance_pct[MC]}; the others are as the kernel's tables have them
 * @param oracle its id if it is an oracle rule, else null
 * @param changes what was set and differs from the rule, by canonical name
 */
public record ResolvedRule(
    String id,
    Switches switches,
    Tunables tunables,
    Map<String, Long> levels,
    String oracle,
    Map<String, String> changes) {

  /** A balancer for one run; null if the rule balances nothing. */
  public LoadBalancer newBalancer() {
    String algorithm = switches.asMap().get("lb_algorithm");
    if (algorithm == null) {
      return null;
    }
    return switch (algorithm) {
      case "group-capacity-2.6" -> new GroupCapacity26(switches, tunables);
      default -> throw new IllegalStateException("not built: lb_algorithm=" + algorithm);
    };
  }

  /** The id, and what was changed: {@code v2.6.36+HZ=1000}. */
  public String name() {
    StringBuilder name = new StringBuilder(id);
    changes.forEach((key, value) -> name.append('+').append(key).append('=').append(value));
    return name.toString();
  }

  /** All that the rule is, as sorted lines; equal rules have equal texts. */
  public String text() {
    StringBuilder text = new StringBuilder();
    line(text, "rule", id);
    switches.asMap().forEach((key, value) -> line(text, "switch " + key, value));
    tunables.asMap().forEach((key, value) -> line(text, "tunable " + key, value));
    new TreeMap<>(levels).forEach((key, value) -> line(text, "tunable " + key, value));
    return text.toString();
  }

  private static void line(StringBuilder text, String key, Object value) {
    text.append(key).append('=').append(value).append('\n');
  }
}

package dev.counterbalance.whatif.run;

import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.Switches;
import dev.counterbalance.whatif.rule.Tunables;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A rule with what was set on it.
 *
 * @param id its name
 * @param settings what the user set, by name
 * @param text everything that was resolved, in its canonical form: part of a run's identity
 * @param switches the resolved switches
 * @param tunables the resolved tunables
 * @param balancer makes the decision functions; one instance a run
 * @param oracle null, or the oracle rule it is
 */
public record RuleChoice(
    String id,
    Map<String, String> settings,
    String text,
    Switches switches,
    Tunables tunables,
    Supplier<LoadBalancer> balancer,
    String oracle) {

  public RuleChoice {
    settings = new TreeMap<>(settings);
  }

  /** {@code RULE[+K=V...]}: how names and tables call it. */
  public String label() {
    StringBuilder label = new StringBuilder(id);
    settings.forEach((key, value) -> label.append('+').append(key).append('=').append(value));
    return label.toString();
  }
}

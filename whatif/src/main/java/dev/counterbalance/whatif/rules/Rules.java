package dev.counterbalance.whatif.rules;

import dev.counterbalance.whatif.rule.Switches;
import dev.counterbalance.whatif.rule.Tunables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The built-in rules with the catalogue of switches and tunables. Immutable. */
public final class Rules {
  private final Map<String, RuleSpec> rules = new LinkedHashMap<>();
  private final Map<String, SwitchSpec> switches = new LinkedHashMap<>();
  private final List<TunableSpec> tunables = new ArrayList<>();

  private Rules() {
    Tsv.read("switches.tsv").stream().map(SwitchSpec::of).forEach(s -> switches.put(s.name(), s));
    Tsv.read("tunables.tsv").stream().map(TunableSpec::of).forEach(tunables::add);
    Tsv.read("rules.tsv").stream().map(RuleSpec::of).forEach(r -> rules.put(r.id(), r));
  }

  /** Reads the tables that come with the program. */
  public static Rules load() {
    return new Rules();
  }

  /** Every rule, in the order of the table: a parent before its children. */
  public List<RuleSpec> list() {
    return List.copyOf(rules.values());
  }

  /**
   * The rule of that id.
   *
   * @throws IllegalArgumentException if there is none; the message names the closest
   */
  public RuleSpec get(String id) {
    RuleSpec rule = rules.get(id);
    if (rule == null) {
      throw new IllegalArgumentException(
          "There is no rule '" + id + "'; did you mean " + Names.like(id, rules.keySet()) + "?");
    }
    return rule;
  }

  /** The catalogue's switches, in its order. */
  public List<SwitchSpec> switches() {
    return List.copyOf(switches.values());
  }

  /** The catalogue's tunables, in its order. */
  public List<TunableSpec> tunables() {
    return List.copyOf(tunables);
  }

  /**
   * The rule that gives a switch its value: the rule itself, its parent, ...; null: the default.
   */
  public RuleSpec origin(RuleSpec rule, SwitchSpec of) {
    for (RuleSpec at = rule; ; at = get(at.parent())) {
      if (at.flips().containsKey(of.name())) {
        return at;
      }
      if (at.parent().isEmpty()) {
        return null;
      }
    }
  }

  /** The tunables that a resolved rule reads, in the catalogue's order. */
  public List<TunableSpec> tunablesReadBy(ResolvedRule rule) {
    Set<Part> parts = get(rule.id()).parts();
    Map<String, String> known = new TreeMap<>();
    for (TunableSpec tunable : tunables) {
      Long value = rule.tunables().asMap().get(tunable.name());
      if (value != null) {
        known.put(tunable.name(), tunable.show(value));
      }
    }
    return tunables.stream().filter(t -> t.readBy().holds(parts, known)).toList();
  }

  /**
   * The value of each key of a tunable under a rule: what was set, else the default.
   *
   * @param onlineCpus of the machine, which some defaults depend on
   */
  public Map<String, Long> values(TunableSpec tunable, ResolvedRule rule, int onlineCpus) {
    Map<String, Long> values = tunable.defaultValues(onlineCpus);
    Map<String, Long> set = tunable.isOfDomains() ? rule.levels() : rule.tunables().asMap();
    values.replaceAll((key, value) -> set.getOrDefault(key, value));
    return values;
  }

  /**
   * A rule with its switches and tunables.
   *
   * @param settings what to change, each {@code NAME=VALUE}
   * @param onlineCpus of the machine, which some defaults depend on
   * @throws IllegalArgumentException if there is no such rule, switch, tunable or value, or if the
   *     rule does not read what is set; the message is a sentence
   */
  public ResolvedRule resolve(String id, List<String> settings, int onlineCpus) {
    RuleSpec rule = get(id);
    Settings set = new Settings(this, settings);
    Map<String, Long> values = new TreeMap<>();
    Map<String, Long> levels = new TreeMap<>();
    Map<String, String> changes = new TreeMap<>();
    Map<String, String> known = new TreeMap<>();
    for (TunableSpec tunable : tunables) {
      boolean read = tunable.readBy().holds(rule.parts(), known);
      for (Map.Entry<String, Long> entry : tunable.defaultValues(onlineCpus).entrySet()) {
        String key = entry.getKey();
        Long given = set.tunable(key);
        if (given != null && !read) {
          throw unread(rule, key, tunable.readBy());
        }
        long value = given == null ? entry.getValue() : given;
        if (value != entry.getValue()) {
          changes.put(key, tunable.show(value));
        }
        if (!tunable.isOfDomains()) {
          values.put(key, value);
        } else if (value != entry.getValue()) {
          levels.put(key, value);
        }
        known.put(key, tunable.show(value));
      }
    }
    Map<String, String> resolved = resolveSwitches(rule, set, known, changes);
    return new ResolvedRule(
        id,
        new Switches(resolved),
        new Tunables(values),
        Map.copyOf(levels),
        rule.isOracle() ? id : null,
        changes);
  }

  /**
   * A switch is looked up in what was set, then in the rule, its parent and so on, then in the
   * catalogue. Whether it is read may depend on switches before it.
   */
  private Map<String, String> resolveSwitches(
      RuleSpec rule, Settings set, Map<String, String> known, Map<String, String> changes) {
    Map<String, String> flips = flips(rule);
    Map<String, String> resolved = new TreeMap<>();
    for (SwitchSpec spec : switches.values()) {
      String given = set.switchValue(spec.name());
      if (!spec.readBy().holds(rule.parts(), known)) {
        if (given != null) {
          throw unread(rule, spec.name(), spec.readBy());
        }
        continue;
      }
      String own = flips.getOrDefault(spec.name(), spec.values().get(0));
      String value = given == null ? own : given;
      if (!value.equals(own)) {
        changes.put(spec.name(), value);
      }
      known.put(spec.name(), value);
      resolved.put(spec.name(), value);
    }
    return resolved;
  }

  private Map<String, String> flips(RuleSpec rule) {
    Map<String, String> flips =
        rule.parent().isEmpty() ? new TreeMap<>() : flips(get(rule.parent()));
    rule.flips().forEach((name, value) -> flips.put(name, switches.get(name).checked(value)));
    return flips;
  }

  private static IllegalArgumentException unread(RuleSpec rule, String name, ReadBy readBy) {
    return new IllegalArgumentException(
        "%s does not read %s: it is read %s.".formatted(rule.id(), name, readBy.words()));
  }
}

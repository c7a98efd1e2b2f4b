package dev.counterbalance.whatif.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What somebody set, each {@code NAME=VALUE}, by canonical names and checked. */
final class Settings {
  private final Map<String, String> switches = new TreeMap<>();
  private final Map<String, Long> tunables = new TreeMap<>();

  Settings(Rules rules, List<String> settings) {
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals <= 0 || equals == setting.length() - 1) {
        throw new IllegalArgumentException("must be NAME=VALUE: " + setting);
      }
      add(rules, setting.substring(0, equals), setting.substring(equals + 1));
    }
  }

  /** The value of a switch, or null if it was not set. */
  String switchValue(String name) {
    return switches.get(name);
  }

  /** The value of a tunable's key, or null if it was not set. */
  Long tunable(String key) {
    return tunables.get(key);
  }

  private void add(Rules rules, String name, String value) {
    Optional<SwitchSpec> found =
        rules.switches().stream().filter(s -> s.name().equals(name)).findFirst();
    boolean again;
    if (found.isPresent()) {
      again = switches.put(name, found.get().checked(value)) != null;
    } else {
      again = addTunable(rules, name, value);
    }
    if (again) {
      throw new IllegalArgumentException("is set twice: " + name);
    }
  }

  private boolean addTunable(Rules rules, String name, String value) {
    List<String> names = new ArrayList<>();
    rules.switches().forEach(s -> names.add(s.name()));
    for (TunableSpec tunable : rules.tunables()) {
      List<String> keys = tunable.keys();
      if (keys.contains(name)) {
        return tunables.put(name, tunable.parse(name, value)) != null;
      }
      if (tunable.aliases().contains(name)) {
        return tunables.put(tunable.name(), tunable.parse(name, value)) != null;
      }
      if (tunable.hasIndex() && name.replaceFirst("\\[.*", "").equals(tunable.stem())) {
        throw new IllegalArgumentException(
            "must be one of %s: %s".formatted(String.join(", ", keys), name));
      }
      names.addAll(keys);
      names.addAll(tunable.aliases());
    }
    throw new IllegalArgumentException(
        "There is no switch or tunable '%s'; did you mean %s?"
            .formatted(name, Names.like(name, names)));
  }
}

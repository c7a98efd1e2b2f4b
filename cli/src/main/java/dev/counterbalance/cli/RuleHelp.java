package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Format;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.MarkdownWriter;
import dev.counterbalance.cli.render.TableWriter;
import dev.counterbalance.cli.render.TextWriter;
import dev.counterbalance.whatif.rules.ResolvedRule;
import dev.counterbalance.whatif.rules.RuleSpec;
import dev.counterbalance.whatif.rules.Rules;
import dev.counterbalance.whatif.rules.SwitchSpec;
import dev.counterbalance.whatif.rules.TunableSpec;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** What {@code trace-rules} tells: the table of rules, its switches and tunables. */
final class RuleHelp {
  private static final String SET = "--set";
  private static final String DEFAULT = "default";

  private static final List<Column> LIST =
      List.of(
          Column.of("rule", Kind.TEXT),
          Column.of("title", Kind.TEXT),
          Column.of("parent", Kind.TEXT),
          Column.of("thread", Kind.TEXT),
          Column.of("kind", Kind.TEXT));
  private static final Column FLIPS = Column.of("flips", Kind.TEXT);
  private static final List<Column> SWITCHES =
      List.of(
          Column.of("switch", Kind.TEXT),
          Column.of("value", Kind.TEXT),
          new Column("set_by", "set by", Kind.TEXT),
          new Column("values", "can be", Kind.TEXT),
          Column.of("meaning", Kind.TEXT));
  private static final List<Column> TUNABLES =
      List.of(
          Column.of("tunable", Kind.TEXT),
          Column.of("value", Kind.TEXT),
          Column.of("unit", Kind.TEXT),
          new Column("set_by", "set by", Kind.TEXT),
          new Column("kernel", "kernel's name", Kind.TEXT),
          Column.of("meaning", Kind.TEXT));
  private static final List<Column> FLAT =
      List.of(
          Column.of("kind", Kind.TEXT),
          Column.of("name", Kind.TEXT),
          Column.of("value", Kind.TEXT),
          Column.of("unit", Kind.TEXT),
          Column.of("set_by", Kind.TEXT),
          Column.of("meaning", Kind.TEXT));

  private final Rules rules;
  private final int cpus;

  /**
   * @param cpus CPUs online, which some defaults depend on
   */
  RuleHelp(Rules rules, int cpus) {
    this.rules = rules;
    this.cpus = cpus;
  }

  ResolvedRule resolve(String id, List<String> settings) {
    return rules.resolve(id, settings, cpus);
  }

  /** The table; what each rule flips only for machines, because the lines would get too long. */
  void list(Format format, Writer out, boolean unicode) throws IOException {
    boolean withFlips = isForMachines(format);
    List<Column> columns = new ArrayList<>(LIST);
    if (withFlips) {
      columns.add(FLIPS);
    }
    TableWriter writer = writer(format, out, unicode);
    writer.begin(columns);
    for (RuleSpec rule : rules.list()) {
      List<Object> cells = new ArrayList<>();
      cells.add(rule.id());
      cells.add(rule.title());
      cells.add(orNull(rule.parent()));
      cells.add(orNull(rule.thread()));
      cells.add(rule.isOracle() ? "oracle" : "kernel");
      if (withFlips) {
        cells.add(orNull(flips(rule)));
      }
      writer.row(cells.toArray());
    }
    writer.end();
  }

  void show(ResolvedRule rule, Format format, Writer out, boolean unicode) throws IOException {
    RuleSpec spec = rules.get(rule.id());
    if (isForMachines(format)) {
      flat(rule, spec, format.writer(out, unicode));
      return;
    }
    String item = format == Format.MARKDOWN ? "- " : "";
    out.append(rule.name()).append(": ").append(spec.title()).append("\n\n");
    for (Map.Entry<String, String> line : about(spec).entrySet()) {
      out.append(item).append(line.getKey()).append(": ").append(line.getValue()).append('\n');
    }
    if (!rule.switches().asMap().isEmpty()) {
      out.append('\n');
      switches(rule, spec, writer(format, out, unicode));
    }
    out.append("\nOn a machine with ").append(String.valueOf(cpus)).append(" CPUs online:\n\n");
    tunables(rule, writer(format, out, unicode));
  }

  private static Map<String, String> about(RuleSpec spec) {
    Map<String, String> about = new LinkedHashMap<>();
    if (!spec.parent().isEmpty()) {
      String flips = flips(spec);
      about.put("parent", spec.parent() + (flips.isEmpty() ? "" : ", with " + flips));
    }
    if (!spec.thread().isEmpty()) {
      about.put("thread", spec.thread());
    }
    about.put(
        "source", spec.isOracle() ? "none: an oracle, for tests and controls" : spec.source());
    about.put("models", spec.models());
    about.put("leaves out", spec.leavesOut());
    return about;
  }

  private void switches(ResolvedRule rule, RuleSpec spec, TableWriter writer) throws IOException {
    writer.begin(SWITCHES);
    for (SwitchSpec of : readBy(rule)) {
      String value = rule.switches().get(of.name());
      String values = of.values().size() == 1 ? null : String.join(", ", of.values());
      writer.row(of.name(), value, setBy(rule, spec, of), values, of.meaning());
    }
    writer.end();
  }

  private void tunables(ResolvedRule rule, TableWriter writer) throws IOException {
    writer.begin(TUNABLES);
    for (TunableSpec tunable : rules.tunablesReadBy(rule)) {
      StringJoiner values = new StringJoiner(" ");
      Map<String, Long> all = rules.values(tunable, rule, cpus);
      all.forEach(
          (key, value) ->
              values.add(
                  tunable.hasIndex()
                      ? tunable.index(key) + "=" + tunable.show(value)
                      : tunable.show(value)));
      boolean set = all.keySet().stream().anyMatch(rule.changes()::containsKey);
      writer.row(
          tunable.name(),
          values.toString(),
          tunable.unit(),
          set ? SET : DEFAULT,
          orNull(String.join(", ", tunable.aliases())),
          tunable.meaning());
    }
    writer.end();
  }

  private void flat(ResolvedRule rule, RuleSpec spec, TableWriter writer) throws IOException {
    writer.begin(FLAT);
    writer.row("about", "rule", rule.id(), null, null, spec.title());
    for (Map.Entry<String, String> line : about(spec).entrySet()) {
      writer.row("about", line.getKey(), line.getValue(), null, null, null);
    }
    for (SwitchSpec of : readBy(rule)) {
      String value = rule.switches().get(of.name());
      writer.row("switch", of.name(), value, null, setBy(rule, spec, of), of.meaning());
    }
    for (TunableSpec tunable : rules.tunablesReadBy(rule)) {
      for (Map.Entry<String, Long> entry : rules.values(tunable, rule, cpus).entrySet()) {
        String key = entry.getKey();
        Object value = cell(tunable, entry.getValue());
        String setBy = rule.changes().containsKey(key) ? SET : DEFAULT;
        writer.row("tunable", key, value, tunable.unit(), setBy, tunable.meaning());
      }
    }
    writer.end();
  }

  /** Where two rules differ: switches, and tunables that only one of them reads. */
  void diff(ResolvedRule left, ResolvedRule right, Format format, Writer out, boolean unicode)
      throws IOException {
    List<Object[]> rows = new ArrayList<>();
    for (SwitchSpec of : rules.switches()) {
      String a = left.switches().asMap().get(of.name());
      String b = right.switches().asMap().get(of.name());
      addIfDifferent(rows, of.name(), a, b, of.meaning());
    }
    List<TunableSpec> leftReads = rules.tunablesReadBy(left);
    List<TunableSpec> rightReads = rules.tunablesReadBy(right);
    for (TunableSpec tunable : rules.tunables()) {
      String a = leftReads.contains(tunable) ? "read" : null;
      String b = rightReads.contains(tunable) ? "read" : null;
      addIfDifferent(rows, tunable.name(), a, b, tunable.meaning());
    }
    if (rows.isEmpty() && !isForMachines(format)) {
      out.append(left.id()).append(" and ").append(right.id());
      out.append(" read the same switches with the same values.\n");
      return;
    }
    TableWriter writer = writer(format, out, unicode);
    writer.begin(
        List.of(
            new Column("name", "switch or tunable", Kind.TEXT),
            new Column("left", left.id(), Kind.TEXT),
            new Column("right", right.id(), Kind.TEXT),
            Column.of("meaning", Kind.TEXT)));
    for (Object[] row : rows) {
      writer.row(row);
    }
    writer.end();
  }

  private static void addIfDifferent(
      List<Object[]> rows, String name, String left, String right, String meaning) {
    if (left == null ? right != null : !left.equals(right)) {
      rows.add(new Object[] {name, left, right, meaning});
    }
  }

  private List<SwitchSpec> readBy(ResolvedRule rule) {
    Map<String, String> read = rule.switches().asMap();
    return rules.switches().stream().filter(s -> read.containsKey(s.name())).toList();
  }

  private String setBy(ResolvedRule rule, RuleSpec spec, SwitchSpec of) {
    if (rule.changes().containsKey(of.name())) {
      return SET;
    }
    RuleSpec origin = rules.origin(spec, of);
    return origin == null ? DEFAULT : origin.id();
  }

  private static String flips(RuleSpec rule) {
    return rule.flips().entrySet().stream()
        .map(flip -> flip.getKey() + "=" + flip.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /** A number where the value is one. */
  private static Object cell(TunableSpec tunable, long value) {
    return switch (tunable.unit()) {
      case "on/off" -> tunable.show(value);
      case "speed" -> Double.valueOf(tunable.show(value));
      default -> value;
    };
  }

  private static boolean isForMachines(Format format) {
    return format == Format.CSV || format == Format.JSON;
  }

  /** Titles for people, keys for machines. */
  private static TableWriter writer(Format format, Writer out, boolean unicode) {
    return switch (format) {
      case TEXT -> new TextWriter(out, unicode, true);
      case MARKDOWN -> new MarkdownWriter(out, true);
      case CSV, JSON -> format.writer(out, unicode);
    };
  }
}

package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.Units;
import java.util.List;
import java.util.Map;

/** What the figures cannot know: losses, trouble at import, CPUs and waits left out. */
final class QualitySection {
  private static final String PROBLEMS =
      "SELECT severity, code, count, first_offset, first_ts, text, advice FROM import_problem"
          + " WHERE trace_id = ? ORDER BY CASE severity WHEN 'data_loss' THEN 0 WHEN 'error' THEN 1"
          + " ELSE 2 END, count DESC, code";

  private static final List<Column> COLUMNS =
      List.of(
          new Column("severity", "severity", Kind.TEXT),
          new Column("code", "what", Kind.TEXT),
          new Column("count", "times", Kind.COUNT),
          new Column("first_offset", "", Kind.NUMBER),
          new Column("first_ts", "", Kind.NUMBER),
          new Column("text", "", Kind.TEXT),
          new Column("advice", "", Kind.TEXT));

  private QualitySection() {}

  static List<Map<String, Object>> problems(Figures figures) {
    return figures.stored(PROBLEMS);
  }

  static Section of(
      Map<String, Object> trace,
      List<Map<String, Object>> problems,
      List<Map<String, Object>> cpus,
      List<Map<String, Object>> waits) {
    Section section = Section.table("import_problem", "Data quality", COLUMNS);
    for (Map<String, Object> row : problems) {
      section.row(
          row.get("severity"),
          row.get("code"),
          row.get("count"),
          row.get("first_offset"),
          row.get("first_ts"),
          row.get("text"),
          row.get("advice"));
    }
    long lost = Figures.number(trace, "lost_events");
    if (lost > 0) {
      section.note(Units.counted(lost, "event is", "events are") + " missing from the recording.");
    }
    for (Map<String, Object> row : problems) {
      section.note(sentence(row));
    }
    coverage(section, cpus, "silent", "without an event");
    coverage(section, cpus, "unrecorded", "not covered by the recorder");
    waits(section, waits);
    if (section.notes().isEmpty()) {
      section.note("No losses and no trouble.");
    }
    return section;
  }

  /** One line on the same: {@code 2 problems, 1,024 events lost}. */
  static String brief(Map<String, Object> trace, List<Map<String, Object>> problems) {
    long lost = Figures.number(trace, "lost_events");
    List<String> serious =
        problems.stream()
            .filter(p -> !"info".equals(p.get("severity")))
            .map(p -> String.valueOf(p.get("code")))
            .toList();
    return String.format(
        "%s, %s",
        lost == 0 ? "no events lost" : Units.counted(lost, "event lost", "events lost"),
        serious.isEmpty()
            ? "no problems"
            : Units.counted(serious.size(), "problem", "problems")
                + ": "
                + String.join(", ", serious));
  }

  private static String sentence(Map<String, Object> row) {
    return sentence(
        String.valueOf(row.get("code")),
        String.valueOf(row.get("text")),
        Figures.text(row, "advice"));
  }

  /** A problem as a sentence; advice may be null. */
  static String sentence(String code, String text, String advice) {
    String end = text.endsWith(".") ? "" : ".";
    return code + ": " + text + end + (advice == null || advice.isEmpty() ? "" : " " + advice);
  }

  private static void coverage(
      Section section, List<Map<String, Object>> cpus, String coverage, String meaning) {
    List<String> names =
        cpus.stream()
            .filter(row -> coverage.equals(row.get("coverage")))
            .map(row -> String.valueOf(row.get("cpu")))
            .toList();
    if (!names.isEmpty()) {
      section.note(
          String.format(
              "%s %s: CPU %s.",
              Units.counted(names.size(), "CPU", "CPUs"), meaning, String.join(",", names)));
    }
  }

  private static void waits(Section section, List<Map<String, Object>> waits) {
    long censored = waits.stream().mapToLong(row -> Figures.number(row, "censored")).sum();
    long suspect = waits.stream().mapToLong(row -> Figures.number(row, "suspect")).sum();
    if (censored + suspect > 0) {
      section.note(
          String.format(
              "Left out of the latencies: %s cut off by the recording's ends (censored), %s beside"
                  + " a loss or a contradiction (suspect).",
              Units.counted(censored, "wait", "waits"), Units.count(suspect)));
    }
  }
}

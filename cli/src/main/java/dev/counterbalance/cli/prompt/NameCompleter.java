package dev.counterbalance.cli.prompt;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes a word to the names of tables, columns and macros, SQL words and prompt commands. */
public final class NameCompleter implements Completer {
  private static final List<String> WORDS =
      List.of(
          "SELECT",
          "FROM",
          "WHERE",
          "GROUP BY",
          "ORDER BY",
          "LIMIT",
          "JOIN",
          "LEFT JOIN",
          "USING",
          "AS",
          "AND",
          "OR",
          "NOT",
          "NULL",
          "IS",
          "IN",
          "LIKE",
          "BETWEEN",
          "CASE",
          "WHEN",
          "THEN",
          "ELSE",
          "END",
          "WITH",
          "HAVING",
          "DISTINCT",
          "UNION ALL",
          "count",
          "sum",
          "min",
          "max",
          "avg",
          "median",
          "quantile_cont",
          "DESCRIBE",
          "EXPLAIN",
          "SUMMARIZE");

  /** Names with what they are, for the list that a second TAB shows. */
  private final Map<String, String> names = new TreeMap<>();

  private final List<String> commands;

  /**
   * A completer.
   *
   * @param commands what may begin a line beside SQL, such as {@code \d}
   */
  public NameCompleter(List<String> commands) {
    this.commands = List.copyOf(commands);
  }

  /** Adds a name; {@code group} heads it in the list, e.g. {@code tables}. */
  public void add(String name, String group) {
    names.putIfAbsent(name, group);
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    String word = line.word();
    if (word.startsWith("\\")) {
      for (String command : commands) {
        candidates.add(new Candidate(command));
      }
      return;
    }
    int dot = word.lastIndexOf('.');
    String before = word.substring(0, dot + 1);
    String start = word.substring(dot + 1).toLowerCase(Locale.ROOT);
    for (Map.Entry<String, String> name : names.entrySet()) {
      if (name.getKey().toLowerCase(Locale.ROOT).startsWith(start)) {
        candidates.add(
            new Candidate(
                before + name.getKey(), name.getKey(), name.getValue(), null, null, null, true));
      }
    }
    if (dot < 0 && !start.isEmpty()) {
      for (String sql : WORDS) {
        if (sql.toLowerCase(Locale.ROOT).startsWith(start)) {
          candidates.add(new Candidate(sql, sql, "SQL", null, null, null, true));
        }
      }
    }
  }
}

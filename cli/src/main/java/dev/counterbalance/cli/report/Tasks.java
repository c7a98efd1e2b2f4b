package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import java.util.List;
import java.util.Map;

/** How reports name tasks: {@code comm:tid} for people, all ids for machines. */
final class Tasks {
  /** The kernel's names have up to 15 characters; names of other origin are cut here. */
  private static final int LONGEST_NAME = 20;

  static final List<Column> COLUMNS =
      List.of(
          new Column("", "task", Kind.TEXT),
          new Column("utid", "", Kind.NUMBER),
          new Column("tid", "", Kind.NUMBER),
          new Column("name", "", Kind.TEXT));

  /** Joins an entry {@code e} that has a column utid with the threads {@code t}. */
  static String join(String utid) {
    return " LEFT JOIN thread t ON t.trace_id = e.trace_id AND t.utid = e." + utid + " ";
  }

  private Tasks() {}

  /** The cells for {@link #COLUMNS}. */
  static Object[] cells(Map<String, Object> row, String utid) {
    String name = Figures.text(row, "name");
    Object tid = row.get("tid");
    return new Object[] {label(name, tid), row.get(utid), tid, name};
  }

  private static String label(String name, Object tid) {
    String known = name == null ? "?" : name;
    String cut =
        known.codePointCount(0, known.length()) <= LONGEST_NAME
            ? known
            : known.substring(0, known.offsetByCodePoints(0, LONGEST_NAME - 2)) + "..";
    return tid == null ? cut : cut + ":" + tid;
  }
}

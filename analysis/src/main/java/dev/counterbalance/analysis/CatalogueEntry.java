package dev.counterbalance.analysis;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One file of the SQL catalogue.
 *
 * @param name name of the macro and the view; helpers begin with {@code _}
 * @param kind what it becomes in the store
 * @param title what it is, a few words
 * @param question the question it answers
 * @param notes what to know before its figures are used
 * @param needs events it needs; of the names in an inner list one is enough
 * @param without what is missing if events are that it can do without
 * @param whole what an import must not have left out
 * @param parameters parameters of the macro, in order
 * @param columns the columns it gives, in order
 * @param body its SQL, without the header
 */
public record CatalogueEntry(
    String name,
    Kind kind,
    String title,
    String question,
    List<String> notes,
    List<List<String>> needs,
    List<Without> without,
    List<Whole> whole,
    List<Parameter> parameters,
    List<Column> columns,
    String body) {

  /** What an entry becomes in the store. */
  public enum Kind {
    /** A table macro and, unless it is a helper, a view of the same name. */
    TABLE,
    /** A scalar macro. */
    SCALAR
  }

  /**
   * Events that an entry can do without.
   *
   * @param events if one of them is there, nothing is missing
   * @param missing what is missing without them, a few words
   */
  public record Without(List<String> events, String missing) {
    public Without {
      events = List.copyOf(events);
    }
  }

  /**
   * A parameter.
   *
   * @param name its name
   * @param defaultValue its default as SQL; empty if it must be given
   * @param unit its unit; empty for names and counts
   * @param doc what it does
   */
  public record Parameter(String name, String defaultValue, String unit, String doc) {}

  /**
   * An output column.
   *
   * @param name its name
   * @param type its DuckDB type
   * @param unit its unit; empty for names, ids and counts
   * @param doc its definition
   * @param source where the definition comes from
   */
  public record Column(String name, String type, String unit, String doc, String source) {}

  public CatalogueEntry {
    notes = List.copyOf(notes);
    needs = needs.stream().map(List::copyOf).toList();
    without = List.copyOf(without);
    whole = List.copyOf(whole);
    parameters = List.copyOf(parameters);
    columns = List.copyOf(columns);
  }

  /** The first need that a recording of these events (without their systems) does not meet. */
  public Optional<List<String>> unmet(Collection<String> present) {
    return needs.stream().filter(oneOf -> oneOf.stream().noneMatch(present::contains)).findFirst();
  }

  /** True for building blocks of other entries, which are not listed. */
  public boolean isHelper() {
    return name.startsWith("_");
  }

  /** True if a view shows the entry over every trace of the store. */
  public boolean hasView() {
    return kind == Kind.TABLE && !isHelper();
  }

  /** The statement that makes the macro, in the open database or for this connection only. */
  String createMacro(boolean temporary) {
    StringBuilder sql = new StringBuilder("CREATE OR REPLACE ");
    sql.append(temporary ? "TEMP " : "").append("MACRO \"").append(name).append("\"(");
    String separator = "";
    for (Parameter parameter : parameters) {
      sql.append(separator).append(parameter.name());
      if (!parameter.defaultValue().isEmpty()) {
        sql.append(" := ").append(parameter.defaultValue());
      }
      separator = ", ";
    }
    sql.append(kind == Kind.TABLE ? ") AS TABLE\n" : ") AS\n");
    return (whole.isEmpty() ? sql.append(body) : guarded(sql)).toString();
  }

  /** The body, such that a row of a trace of which too much was left out is an error. */
  private StringBuilder guarded(StringBuilder sql) {
    sql.append("SELECT * FROM (\n").append(body).append(") AS answer\nWHERE CASE");
    for (Whole need : whole) {
      sql.append("\n  WHEN answer.trace_id IN (SELECT trace_id FROM _trace WHERE ")
          .append(need.brokenSql())
          .append(")\n  THEN error('")
          .append(name)
          .append(" is not applicable to trace ' || answer.trace_id || ': it needs ")
          .append(need.words)
          .append(", and the import left some out')");
    }
    return sql.append("\n  ELSE true END");
  }

  /** The statement that makes the view, in the open database or for this connection only. */
  String createView(boolean temporary) {
    return "CREATE OR REPLACE %sVIEW \"%s\" AS SELECT * FROM \"%s\"()"
        .formatted(temporary ? "TEMP " : "", name, name);
  }
}

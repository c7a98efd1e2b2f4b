package dev.counterbalance.analysis;

import dev.counterbalance.analysis.CatalogueEntry.Column;
import dev.counterbalance.analysis.CatalogueEntry.Kind;
import dev.counterbalance.analysis.CatalogueEntry.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Reads one file of the catalogue: a header of {@code -- key: value} lines, then the SQL. A header
 * line that begins with {@code --} and three blanks continues the one before.
 *
 * <pre>
 * -- title: A few words
 * -- question: What it answers?
 * -- kind: table or scalar; table if left out
 * -- needs: event|or_this_one             (any number)
 * -- without: event|or_this_one: what is then missing (any number)
 * -- whole: cpus|tasks                    (what an import must not have left out, any number)
 * -- note: What to know.                  (any number)
 * -- param: name | default | unit | What it does.
 * -- column: name | TYPE | unit | Its definition. | source of the definition
 * </pre>
 */
final class EntryParser {
  private static final String MARK = "-- ";
  private static final String CONTINUATION = "--   ";
  private static final List<Parameter> COMMON =
      List.of(
          new Parameter("trace", "NULL", "", "trace_id of one trace; NULL: every trace."),
          new Parameter("since", "NULL", "ns", "Start of the window; NULL: the trace's start."),
          new Parameter("until", "NULL", "ns", "End of the window, exclusive; NULL: the end."));

  private final String name;
  private final List<String> notes = new ArrayList<>();
  private final List<List<String>> needs = new ArrayList<>();
  private final List<CatalogueEntry.Without> without = new ArrayList<>();
  private final List<Whole> whole = new ArrayList<>();
  private final List<Parameter> parameters = new ArrayList<>();
  private final List<Column> columns = new ArrayList<>();
  private Kind kind = Kind.TABLE;
  private String title = "";
  private String question = "";

  private EntryParser(String name) {
    this.name = name;
  }

  /** The entry in a file's text. */
  static CatalogueEntry parse(String name, String text) {
    return new EntryParser(name).read(text);
  }

  private CatalogueEntry read(String text) {
    List<String> header = new ArrayList<>();
    List<String> lines = text.lines().toList();
    int line = 0;
    for (; line < lines.size() && lines.get(line).startsWith("--"); line++) {
      String content = lines.get(line);
      if (content.startsWith(CONTINUATION) && !header.isEmpty()) {
        header.set(header.size() - 1, header.get(header.size() - 1) + " " + content.substring(5));
      } else if (content.startsWith(MARK)) {
        header.add(content.substring(MARK.length()));
      }
    }
    header.forEach(this::headerLine);
    String body = String.join("\n", lines.subList(line, lines.size())).strip();
    if (title.isEmpty() || question.isEmpty() || columns.isEmpty() || body.isEmpty()) {
      throw broken("title, question, column and a body are required");
    }
    List<Parameter> all = new ArrayList<>(kind == Kind.TABLE ? COMMON : List.of());
    all.addAll(parameters);
    return new CatalogueEntry(
        name, kind, title, question, notes, needs, without, whole, all, columns, body);
  }

  private void headerLine(String line) {
    int colon = line.indexOf(": ");
    if (colon < 0) {
      throw broken("header line without a key: " + line);
    }
    String value = line.substring(colon + 2).strip();
    switch (line.substring(0, colon)) {
      case "title" -> title = value;
      case "question" -> question = value;
      case "kind" -> kind = Kind.valueOf(value.toUpperCase(Locale.ROOT));
      case "note" -> notes.add(value);
      case "whole" -> whole.add(Whole.valueOf(value.toUpperCase(Locale.ROOT)));
      case "without" -> {
        int end = value.indexOf(": ");
        if (end < 0) {
          throw broken("expected events, a colon and what is missing: " + line);
        }
        without.add(
            new CatalogueEntry.Without(
                List.of(value.substring(0, end).split("\\|")), value.substring(end + 2).strip()));
      }
      case "needs" -> needs.add(List.of(value.split("\\|")));
      case "param" -> {
        List<String> f = fields(line, value, 4);
        parameters.add(new Parameter(f.get(0), f.get(1), f.get(2), f.get(3)));
      }
      case "column" -> {
        List<String> f = fields(line, value, 5);
        columns.add(new Column(f.get(0), f.get(1), f.get(2), f.get(3), f.get(4)));
      }
      default -> throw broken("unknown header key: " + line);
    }
  }

  private List<String> fields(String line, String value, int count) {
    List<String> fields = Arrays.stream(value.split("\\|", -1)).map(String::strip).toList();
    if (fields.size() != count) {
      throw broken("expected " + count + " fields, found " + fields.size() + ": " + line);
    }
    return fields;
  }

  private IllegalStateException broken(String what) {
    return new IllegalStateException("catalogue entry " + name + ": " + what);
  }
}
